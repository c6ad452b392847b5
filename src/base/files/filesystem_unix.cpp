// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "filesystem_p.h"

#include "base/boundedfile_p.h"

#include <QFileInfo>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace Rekindle::FileSystem {

QString sync(const QFile &file)
{
    return ::fsync(file.handle()) == 0 ? QString() : qt_error_string(errno);
}

void syncFolderOf(const QString &path)
{
    const QByteArray folder = QFile::encodeName(QFileInfo(path).absolutePath());
    const int descriptor = ::open(folder.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
}

QString renameOver(const QString &path, const QString &newPath)
{
    const bool isDone =
        std::rename(QFile::encodeName(path).constData(), QFile::encodeName(newPath).constData())
        == 0;
    return isDone ? QString() : qt_error_string(errno);
}

int renameToNew(const QString &path, const QString &newPath)
{
    const QByteArray name = QFile::encodeName(path);
    const QByteArray newName = QFile::encodeName(newPath);
    if (::renameat2(AT_FDCWD, name.constData(), AT_FDCWD, newName.constData(), RENAME_NOREPLACE)
        == 0)
        return 0;
    // A file system without this flag. link() fails if the name exists, as well.
    if (errno == EINVAL && ::link(name.constData(), newName.constData()) == 0)
        return ::unlink(name.constData()) == 0 ? 0 : errno;
    return errno;
}

QString createFolder(const QString &path)
{
    if (::mkdir(QFile::encodeName(path).constData(), S_IRWXU) == 0 || errno == EEXIST)
        return {};
    return openErrorText(path, errno);
}

} // namespace Rekindle::FileSystem
