// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "boundedfile_p.h"

#include "safepath_p.h"

#include <QFile>
#include <QFileInfo>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace Rekindle {

namespace {

using Status = BoundedFile::Status;

BoundedFile failed(Status status, const QString &error) { return {status, {}, error}; }

BoundedFile failed(int error)
{
    return failed(error == ENOENT ? Status::Missing : Status::Unreadable, qt_error_string(error));
}

enum class Accepted { RegularFile, Stream };

// Returns one byte more than `maxBytes` if the file is larger.
BoundedFile readUpTo(const QString &path, qint64 maxBytes, Accepted accepted)
{
    const int blocking = accepted == Accepted::Stream ? 0 : O_NONBLOCK;
    const UniqueFd opened = SafePath(path).open(O_RDONLY | blocking | O_NOCTTY);
    if (!opened.isOpen()) {
        const int error = errno;
        return failed(error == ENOENT ? Status::Missing : Status::Unreadable,
                      openErrorText(path, error));
    }
    const int descriptor = opened.get();
    QFile device;
    if (!device.open(descriptor, QIODevice::ReadOnly | QIODevice::Unbuffered))
        return failed(Status::Unreadable, device.errorString());
    struct stat info = {};
    if (::fstat(descriptor, &info) != 0)
        return failed(errno);
    if (S_ISDIR(info.st_mode))
        return failed(Status::Unreadable, QStringLiteral("expected a file, found a folder"));
    if (!S_ISREG(info.st_mode) && accepted == Accepted::RegularFile)
        return failed(Status::Unreadable,
                      QStringLiteral("expected a regular file, found a pipe or a device, which can "
                                     "be read only once; save its contents to a file"));

    BoundedFile file;
    file.isReadByOthers = (info.st_mode & (S_IRGRP | S_IROTH)) != 0;
    // The size is only a hint: a file may grow, and files of /proc report no size.
    const qint64 step = std::min(std::max<qint64>(info.st_size, 64LL * 1024), maxBytes) + 1;
    for (QByteArray part = device.read(step); !part.isEmpty() && file.bytes.size() <= maxBytes;
         part = device.read(step))
        file.bytes += part;
    if (device.error() != QFileDevice::NoError)
        return failed(Status::Unreadable, device.errorString());
    return file;
}

BoundedFile checked(BoundedFile file, qint64 maxBytes)
{
    if (file.bytes.size() > maxBytes)
        return failed(Status::TooLarge,
                      QStringLiteral("expected at most %1 bytes, found more").arg(maxBytes));
    return file;
}

} // namespace

QString openErrorText(const QString &path, int error)
{
    QString text = SafePath::errorText(error);
    if (error != EACCES)
        return text;
    const QFileInfo file(path);
    const QString folder = file.absolutePath();
    if (file.exists())
        text += QLatin1String(" (owner: ") + file.owner() + u')';
    else if (const QString owner = QFileInfo(folder).owner(); !owner.isEmpty())
        text += QStringLiteral(" (owner of %1: %2)").arg(folder, owner);
    return text;
}

BoundedFile BoundedFile::read(const QString &path, qint64 maxBytes)
{
    return checked(readUpTo(path, maxBytes, Accepted::RegularFile), maxBytes);
}

BoundedFile BoundedFile::readStream(const QString &path, qint64 maxBytes)
{
    return checked(readUpTo(path, maxBytes, Accepted::Stream), maxBytes);
}

BoundedFile BoundedFile::readHead(const QString &path, qint64 bytes)
{
    BoundedFile file = readUpTo(path, bytes, Accepted::RegularFile);
    file.bytes.truncate(bytes);
    return file;
}

} // namespace Rekindle
