// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <optional>

namespace Rekindle {

/// Identifies a file independent of its name. {0, 0} is no file.
struct FileId
{
    quint64 device = 0;
    quint64 inode = 0;

    bool operator==(const FileId &) const = default;
};

/// Returns the file that `path` refers to; nullopt if the system cannot tell.
[[nodiscard]] std::optional<FileId> fileIdOf(const QString &path);

} // namespace Rekindle
