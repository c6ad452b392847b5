// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "filewatch_p.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

// Editors write a file in several steps, and tools many files one after the other.
constexpr Duration quietTime = 200ms;
constexpr Duration longestWait = 5s;

// Folders may come while they are being listed; not for ever.
constexpr int mostLooks = 10;

} // namespace

FileWatch::FileWatch(Scheduler &scheduler, QObject *parent)
    : QObject(parent)
    , m_folders([this](const QString &folder, const QString &name, bool isFolder) {
        return matters(folder, name, isFolder);
    })
    , m_debounce(scheduler, quietTime, longestWait, [this] { look(); })
{
    connect(&m_folders, &FolderWatch::stirred, this, [this] { m_debounce.trigger(); });
}

void FileWatch::begin()
{
    const GlobFindings findings = takeStock();
    m_files = findings.files;
    for (const QString &glob : findings.withoutMatch)
        tellFault(QStringLiteral("%1 matches no file yet").arg(glob));
}

// A folder is watched before it is relied on that nothing changes in it.
GlobFindings FileWatch::takeStock()
{
    GlobFindings findings = m_scan.find();
    for (int i = 0; i < mostLooks && m_folders.watch(findings.folders); ++i)
        findings = m_scan.find();
    m_interests = findings.folders;
    findings.files.removeIf([this](const auto &file) { return m_own.contains(file.key()); });
    if (!m_folders.fault().isEmpty())
        tellFault(m_folders.fault() + QLatin1String("; changes there are not seen"));
    if (findings.hasTooManyFolders)
        tellFault(QStringLiteral("more than %1 folders match; changes in the others are not seen")
                      .arg(GlobScan::mostFolders));
    return findings;
}

bool FileWatch::matters(const QString &folder, const QString &name, bool isFolder) const
{
    if (!isFolder && m_own.contains(folder, name))
        return false;
    const FolderInterest interest = m_interests.value(folder);
    return interest.takesAll
        || std::any_of(interest.parts.cbegin(), interest.parts.cend(),
                       [&](int part) { return m_scan.isLookedFor(part, name, isFolder); });
}

void FileWatch::look()
{
    GlobFindings findings = takeStock();
    QStringList files;
    for (auto file = findings.files.cbegin(); file != findings.files.cend(); ++file) {
        const auto before = m_files.constFind(file.key());
        if (before == m_files.cend() || *before != *file)
            files.append(file.key());
    }
    for (auto file = m_files.cbegin(); file != m_files.cend(); ++file) {
        if (findings.files.contains(file.key()))
            continue;
        if (findings.hasTooManyFolders && QFileInfo::exists(file.key()))
            findings.files.insert(file.key(), *file); // it was not looked for this time
        else
            files.append(file.key());
    }
    m_files = findings.files;
    if (files.isEmpty())
        return;
    files.sort();
    Q_EMIT changed(files);
}

void FileWatch::tellFault(const QString &text)
{
    if (m_told.contains(text))
        return;
    m_told.insert(text);
    Q_EMIT faulted(text);
}

QString changeText(const QStringList &files)
{
    const QString here = QDir::currentPath() + u'/';
    QString name = files.value(0);
    if (name.startsWith(here))
        name.remove(0, here.size());
    const qsizetype others = files.size() - 1;
    if (others == 0)
        return QStringLiteral("%1 changed").arg(name);
    if (others == 1)
        return QStringLiteral("%1 and 1 other changed").arg(name);
    return QStringLiteral("%1 and %2 others changed").arg(name).arg(others);
}

} // namespace Rekindle
