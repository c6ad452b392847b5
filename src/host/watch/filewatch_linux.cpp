// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/safepath_p.h"
#include "host/internal/filewatch.h"
#include "policy/internal/texthelpers.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSocketNotifier>

#include <fcntl.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
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
}

FileWatch::~FileWatch() { close(); }

void FileWatch::close()
{
    if (m_descriptor < 0)
        return;
    delete std::exchange(m_notifier, nullptr);
    ::close(m_descriptor);
}

void FileWatch::watch()
{
    // A new instance, because a watch follows a folder that is renamed.
    close();
    m_descriptor = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (m_descriptor < 0) {
        report(QStringLiteral("inotify: %1 (limit: fs.inotify.max_user_instances); changes of "
                              "files are not detected")
                   .arg(qt_error_string(errno)));
        return;
    }
    m_notifier = new QSocketNotifier(m_descriptor, QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &FileWatch::onEvents);
    const auto add = [this](const QString &folder, quint32 events) {
        const UniqueFd opened = SafePath(folder).open(O_PATH | O_DIRECTORY);
        const QByteArray name = "/proc/self/fd/" + QByteArray::number(opened.get());
        return (opened.isOpen()
                && ::inotify_add_watch(m_descriptor, name.constData(),
                                       events | IN_ONLYDIR | IN_MASK_ADD)
                    >= 0)
            || errno == ENOENT || errno == ENOTDIR;
    };
    constexpr quint32 ofEntries =
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF;
    for (const QString &folder : std::as_const(m_found.parents))
        (void)add(folder, ofEntries);
    QString fault;
    for (const QString &folder : std::as_const(m_found.folders)) {
        if (add(folder, ofEntries | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB) || !fault.isEmpty())
            continue;
        fault = errno == ENOSPC
            ? QStringLiteral("too many folders for inotify (limit: fs.inotify.max_user_watches)")
            : SafePath::errorText(errno);
        report(QStringLiteral("%1: %2; changes there are not detected").arg(folder, fault));
    }
}

// A rescan finds out what has changed.
void FileWatch::onEvents()
{
    char block[16 * 1024];
    while (::read(m_descriptor, block, sizeof block) > 0) {
    }
    rescanSoon();
}

void FileWatch::rescanSoon()
{
    const Instant now = m_scheduler.now();
    if (!m_rescan.isArmed())
        m_latestRescan = now + maximumDelay;
    m_rescan.arm(std::min(now + quietTime, m_latestRescan));
}

void FileWatch::scan()
{
    // Folders are watched before they are read, so that no change in between is lost.
    for (int i = 0; i < maximumScans; ++i) {
        watch();
        const QSet<QString> folders = std::exchange(m_found, {}).folders;
        for (const FileGlob &glob : std::as_const(m_globs))
            glob.find(m_found);
        if (m_found.folders == folders)
            break;
    }
    if (!m_found.isComplete)
        report(QStringLiteral("more than %1 folders; changes in the others are not detected")
                   .arg(FileGlob::maximumFolders));
}

void FileWatch::rescan()
{
    QHash<QString, FileStamp> before = m_found.files;
    scan();
    QStringList files;
    for (auto file = m_found.files.cbegin(); file != m_found.files.cend(); ++file) {
        if (before.take(file.key()) != *file)
            files.append(file.key());
    }
    files += before.keys(); // those that were removed
    files.removeIf([this](const QString &file) { return isIgnored(file); });
    files.sort();
    if (!files.isEmpty())
        Q_EMIT changed(files);
}

void FileWatch::acknowledge()
{
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
    m_acknowledged =
        static_cast<quint64>(now.tv_sec) * 1'000'000'000 + static_cast<quint64>(now.tv_nsec);
    scan();
}

void FileWatch::setFiles(const QStringList &paths)
{
    const QHash<QString, FileStamp> acknowledged = m_found.files;
    const QSet<QString> before = std::exchange(m_paths, {});
    m_globs.clear();
    for (const QString &path : paths) {
        addFile(path);
        m_paths.insert(QDir::cleanPath(QDir::current().absoluteFilePath(path)));
    }
    scan();
    // What differs from the next scan is reported.
    for (const QString &path : std::as_const(m_paths)) {
        const auto found = m_found.files.constFind(path);
        if (!before.contains(path)) {
            if (found != m_found.files.cend() && found->front() >= m_acknowledged)
                m_found.files.remove(path);
        } else if (acknowledged.contains(path)) {
            m_found.files.insert(path, acknowledged.value(path));
        } else {
            m_found.files.remove(path);
        }
    }
    rescanSoon();
}

bool FileWatch::isIgnored(const QString &path) const
{
    static const QRegularExpression companion(QStringLiteral(
        "\\A(\\.[0-9]+|\\.tmp(-p?[0-9-]+)?|(\\.corrupt-.*)?(-wal|-shm|-journal)?)\\z"));
    const QFileInfo file(path);
    const QString folder =
        file.exists() ? file.canonicalPath() : QFileInfo(file.path()).canonicalFilePath();
    return std::any_of(m_ignored.cbegin(), m_ignored.cend(), [&](const QString &each) {
        const QFileInfo ignored(each);
        const QString name = ignored.fileName();
        return file.fileName().startsWith(name)
            && companion.match(file.fileName().mid(name.size())).hasMatch()
            && folder == QFileInfo(ignored.absolutePath()).canonicalFilePath();
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
