// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "newfile_p.h"

#include "messages_p.h"

#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace Rekindle {

namespace {

// Returns an errno, or 0.
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

} // namespace

QString createFile(const QString &path, const QByteArray &bytes, NewFile kind)
{
    const QByteArray name = QFile::encodeName(path);
    const auto failure = [&path](int error) -> QString {
        return path + QLatin1String(": ") + QString::fromLocal8Bit(std::strerror(error));
    };
    const int descriptor = ::open(name.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                  kind == NewFile::Secret ? 0600 : 0666);
    if (descriptor < 0 && errno == EEXIST)
        return path + QLatin1String(": already exists; not overwritten");
    if (descriptor < 0)
        return failure(errno);
    int error = writeAll(descriptor, bytes);
    if (::close(descriptor) != 0 && error == 0)
        error = errno;
    if (error == 0)
        return {};
    ::unlink(name.constData());
    return failure(error);
}

bool isFolderThere(QLatin1String option, const QString &path, Messages &messages)
{
    const QFileInfo folder(QFileInfo(path).absolutePath());
    if (folder.isDir())
        return true;
    messages.say(
        QStringLiteral("%1: %2: folder %3 does not exist").arg(option, path, folder.filePath()));
    return false;
}

} // namespace Rekindle
