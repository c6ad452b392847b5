// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QList>
#include <QRegularExpression>
#include <QSet>
#include <QString>
#include <QStringList>

namespace Rekindle {

/// What tells one state of a file from another.
struct FileStamp
{
    qint64 changedAt = 0; ///< of its contents, nanoseconds
    qint64 size = 0;
    quint64 inode = 0; ///< another one where an editor replaces the file

    bool operator==(const FileStamp &) const = default;
};

/// Why a folder is to be watched.
struct FolderInterest
{
    QSet<int> parts{};      ///< of globs, that are looked for there: GlobScan::isLookedFor()
    bool takesAll = false;  ///< any change there may matter: a link leads through it
    bool isOnTheWay = true; ///< it matters only if what is there is replaced as a whole
};

/// What there is of some globs at one moment; absolute paths throughout.
struct GlobFindings
{
    QHash<QString, FileStamp> files{};
    /// In which something may appear or change that belongs to it.
    QHash<QString, FolderInterest> folders{};
    QStringList withoutMatch{};     ///< globs as they were given
    bool hasTooManyFolders = false; ///< not all of them were looked at
};

/// Finds files by globs: `*`, `?` and `[...]` within a name, `**` for any folders, none included.
/// What begins with a dot is found only where the glob has the dot; `**` enters neither such
/// folders nor node_modules nor __pycache__, and follows no links.
class GlobScan
{
public:
    static constexpr qsizetype mostFolders = 10000;

    /// `most` is for each glob; of those beyond it nothing is found.
    explicit GlobScan(qsizetype most = mostFolders)
        : m_most(most)
    {
    }

    /// Relative globs count from the working directory. Empty if it can be used, or what is wrong.
    [[nodiscard]] QString add(const QString &glob);

    /// One file of this very name, whatever characters it has, there or not yet.
    void addFile(const QString &path);

    [[nodiscard]] bool isEmpty() const { return m_globs.isEmpty(); }

    [[nodiscard]] GlobFindings find() const;

    /// Whether something of that name, in a folder with this part, changes what is found.
    [[nodiscard]] bool isLookedFor(int part, const QString &name, bool isFolder) const;

private:
    struct Part
    {
        enum class Kind { Name, Pattern, AnyFolders };
        Kind kind = Kind::Name;
        QString name{};
        QRegularExpression pattern{};
        bool wantsDot = false;
        int number = 0;
    };

    struct Glob
    {
        QString text{};      ///< empty for one file
        QList<Part> parts{}; ///< from the root on
    };

    class Walk;

    void keep(Glob glob);

    QList<Glob> m_globs;
    QList<Part> m_parts; ///< of all of them, by number
    qsizetype m_most;
};

} // namespace Rekindle
