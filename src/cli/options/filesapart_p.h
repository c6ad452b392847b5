// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace Rekindle {

class Messages;

/// A file that a command uses.
struct UsedFile
{
    QString path;
    QString what;     ///< "the configuration", "the file of --events"
    QString option{}; ///< that names it, if it is written to; one that is only read has none
    bool isByDefault = false; ///< nobody has named it
};

/// Files that are read, each of which is `what`.
[[nodiscard]] QList<UsedFile> filesRead(const QStringList &paths, const QString &what);

/// Whether none that is written to is one of the others, whatever their names; if not, that is
/// said, of the first.
[[nodiscard]] bool areFilesApart(const QList<UsedFile> &files, Messages &messages);

} // namespace Rekindle
