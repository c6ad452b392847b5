// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fileglob_p.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <sys/stat.h>

namespace Rekindle {

namespace {

constexpr QLatin1String anyFolders("**");

void addFile(const QString &path, GlobMatches &matches)
{
    constexpr qint64 second = 1'000'000'000;
    struct stat status = {};
    if (::stat(QFile::encodeName(path).constData(), &status) != 0 || S_ISDIR(status.st_mode))
        return;
    const qint64 modified = status.st_mtim.tv_sec * second + status.st_mtim.tv_nsec;
    matches.files.insert(path, {quint64(modified), quint64(status.st_size), status.st_ino});
    // The target of a link changes in its own folder.
    if (const QFileInfo info(path); info.isSymLink())
        matches.folders.insert(info.canonicalPath());
}

} // namespace

FileGlob::FileGlob(const QString &glob, QString &error)
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
    m_parts = path.split(u'/', Qt::SkipEmptyParts);
    static const QRegularExpression wildcard(QStringLiteral("[*?[]"));
    while (m_parts.size() > 1 && !m_parts.front().contains(wildcard))
        m_base += u'/' + m_parts.takeFirst();
    if (m_base.isEmpty())
        m_base = u'/';
    if (m_parts.endsWith(anyFolders))
        m_parts.append(QStringLiteral("*"));
    for (const QString &part : std::as_const(m_parts)) {
        const QRegularExpression pattern(QRegularExpression::wildcardToRegularExpression(part));
        if (!pattern.isValid() && error.isEmpty())
            error = QStringLiteral("%1: invalid pattern: %2").arg(glob, pattern.errorString());
    }
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
    if (matches.folders.size() >= maximumFolders) {
        matches.isComplete = false;
        return;
    }
    matches.folders.insert(folder);
    const QDir entries(folder);
    const QString &part = m_parts.at(index);
    if (part == anyFolders) {
        findIn(folder, index + 1, matches);
        for (const QString &name :
             entries.entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks)) {
            if (name != QLatin1String("node_modules") && name != QLatin1String("__pycache__"))
                findIn(entries.filePath(name), index, matches);
        }
        return;
    }
    const bool isLast = index + 1 == m_parts.size();
    QDir::Filters filters =
        (isLast ? QDir::Files : QDir::Dirs) | QDir::NoDotAndDotDot | QDir::CaseSensitive;
    filters.setFlag(QDir::Hidden, part.startsWith(u'.'));
    for (const QString &name : entries.entryList({part}, filters)) {
        if (isLast)
            addFile(entries.filePath(name), matches);
        else
            findIn(entries.filePath(name), index + 1, matches);
    }
}

} // namespace Rekindle
