// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QFile>
#include <QString>

/// What each operating system does in its own way with files. The texts are empty, or the error.
namespace Rekindle::FileSystem {

/// Writes an open file to the disk. Blocks.
[[nodiscard]] QString sync(const QFile &file);

/// Makes a renaming in the folder of a file durable, if the file system can do it. Blocks.
void syncFolderOf(const QString &path);

/// Renames a file, and replaces an existing one at once. Unlike QSaveFile, it never follows a link
/// that appears at `newPath`.
[[nodiscard]] QString renameOver(const QString &path, const QString &newPath);

/// Renames a file, unless the new name exists. Returns 0, or the errno value.
[[nodiscard]] int renameToNew(const QString &path, const QString &newPath);

/// Creates one folder for this user only. An existing one is no error.
[[nodiscard]] QString createFolder(const QString &path);

} // namespace Rekindle::FileSystem
