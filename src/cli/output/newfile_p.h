// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

namespace Rekindle {

class Messages;

/// Who can read a new file.
enum class NewFile {
    Secret, ///< only its owner
    Open,   ///< everyone, as far as the umask permits
};

/// Creates a file with these contents and syncs it. An existing file, of any kind, stays unchanged.
/// Returns an empty text, or the error; then no file is left behind.
[[nodiscard]] QString createFile(const QString &path, const QByteArray &bytes, NewFile kind);

/// Whether the folder of an option's file exists; reports an error otherwise. Folders are not
/// created, because the name may be mistyped.
[[nodiscard]] bool isFolderThere(QLatin1String option, const QString &path, Messages &messages);

} // namespace Rekindle
