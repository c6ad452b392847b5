// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "filemark_p.h"

#include <QFile>

#include <sys/stat.h>

#include <cerrno>

namespace Rekindle {

namespace {

FileMark markIn(const struct stat &status) { return {status.st_dev, status.st_ino}; }

} // namespace

std::optional<FileMark> markOf(const QString &path)
{
    struct stat status = {};
    if (::stat(QFile::encodeName(path).constData(), &status) != 0)
        return {};
    return markIn(status);
}

bool isStill(const FileMark &mark, const QString &path)
{
    struct stat status = {};
    if (::stat(QFile::encodeName(path).constData(), &status) == 0)
        return markIn(status) == mark;
    return errno != ENOENT && errno != ENOTDIR;
}

} // namespace Rekindle
