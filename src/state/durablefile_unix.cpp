// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "durablefile_p.h"

#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace Rekindle {

namespace {

// Each gives the errno of what failed, or 0.

int writeAll(int descriptor, const QByteArray &bytes)
{
    qsizetype done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::write(descriptor, bytes.constData() + done,
                                      static_cast<std::size_t>(bytes.size() - done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return errno;
        done += count;
    }
    return ::fsync(descriptor) == 0 ? 0 : errno;
}

int writeNew(const QByteArray &name, const QByteArray &bytes)
{
    ::unlink(name.constData()); // of a host that was killed while it wrote
    const int descriptor =
        ::open(name.constData(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return errno;
    int error = writeAll(descriptor, bytes);
    if (::close(descriptor) != 0 && error == 0)
        error = errno;
    return error;
}

// That a file has got another name is on the disk once its folder is. A file system that cannot do
// that has no better way either.
void syncFolderOf(const QString &path)
{
    const QByteArray folder = QFile::encodeName(QFileInfo(path).absolutePath());
    const int descriptor = ::open(folder.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
}

} // namespace

QString replaceFile(const QString &path, const QByteArray &bytes)
{
    const QByteArray name = QFile::encodeName(path);
    const QByteArray temporary = name + ".tmp";
    int error = writeNew(temporary, bytes);
    if (error == 0 && std::rename(temporary.constData(), name.constData()) != 0)
        error = errno;
    if (error != 0) {
        ::unlink(temporary.constData());
        return QString::fromLocal8Bit(std::strerror(error));
    }
    syncFolderOf(path);
    return {};
}

QString moveAside(const QString &path)
{
    constexpr int most = 10'000;
    const QByteArray name = QFile::encodeName(path);
    for (int number = 1; number <= most; ++number) {
        const QString aside = QStringLiteral("%1.bad-%2").arg(path).arg(number);
        const QByteArray target = QFile::encodeName(aside);
        // link() never takes the place of a file that is there, as rename() would.
        if (::link(name.constData(), target.constData()) == 0) {
            ::unlink(name.constData());
            syncFolderOf(path);
            return aside;
        }
        if (errno == EEXIST)
            continue;
        // A file system without links; nobody else is here who could take the name.
        const bool renamed =
            !QFileInfo::exists(aside) && std::rename(name.constData(), target.constData()) == 0;
        return renamed ? aside : QString();
    }
    return {};
}

} // namespace Rekindle
