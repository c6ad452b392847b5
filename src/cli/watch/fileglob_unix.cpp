// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fileglob_p.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <sys/stat.h>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr QLatin1String anyFolders("**");

void addFile(const QString &path, GlobMatches &matches)
{
    constexpr qint64 second = 1'000'000'000;
    struct stat status = {};
    if (::stat(QFile::encodeName(path).constData(), &status) != 0 || S_ISDIR(status.st_mode))
        return;
    matches.files.insert(
        path,
        {status.st_mtim.tv_sec * second + status.st_mtim.tv_nsec, status.st_size, status.st_ino});
    // The target of a link changes in its own folder.
    if (const QFileInfo info(path); info.isSymLink())
        matches.folders.insert(info.canonicalPath(), QString());
}

} // namespace

FileGlob::FileGlob(const QString &glob, QString &error)
    : m_text(glob)
{
    const QString path = QDir::cleanPath(QDir::current().absoluteFilePath(glob));
    if (glob.isEmpty())
        error =
            QStringLiteral("expected a file or a glob such as src/**/*.py, found an empty value");
    else if (glob.startsWith(u'~') || glob.startsWith(u'$'))
        error = QStringLiteral("%1: only a shell expands ~ and $; use the full path, or ./%1 for a "
                               "file of this name")
                    .arg(glob);
    else if (glob.endsWith(u'/') || QFileInfo(path).isDir())
        error = QStringLiteral("%1: expected files, found a folder; use %2")
                    .arg(glob, QDir(glob).filePath(QStringLiteral("**/*")));
    if (!error.isEmpty())
        return;
    setParts(path, true);
    for (const Part &part : std::as_const(m_parts)) {
        if (!part.pattern.isValid())
            error = QStringLiteral("%1: invalid pattern: %2").arg(glob, part.pattern.errorString());
    }
}

FileGlob FileGlob::ofFile(const QString &path)
{
    FileGlob glob;
    glob.setParts(QDir::cleanPath(QDir::current().absoluteFilePath(path)), false);
    return glob;
}

void FileGlob::setParts(const QString &path, bool hasWildcards)
{
    QStringList names = path.split(u'/', Qt::SkipEmptyParts);
    static const QRegularExpression wildcard(QStringLiteral("[*?[]"));
    while (names.size() > 1 && !(hasWildcards && names.front().contains(wildcard)))
        m_base += u'/' + names.takeFirst();
    if (m_base.isEmpty())
        m_base = u'/';
    if (hasWildcards && names.back() == anyFolders)
        names.append(QStringLiteral("*"));
    for (const QString &name : std::as_const(names)) {
        const bool isAnyFolders = hasWildcards && name == anyFolders;
        if (isAnyFolders && !m_parts.isEmpty() && m_parts.back().isAnyFolders)
            continue;
        const QString pattern = hasWildcards
            ? QRegularExpression::wildcardToRegularExpression(name)
            : QRegularExpression::anchoredPattern(QRegularExpression::escape(name));
        m_parts.append({QRegularExpression(pattern), name.startsWith(u'.'), isAnyFolders});
    }
}

void FileGlob::find(GlobMatches &matches) const
{
    if (m_parts.isEmpty())
        return; // the glob was rejected
    // A folder or a link on the path to the base can be created or replaced.
    for (QFileInfo entry(m_base); !entry.isRoot(); entry.setFile(entry.path()))
        matches.folders.insert(entry.path(), entry.fileName());
    if (QFileInfo(m_base).isDir())
        findIn(m_base, 0, matches);
}

// The patterns from `index` on apply below `folder`; the last one applies to files.
void FileGlob::findIn(const QString &folder, qsizetype index, GlobMatches &matches) const
{
    if (matches.folders.size() >= maximumFolders) {
        matches.isComplete = false;
        return;
    }
    if (!matches.folders.contains(folder, QString()))
        matches.folders.insert(folder, QString());
    const QDir entries(folder);
    const Part &part = m_parts.at(index);
    if (part.isAnyFolders) {
        findIn(folder, index + 1, matches);
        for (const QString &name :
             entries.entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks)) {
            if (name != QLatin1String("node_modules") && name != QLatin1String("__pycache__"))
                findIn(entries.filePath(name), index, matches);
        }
        return;
    }
    const bool isLast = index + 1 == m_parts.size();
    QDir::Filters filters = (isLast ? QDir::Files : QDir::Dirs) | QDir::NoDotAndDotDot;
    filters.setFlag(QDir::Hidden, part.isHidden);
    for (const QString &name : entries.entryList(filters)) {
        if (!part.pattern.match(name).hasMatch())
            continue;
        if (isLast)
            addFile(entries.filePath(name), matches);
        else
            findIn(entries.filePath(name), index + 1, matches);
    }
}

} // namespace Rekindle
