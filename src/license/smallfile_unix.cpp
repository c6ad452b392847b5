// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "smallfile_p.h"

#include <QFile>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace Rekindle {

namespace {

SmallFile refused(LicenseRefusal refusal, const QString &why) { return {{}, refusal, why, false}; }

SmallFile failed(int error)
{
    return refused(error == ENOENT ? LicenseRefusal::Missing : LicenseRefusal::Unreadable,
                   QString::fromLocal8Bit(std::strerror(error)));
}

SmallFile readFrom(int descriptor)
{
    struct stat info = {};
    if (::fstat(descriptor, &info) != 0)
        return failed(errno);
    if (S_ISDIR(info.st_mode))
        return refused(LicenseRefusal::Unreadable,
                       QStringLiteral("found a folder, allowed a file"));
    if (!S_ISREG(info.st_mode))
        return refused(LicenseRefusal::Unreadable,
                       QStringLiteral("found a pipe or a device, allowed a regular file"));

    // Not what fstat says: a file may grow, and those of /proc have no size at all.
    SmallFile file;
    file.othersMayRead = (info.st_mode & (S_IRGRP | S_IROTH)) != 0;
    file.bytes.resize(SignedLicense::maxFileSize + 1);
    qsizetype size = 0;
    while (size < file.bytes.size()) {
        const ssize_t count = ::read(descriptor, file.bytes.data() + size,
                                     static_cast<std::size_t>(file.bytes.size() - size));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return failed(errno);
        if (count == 0)
            break;
        size += count;
    }
    if (size > SignedLicense::maxFileSize)
        return refused(LicenseRefusal::TooLarge,
                       QStringLiteral("found more than %1 bytes, allowed at most those")
                           .arg(SignedLicense::maxFileSize));
    file.bytes.truncate(size);
    return file;
}

} // namespace

SmallFile readSmallFile(const QString &path)
{
    if (path.contains(QChar(u'\0')))
        return failed(ENOENT);
    // Without O_NONBLOCK this would wait for somebody to open the other end of a pipe.
    const int descriptor =
        ::open(QFile::encodeName(path).constData(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return failed(errno);
    SmallFile file = readFrom(descriptor);
    ::close(descriptor);
    return file;
}

} // namespace Rekindle
