// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fileglob_p.h"

#include "base/safepath_p.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <fcntl.h>
#include <sys/stat.h>

namespace Rekindle {

namespace {

constexpr QLatin1String anyFolders("**");

void addFile(const UniqueFd &folder, const QString &path, GlobMatches &matches)
{
    constexpr qint64 second = 1'000'000'000;
    struct stat status = {};
    if (::fstatat(folder.get(), SafePath(path).name().constData(), &status, AT_SYMLINK_NOFOLLOW)
        != 0)
        return;
    if (S_ISLNK(status.st_mode)) {
        const UniqueFd target = SafePath(path).open(O_PATH);
        if (!target.isOpen() || ::fstat(target.get(), &status) != 0)
            return;
        // The target changes in its own folder.
        matches.folders.insert(QFileInfo(path).canonicalPath());
    }
    if (S_ISDIR(status.st_mode))
        return;
    const qint64 modified = status.st_mtim.tv_sec * second + status.st_mtim.tv_nsec;
    matches.files.insert(path, {quint64(modified), quint64(status.st_size), status.st_ino});
}

} // namespace

QString FileGlob::ofFile(const QString &path)
{
    static const QRegularExpression wildcards(QStringLiteral("([*?[])"));
    return QDir::current().absoluteFilePath(path).replace(wildcards, QStringLiteral("[\\1]"));
}

QString FileGlob::absolute(const QString &glob, const QDir &folder)
{
    return QDir::isAbsolutePath(glob) ? glob : ofFile(folder.absolutePath()) + u'/' + glob;
}

QString FileGlob::faultOf(const QString &glob, const QDir &folder)
{
    if (glob.isEmpty())
        return QStringLiteral(
            "expected a file or a glob such as src/**/*.py, found an empty value");
    if (glob.startsWith(u'~') || glob.startsWith(u'$'))
        return QStringLiteral("only a shell expands ~ and $; use the full path, or put ./ before "
                              "the name of a file");
    if (glob.endsWith(u'/') || QFileInfo(folder, glob).isDir())
        return QStringLiteral("expected files, found a folder; add /**/* for all its files");
    for (const QString &part : glob.split(u'/')) {
        const QRegularExpression pattern(QRegularExpression::wildcardToRegularExpression(part));
        if (!pattern.isValid())
            return QStringLiteral("invalid pattern: ") + pattern.errorString();
    }
    return {};
}

FileGlob::FileGlob(const QString &glob)
{
    m_parts = QDir::cleanPath(absolute(glob)).split(u'/', Qt::SkipEmptyParts);
    static const QRegularExpression wildcard(QStringLiteral("[*?[]"));
    while (m_parts.size() > 1 && !m_parts.front().contains(wildcard))
        m_base += u'/' + m_parts.takeFirst();
    if (m_base.isEmpty())
        m_base = u'/';
    if (m_parts.endsWith(anyFolders))
        m_parts.append(QStringLiteral("*"));
}

bool FileGlob::matchesAny() const
{
    GlobMatches matches{.endsAtFirst = true};
    find(matches);
    return !matches.files.isEmpty();
}

void FileGlob::find(GlobMatches &matches) const
{
    // A folder or a link on the path to the base can be created or replaced.
    for (QFileInfo entry(m_base); !entry.isRoot(); entry.setFile(entry.path()))
        matches.parents.insert(entry.path());
    if (!m_parts.isEmpty() && QFileInfo(m_base).isDir()) // no parts: the root folder
        findIn(m_base, 0, matches);
}

// The patterns from `index` on apply below `folder`; the last one applies to files.
void FileGlob::findIn(const QString &folder, qsizetype index, GlobMatches &matches) const
{
    if (matches.endsAtFirst && !matches.files.isEmpty())
        return;
    if (matches.folders.size() >= maximumFolders) {
        matches.isComplete = false;
        return;
    }
    matches.folders.insert(folder);
    const UniqueFd opened = SafePath(folder).open(O_PATH | O_DIRECTORY);
    if (!opened.isOpen())
        return;
    const QDir entries(QStringLiteral("/proc/self/fd/%1").arg(opened.get()));
    const QDir named(folder);
    const QString &part = m_parts.at(index);
    if (part == anyFolders) {
        findIn(folder, index + 1, matches);
        for (const QString &name :
             entries.entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks)) {
            if (name != QLatin1String("node_modules") && name != QLatin1String("__pycache__"))
                findIn(named.filePath(name), index, matches);
        }
        return;
    }
    const bool isLast = index + 1 == m_parts.size();
    QDir::Filters filters =
        (isLast ? QDir::Files : QDir::Dirs) | QDir::NoDotAndDotDot | QDir::CaseSensitive;
    filters.setFlag(QDir::Hidden, part.startsWith(u'.'));
    for (const QString &name : entries.entryList({part}, filters)) {
        if (isLast)
            addFile(opened, named.filePath(name), matches);
        else
            findIn(named.filePath(name), index + 1, matches);
    }
}

} // namespace Rekindle
