// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "folderwatch_p.h"

#include <QHash>
#include <QList>
#include <QRegularExpression>
#include <QString>

namespace Rekindle {

/// Distinguishes two states of a file.
struct FileStamp
{
    qint64 modified = 0; ///< nanoseconds
    qint64 size = 0;
    quint64 inode = 0; ///< changes if the file is replaced

    bool operator==(const FileStamp &) const = default;
};

/// The files that match globs, and the folders to watch.
struct GlobMatches
{
    QHash<QString, FileStamp> files{}; ///< by absolute path
    FolderWatch::Entries folders{};
    bool isComplete = true; ///< false if there are too many folders
};

/// A pattern for files: `*`, `?` and `[...]` within a name, `**` for any number of folders.
class FileGlob
{
public:
    static constexpr qsizetype maximumFolders = 10000;

    /// A glob relative to the working directory. Sets `error` and matches nothing if it is invalid.
    FileGlob(const QString &glob, QString &error);

    /// One file, whatever characters its name has.
    static FileGlob ofFile(const QString &path);

    [[nodiscard]] QString text() const { return m_text; }

    void find(GlobMatches &matches) const;

private:
    struct Part
    {
        QRegularExpression pattern{}; ///< of a name
        bool isHidden = false;        ///< the name begins with a dot
        bool isAnyFolders = false;    ///< `**`
    };

    FileGlob() = default;
    void setParts(const QString &path, bool hasWildcards);
    void findIn(const QString &folder, qsizetype index, GlobMatches &matches) const;

    QString m_text;
    QString m_base; ///< the folder before the first wildcard
    QList<Part> m_parts;
};

} // namespace Rekindle
