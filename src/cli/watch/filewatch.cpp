// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "filewatch_p.h"

#include "cli/output/texthelpers_p.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr Duration quietTime = 200ms;
constexpr Duration maximumDelay = 5s;
constexpr int maximumScans = 10; // if folders are created during each scan

} // namespace

FileWatch::FileWatch(Scheduler &scheduler, QObject *parent)
    : QObject(parent)
    , m_scheduler(scheduler)
    , m_rescan(scheduler, [this] { rescan(); })
{
    connect(&m_folders, &FolderWatch::changed, this, &FileWatch::schedule);
}

QString FileWatch::add(const QString &glob)
{
    QString error;
    const FileGlob added(glob, error);
    if (error.isEmpty())
        m_globs.append(added);
    return error;
}

void FileWatch::addFile(const QString &path) { m_globs.append(FileGlob::ofFile(path)); }

void FileWatch::begin()
{
    m_files = scan().files;
    for (const FileGlob &glob : std::as_const(m_globs)) {
        GlobMatches matches;
        glob.find(matches);
        if (matches.files.isEmpty() && !glob.text().isEmpty())
            report(QStringLiteral("%1 matches no file yet").arg(glob.text()));
    }
}

void FileWatch::schedule()
{
    const Instant now = m_scheduler.now();
    if (!m_rescan.isArmed())
        m_latestRescan = now + maximumDelay;
    m_rescan.arm(std::min(now + quietTime, m_latestRescan));
}

GlobMatches FileWatch::scan()
{
    GlobMatches found;
    // Folders are watched before they are read, so that no change in between is lost.
    for (int i = 0; i < maximumScans; ++i) {
        if (const QString fault = m_folders.watch(m_watched); !fault.isEmpty())
            report(fault + QLatin1String("; changes there are not detected"));
        found = {};
        for (const FileGlob &glob : std::as_const(m_globs))
            glob.find(found);
        if (std::exchange(m_watched, found.folders) == found.folders)
            break;
    }
    found.files.removeIf([this](const auto &file) { return isIgnored(file.key()); });
    if (!found.isComplete)
        report(QStringLiteral("more than %1 folders; changes in the others are not detected")
                   .arg(FileGlob::maximumFolders));
    return found;
}

void FileWatch::rescan()
{
    const GlobMatches found = scan();
    QStringList files;
    for (auto file = found.files.cbegin(); file != found.files.cend(); ++file) {
        const auto before = m_files.constFind(file.key());
        if (before == m_files.cend() || *before != *file)
            files.append(file.key());
        m_files.remove(file.key());
    }
    files += m_files.keys(); // those that were removed
    m_files = found.files;
    files.sort();
    if (!files.isEmpty())
        Q_EMIT changed(files);
}

bool FileWatch::isIgnored(const QString &path) const
{
    static const QRegularExpression companion(
        QStringLiteral("\\A(\\.[A-Za-z]{6}|(\\.corrupt-.*)?(-wal|-shm|-journal)?)\\z"));
    const QFileInfo file(path);
    return std::any_of(m_ignored.cbegin(), m_ignored.cend(), [&](const QString &each) {
        const QFileInfo ignored(each);
        const QString name = ignored.fileName();
        return file.fileName().startsWith(name)
            && companion.match(file.fileName().mid(name.size())).hasMatch()
            && file.canonicalPath() == QFileInfo(ignored.absolutePath()).canonicalFilePath();
    });
}

void FileWatch::report(const QString &fault)
{
    if (m_reported.contains(fault))
        return;
    m_reported.insert(fault);
    Q_EMIT faulted(fault);
}

QString changeText(const QStringList &files)
{
    const QString here = QDir::currentPath() + u'/';
    QString name = files.value(0);
    if (name.startsWith(here))
        name.remove(0, here.size());
    const auto others = static_cast<int>(files.size()) - 1;
    return others == 0
        ? QStringLiteral("%1 changed").arg(name)
        : QStringLiteral("%1 and %2 changed").arg(name, counted(others, "other", "others"));
}

} // namespace Rekindle
