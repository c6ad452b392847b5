// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/writtenfile_p.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace Rekindle {

class Messages;

/// A file that a command uses.
struct UsedFile
{
    QString path;
    QString what;     ///< "the configuration", "the events file"
    QString option{}; ///< or agent that names a file that is written; empty if it is only read
    std::optional<WrittenFile> kind{};
    /// No user has named the path. A command continues without such a file if it cannot be used.
    bool isDefault = false;
    int keep = 0; ///< number of renamed files, PATH.1 and so on, if it is rotated
};

/// Files that are only read, except empty paths.
[[nodiscard]] QList<UsedFile> filesRead(const QStringList &paths, const QString &what);

/// Why a command must not use its files.
struct FileFault
{
    QString text;
    int exitCode = 0;
};

/// Checks that no written file is the same as another one, and that none would replace or change a
/// file of another kind, also by its rotation, unless its path is a default. Agents can share
/// output files. List these after all other files. Returns the first fault.
[[nodiscard]] std::optional<FileFault> faultOf(const QList<UsedFile> &files);

/// The same; a fault ends the command.
void checkFiles(const QList<UsedFile> &files, Messages &messages);

/// Ends the command if the folder of an option's file does not exist. Folders are not created,
/// because the name may be mistyped.
void requireFolder(QLatin1String option, const QString &path, Messages &messages);

/// Ends the command if there is an error, because the file of an option cannot be written.
void requireWritten(QLatin1String option, const QString &path, const QString &error,
                    Messages &messages);

/// Replaces the file of an option. An error ends the command.
void saveFile(QLatin1String option, const QString &path, WrittenFile kind, const QByteArray &bytes,
              Messages &messages);

} // namespace Rekindle
