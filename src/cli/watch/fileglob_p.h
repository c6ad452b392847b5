// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QSet>
#include <QString>
#include <QStringList>

#include <array>

namespace Rekindle {

/// Distinguishes two states of a file: time of modification in nanoseconds, size, and inode, which
/// changes if the file is replaced.
using FileStamp = std::array<quint64, 3>;

/// The files that match globs, and the folders to watch.
struct GlobMatches
{
    QHash<QString, FileStamp> files{}; ///< by absolute path
    QSet<QString> folders{};           ///< in which a file can match
    QSet<QString> parents{};           ///< in which a folder on the path can be replaced
    bool isComplete = true;            ///< false if there are too many folders
};

/// A pattern for files: `*`, `?` and `[...]` within a name, `**` for any number of folders.
class FileGlob
{
public:
    static constexpr qsizetype maximumFolders = 10000;

    /// A glob relative to the working directory. Sets `error` if it is invalid.
    FileGlob(const QString &glob, QString &error);

    void find(GlobMatches &matches) const;

private:
    void findIn(const QString &folder, qsizetype index, GlobMatches &matches) const;

    QString m_base;      ///< the folder before the first wildcard
    QStringList m_parts; ///< the patterns of the names below it
};

} // namespace Rekindle
