// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "filemark_p.h"

#include <QFile>

#include <sys/stat.h>

#include <cerrno>

namespace Rekindle {

std::optional<FileMark> markOf(const QString &path)
{
    struct stat status = {};
    errno = 0;
    if (::stat(QFile::encodeName(path).constData(), &status) != 0)
        return {};
    return FileMark{status.st_dev, status.st_ino};
}

bool isStill(const FileMark &mark, const QString &path)
{
    const std::optional<FileMark> now = markOf(path);
    return now ? *now == mark : errno != ENOENT && errno != ENOTDIR;
}

} // namespace Rekindle
