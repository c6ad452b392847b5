// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QDir>
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
    bool endsAtFirst = false;          ///< no further folder is read after the first match
};

/// A pattern for files: `*`, `?` and `[...]` within a name, `**` for any number of folders.
class FileGlob
{
public:
    static constexpr qsizetype maximumFolders = 10000;

    /// Returns why a glob is invalid, without the glob, or an empty text.
    [[nodiscard]] static QString faultOf(const QString &glob, const QDir &folder = QDir::current());

    /// Returns the absolute form of a glob that is relative to a folder. The characters of the
    /// folder's name are no wildcards.
    [[nodiscard]] static QString absolute(const QString &glob,
                                          const QDir &folder = QDir::current());

    /// Returns the glob of one file.
    [[nodiscard]] static QString ofFile(const QString &path);

    explicit FileGlob(const QString &glob);

    void find(GlobMatches &matches) const;
    [[nodiscard]] bool matchesAny() const;

private:
    void findIn(const QString &folder, qsizetype index, GlobMatches &matches) const;

    QString m_base;      ///< the folder before the first wildcard
    QStringList m_parts; ///< the patterns of the names below it
};

} // namespace Rekindle
