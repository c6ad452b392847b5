// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

namespace Rekindle {

class Messages;

/// Who may read a file that is created.
enum class NewFile {
    Secret, ///< its owner alone
    Open,   ///< everybody, as far as the process' mask allows
};

/// Creates a file with these contents, safe on the disk. One that is there already stays as it is,
/// whatever it is. An empty text means success; else it says why not, and nothing is left behind.
[[nodiscard]] QString createFile(const QString &path, const QByteArray &bytes, NewFile kind);

/// Whether the folder of a file that an option names is there; if not, that is said. A mistyped
/// name must not make folders.
[[nodiscard]] bool isFolderThere(QLatin1String option, const QString &path, Messages &messages);

} // namespace Rekindle
