// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/socket/controlfolder_p.h"

#include "base/files/hostlock_p.h"
#include "base/uniquefd_p.h"
#include "control/socket/socketaddress_p.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcessEnvironment>
#include <QRegularExpression>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace Rekindle {

namespace {

constexpr QLatin1String socketEnding(".sock");
constexpr QLatin1String lockEnding(".lock");

// The names that hosts use: NAME-HASH of `up`, APPLICATION-PID, and the hash of a long name.
bool isNameOfHost(const QString &name)
{
    static const QRegularExpression pattern(
        QStringLiteral("^(.+-([0-9a-f]{8}|[0-9]+)|[0-9a-f]{16})$"));
    return pattern.match(name).hasMatch();
}

// Locks the folder itself. A process that removes sockets has the lock alone; hosts that acquire
// the lock of a socket share it. Returns a closed descriptor if the lock is not available.
UniqueFd lockedFolder(const QString &folder, int operation)
{
    UniqueFd descriptor(
        ::open(QFile::encodeName(folder).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!descriptor.isOpen())
        return descriptor;
    int result = 0;
    do {
        result = ::flock(descriptor.get(), operation);
    } while (result != 0 && errno == EINTR);
    if (result != 0)
        descriptor.reset();
    return descriptor;
}

// A file of another kind or user is not that of a host.
bool isSocketOfThisUserOrMissing(const QByteArray &path)
{
    struct stat status{};
    if (::lstat(path.constData(), &status) != 0)
        return errno == ENOENT;
    return S_ISSOCK(status.st_mode) && status.st_uid == ::geteuid();
}

bool isFileOfThisUser(const QByteArray &path)
{
    struct stat status{};
    return ::lstat(path.constData(), &status) == 0 && S_ISREG(status.st_mode)
        && status.st_uid == ::geteuid();
}

} // namespace

QString controlFolder()
{
    return controlFolder(QProcessEnvironment::systemEnvironment(), ::geteuid(),
                         QStringLiteral("/run/user"));
}

QString controlFolder(const QProcessEnvironment &environment, uid_t user, const QString &runUser)
{
    if (user == 0)
        return QStringLiteral("/run/rekindle");
    // The XDG specification says to ignore relative paths.
    const QString runtime = environment.value(QStringLiteral("XDG_RUNTIME_DIR"));
    if (QDir::isAbsolutePath(runtime))
        return runtime + QLatin1String("/rekindle");
    const QString ofLogin = runUser + QLatin1Char('/') + QString::number(user);
    if (QDir(ofLogin).exists())
        return ofLogin + QLatin1String("/rekindle");
    const QString state = environment.value(QStringLiteral("XDG_STATE_HOME"));
    if (QDir::isAbsolutePath(state))
        return state + QLatin1String("/rekindle/run");
    const QString home = QDir::cleanPath(environment.value(QStringLiteral("HOME")));
    if (QDir::isAbsolutePath(home) && !QDir(home).isRoot())
        return home + QLatin1String("/.local/state/rekindle/run");
    return {};
}

QString prepareControlFolder(const QString &path)
{
    const QString parent = QDir::cleanPath(path + QLatin1String("/.."));
    if (!QDir().mkpath(parent))
        return QStringLiteral("cannot create the folder %1").arg(parent);
    if (::mkdir(QFile::encodeName(path).constData(), S_IRWXU) != 0 && errno != EEXIST)
        return QStringLiteral("cannot create the folder %1: %2").arg(path, qt_error_string());
    return faultOfControlFolder(path);
}

QString faultOfControlFolder(const QString &path)
{
    struct stat status{};
    if (::lstat(QFile::encodeName(path).constData(), &status) != 0)
        return QStringLiteral("%1: %2").arg(path, qt_error_string());
    QString found;
    if (S_ISLNK(status.st_mode))
        found = QStringLiteral("a symbolic link");
    else if (!S_ISDIR(status.st_mode))
        found = QStringLiteral("a file");
    else if (status.st_uid != ::geteuid())
        found = QStringLiteral("a folder of user %1").arg(status.st_uid);
    else if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        found = QStringLiteral("a folder in which others can write");
    else
        return {};
    return QStringLiteral("%1: expected a folder in which only user %2 can write, found %3")
        .arg(path)
        .arg(::geteuid())
        .arg(found);
}

QString controlSocketPath(const QString &folder, const QString &name)
{
    QString path = folder + u'/' + name + socketEnding;
    if (QFile::encodeName(path).size() <= SocketAddress::longestPath)
        return path;
    const QByteArray hash =
        QCryptographicHash::hash(QFile::encodeName(name), QCryptographicHash::Sha256);
    return folder + u'/' + QString::fromLatin1(hash.left(8).toHex()) + socketEnding;
}

QString acquireSocketLock(HostLock &lock, const QString &socketPath)
{
    // Some file systems do not support the lock of a folder.
    const UniqueFd shared = lockedFolder(QFileInfo(socketPath).absolutePath(), LOCK_SH);
    return lock.acquire(socketPath);
}

void removeSocketsOfKilledHosts(const QString &folder)
{
    const UniqueFd exclusive = lockedFolder(folder, LOCK_EX | LOCK_NB);
    if (!exclusive.isOpen())
        return;
    const QDir files(folder);
    const QStringList locks = files.entryList({QLatin1Char('*') + socketEnding + lockEnding},
                                              QDir::Files | QDir::Hidden | QDir::NoSymLinks);
    for (const QString &each : locks) {
        const QString socket = each.chopped(lockEnding.size());
        const QString path = files.absoluteFilePath(socket);
        const QByteArray name = QFile::encodeName(path);
        HostLock lock;
        if (!isNameOfHost(socket.chopped(socketEnding.size())) || !isSocketOfThisUserOrMissing(name)
            || !isFileOfThisUser(name + ".lock") || !lock.acquire(path).isEmpty())
            continue;
        ::unlink(name.constData());
        lock.remove();
    }
}

} // namespace Rekindle
