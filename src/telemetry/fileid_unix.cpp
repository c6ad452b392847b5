// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fileid_p.h"

#include <QFile>

#include <sys/stat.h>

#include <cerrno>

namespace Rekindle {

std::optional<FileId> fileIdOf(const QString &path)
{
    struct stat status = {};
    if (::stat(QFile::encodeName(path).constData(), &status) == 0)
        return FileId{status.st_dev, status.st_ino};
    if (errno == ENOENT || errno == ENOTDIR)
        return FileId{};
    return {};
}

} // namespace Rekindle
