// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "controlfolder_p.h"

#include <QDir>
#include <QFile>
#include <QProcessEnvironment>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace Rekindle {

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
    struct stat status
    {
    };
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

} // namespace Rekindle
