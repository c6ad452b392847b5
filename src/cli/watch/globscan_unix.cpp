// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "globscan_p.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <sys/stat.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

QString joined(const QString &folder, const QString &name)
{
    if (folder.endsWith(u'/'))
        return folder + name;
    return folder + u'/' + name;
}

FileStamp stampOf(const struct stat &status)
{
    constexpr qint64 second = 1'000'000'000;
    return {status.st_mtim.tv_sec * second + status.st_mtim.tv_nsec, status.st_size, status.st_ino};
}

// What only a shell makes something of, and what to write instead; empty if there is nothing.
QString shellFault(const QString &glob)
{
    if (glob == QLatin1String("~") || glob.startsWith(QLatin1String("~/"))) {
        return QStringLiteral("%1: found ~, which only a shell expands; allowed %2, or ./%1 for "
                              "what is named so")
            .arg(glob, QDir::homePath() + glob.mid(1));
    }
    if (glob.startsWith(u'$')) {
        return QStringLiteral("%1: found $, which only a shell expands; allowed what it stands "
                              "for, or ./%1 for what is named so")
            .arg(glob);
    }
    return {};
}

// A [ is to be followed by its ], and not at once: there that is one of its characters.
bool isEachClassClosed(const QString &name)
{
    for (qsizetype i = name.indexOf(u'['); i >= 0; i = name.indexOf(u'[', i + 1)) {
        const qsizetype first = i + (name.mid(i + 1).startsWith(u'!') ? 2 : 1);
        i = name.indexOf(u']', first + 1);
        if (i < 0)
            return false;
    }
    return true;
}

// A folder before .. may be a link: what is above it is where it points to, not what is written.
QString absolutePath(const QString &path)
{
    const QString whole = QDir::current().absoluteFilePath(path);
    const qsizetype end = whole.lastIndexOf(QLatin1String("/../")) + 3;
    const QString above =
        end < 3 ? QString() : QFileInfo(whole.left(end)).canonicalFilePath(); // empty: not there
    return QDir::cleanPath(above.isEmpty() ? whole : above + whole.mid(end));
}

bool isEntered(const QString &folder)
{
    return !folder.startsWith(u'.') && folder != QLatin1String("node_modules")
        && folder != QLatin1String("__pycache__");
}

} // namespace

/// One glob on its way through the folders.
class GlobScan::Walk
{
public:
    Walk(const Glob &glob, qsizetype most, GlobFindings &findings)
        : m_parts(glob.parts)
        , m_most(most)
        , m_findings(findings)
    {
    }

    /// `folder` is there; the parts from `index` on are looked for in it. The last one is a file's.
    void enter(const QString &folder, qsizetype index);

    [[nodiscard]] bool hasFound() const { return m_hasFound; }

private:
    void take(const QString &path);
    void step(const QString &path, qsizetype index);

    const QList<Part> &m_parts;
    const qsizetype m_most;
    qsizetype m_listed = 0;
    GlobFindings &m_findings;
    QSet<std::pair<QString, qsizetype>> m_seen;
    bool m_hasFound = false;
};

// A file that is a link changes in the folder that it points to, or where another link on the way
// there is changed: beside it, most of the time.
void GlobScan::Walk::take(const QString &path)
{
    struct stat status
    {
    };
    if (::stat(QFile::encodeName(path).constData(), &status) != 0 || S_ISDIR(status.st_mode))
        return;
    m_hasFound = true;
    m_findings.files.insert(path, stampOf(status));
    if (const QFileInfo info(path); info.isSymLink()) {
        for (const QString &folder : {info.path(), info.canonicalPath()}) {
            FolderInterest &interest = m_findings.folders[folder];
            interest.takesAll = true;
            interest.isOnTheWay = false;
        }
    }
}

void GlobScan::Walk::step(const QString &path, qsizetype index)
{
    if (index + 1 == m_parts.size())
        take(path);
    else if (QFileInfo(path).isDir())
        enter(path, index + 1);
}

void GlobScan::Walk::enter(const QString &folder, qsizetype index)
{
    if (m_seen.contains({folder, index}))
        return;
    m_seen.insert({folder, index});
    const Part &part = m_parts.at(index);
    if (part.kind == Part::Kind::Name && index + 1 < m_parts.size()
        && QFileInfo(joined(folder, part.name)).isDir()) {
        m_findings.folders[folder].parts.insert(part.number);
        enter(joined(folder, part.name), index + 1);
        return;
    }
    if (m_listed >= m_most) {
        m_findings.hasTooManyFolders = true;
        return;
    }
    ++m_listed;
    FolderInterest &interest = m_findings.folders[folder];
    interest.parts.insert(part.number);
    interest.isOnTheWay = false;
    const QDir::Filters all = QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot;
    switch (part.kind) {
    case Part::Kind::Name:
        step(joined(folder, part.name), index);
        return;
    case Part::Kind::Pattern:
        for (const QString &name : QDir(folder).entryList(all)) {
            if ((part.wantsDot || !name.startsWith(u'.')) && part.pattern.match(name).hasMatch())
                step(joined(folder, name), index);
        }
        return;
    case Part::Kind::AnyFolders:
        enter(folder, index + 1);
        for (const QString &name : QDir(folder).entryList(
                 QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot | QDir::NoSymLinks)) {
            if (isEntered(name))
                enter(joined(folder, name), index);
        }
        return;
    }
}

QString GlobScan::add(const QString &glob)
{
    if (glob.isEmpty())
        return QStringLiteral("found nothing, allowed a file or a glob such as src/**/*.py");
    if (const QString fault = shellFault(glob); !fault.isEmpty())
        return fault;
    Glob added{glob, {}};
    const QString path = absolutePath(glob);
    for (const QString &name : path.split(u'/', Qt::SkipEmptyParts)) {
        Part part{Part::Kind::Name, name, {}, name.startsWith(u'.')};
        const bool hasWildcard = std::any_of(
            name.begin(), name.end(), [](QChar c) { return c == u'*' || c == u'?' || c == u'['; });
        if (name == QLatin1String("**")) {
            part.kind = Part::Kind::AnyFolders;
        } else if (hasWildcard) {
            if (!isEachClassClosed(name)) {
                return QStringLiteral("%1: found a [ without its ] in %2; allowed [ab], or [[] for "
                                      "the character itself")
                    .arg(glob, name);
            }
            part.kind = Part::Kind::Pattern;
            part.pattern =
                QRegularExpression(QRegularExpression::wildcardToRegularExpression(name));
            if (!part.pattern.isValid())
                return QStringLiteral("%1: found %2, which is no pattern: %3")
                    .arg(glob, name, part.pattern.errorString());
        }
        added.parts.append(part);
    }
    if (added.parts.isEmpty() || glob.endsWith(u'/') || QFileInfo(path).isDir()) {
        const QString files = joined(glob, QStringLiteral("**/*"));
        return QStringLiteral("%1: found a folder, allowed files, as in %2").arg(glob, files);
    }
    if (added.parts.constLast().kind == Part::Kind::AnyFolders) { // all files below
        added.parts.append({Part::Kind::Pattern, QStringLiteral("*"),
                            QRegularExpression(QStringLiteral("\\A.*\\z")), false});
    }
    keep(std::move(added));
    return {};
}

void GlobScan::addFile(const QString &path)
{
    Glob added;
    for (const QString &name : absolutePath(path).split(u'/', Qt::SkipEmptyParts))
        added.parts.append({Part::Kind::Name, name, {}, name.startsWith(u'.')});
    if (!added.parts.isEmpty())
        keep(std::move(added));
}

void GlobScan::keep(Glob glob)
{
    for (Part &part : glob.parts) {
        part.number = static_cast<int>(m_parts.size());
        m_parts.append(part);
    }
    m_globs.append(std::move(glob));
}

bool GlobScan::isLookedFor(int part, const QString &name, bool isFolder) const
{
    const Part &wanted = m_parts.at(part);
    switch (wanted.kind) {
    case Part::Kind::Name:
        return name == wanted.name;
    case Part::Kind::Pattern:
        return (wanted.wantsDot || !name.startsWith(u'.')) && wanted.pattern.match(name).hasMatch();
    case Part::Kind::AnyFolders:
        return isFolder && isEntered(name);
    }
    return true;
}

GlobFindings GlobScan::find() const
{
    GlobFindings findings;
    for (const Glob &glob : m_globs) {
        Walk walk(glob, m_most, findings);
        walk.enter(QStringLiteral("/"), 0);
        if (!walk.hasFound() && !glob.text.isEmpty())
            findings.withoutMatch.append(glob.text);
    }
    return findings;
}

} // namespace Rekindle
