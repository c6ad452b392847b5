// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "folderwatch_p.h"

#include <QFile>
#include <QSocketNotifier>

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace Rekindle {

namespace {

constexpr quint32 ofEntries = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
    | IN_MOVE_SELF | IN_ONLYDIR;
constexpr quint32 ofContents = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB;

QString limitText(const char *name)
{
    QFile file(QStringLiteral("/proc/sys/fs/inotify/") + QLatin1String(name));
    const QByteArray limit =
        file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray("?");
    return QStringLiteral("the limit of this system is reached (fs.inotify.%1 is %2)")
        .arg(QLatin1String(name), QString::fromLatin1(limit));
}

} // namespace

FolderWatch::FolderWatch(Filter matters, QObject *parent)
    : QObject(parent)
    , m_descriptor(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC))
    , m_matters(std::move(matters))
{
    if (m_descriptor < 0) {
        m_fault = errno == EMFILE ? limitText("max_user_instances")
                                  : QString::fromLocal8Bit(std::strerror(errno));
        return;
    }
    m_notifier = new QSocketNotifier(m_descriptor, QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] { read(); });
}

FolderWatch::~FolderWatch()
{
    if (m_descriptor < 0)
        return;
    m_notifier->setEnabled(false);
    ::close(m_descriptor);
}

bool FolderWatch::watch(const QHash<QString, FolderInterest> &folders)
{
    if (m_descriptor < 0)
        return false;
    QHash<QString, int> ids;
    QMultiHash<int, QString> byId;
    bool hasNew = false;
    QString fault;
    for (auto entry = folders.cbegin(); entry != folders.cend(); ++entry) {
        // Also those that are watched: by now it may be another folder that has the name.
        const QString &folder = entry.key();
        const quint32 mask = (entry->isOnTheWay ? ofEntries : ofEntries | ofContents) | IN_MASK_ADD;
        const int id =
            ::inotify_add_watch(m_descriptor, QFile::encodeName(folder).constData(), mask);
        if (id >= 0) {
            hasNew = hasNew || m_ids.value(folder, -1) != id;
            ids.insert(folder, id);
            byId.insert(id, folder);
        } else if (!entry->isOnTheWay && errno != ENOENT && errno != ENOTDIR && fault.isEmpty()) {
            const QString why = errno == ENOSPC ? limitText("max_user_watches")
                                                : QString::fromLocal8Bit(std::strerror(errno));
            fault = folder + QLatin1String(": ") + why;
        }
    }
    for (const int id : m_folders.uniqueKeys()) {
        if (!byId.contains(id))
            ::inotify_rm_watch(m_descriptor, id);
    }
    m_ids = ids;
    m_folders = byId;
    m_fault = fault;
    return hasNew;
}

void FolderWatch::read()
{
    alignas(inotify_event) char block[16 * 1024];
    bool isStirred = false;
    for (ssize_t size = 0; (size = ::read(m_descriptor, block, sizeof block)) > 0;) {
        for (ssize_t done = 0; done < size;) {
            inotify_event event{};
            std::memcpy(&event, block + done, sizeof event);
            const char *name = event.len > 0 ? block + done + sizeof event : nullptr;
            done += static_cast<ssize_t>(sizeof event + event.len);
            isStirred = isStirred || isOfInterest(event.wd, event.mask, name);
        }
    }
    if (isStirred)
        Q_EMIT stirred();
}

// Of folders that are no longer wanted something may still come, late.
bool FolderWatch::isOfInterest(int id, quint32 mask, const char *name) const
{
    if ((mask & IN_Q_OVERFLOW) != 0)
        return true;
    const QList<QString> folders = m_folders.values(id);
    if (!name)
        return !folders.isEmpty();
    const QString entry = QFile::decodeName(name);
    return std::any_of(folders.cbegin(), folders.cend(), [&](const QString &folder) {
        return m_matters(folder, entry, (mask & IN_ISDIR) != 0);
    });
}

} // namespace Rekindle
