// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "folderwatch_p.h"

#include <QFile>
#include <QSocketNotifier>

#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace Rekindle {

FolderWatch::FolderWatch(QObject *parent)
    : QObject(parent)
    , m_descriptor(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC))
{
    if (m_descriptor < 0) {
        m_fault = QStringLiteral("inotify: %1 (limit: fs.inotify.max_user_instances)")
                      .arg(QString::fromLocal8Bit(std::strerror(errno)));
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

bool FolderWatch::watch(const Entries &folders)
{
    if (m_descriptor < 0)
        return false;
    constexpr quint32 ofEntries = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
        | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_MASK_ADD;
    constexpr quint32 ofContents = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB;
    QHash<QString, int> ids;
    QMultiHash<int, QString> names;
    bool hasNew = false;
    m_fault.clear();
    for (const QString &folder : folders.uniqueKeys()) {
        // Also folders that are watched already: the name may now belong to another one.
        const bool hasFiles = folders.contains(folder, QString());
        const int id = ::inotify_add_watch(m_descriptor, QFile::encodeName(folder).constData(),
                                           hasFiles ? ofEntries | ofContents : ofEntries);
        if (id >= 0) {
            hasNew = hasNew || m_ids.value(folder, -1) != id;
            ids.insert(folder, id);
            for (const QString &name : folders.values(folder))
                names.insert(id, name);
        } else if (hasFiles && errno != ENOENT && errno != ENOTDIR && m_fault.isEmpty()) {
            m_fault = folder + QLatin1String(": ")
                + (errno == ENOSPC ? QStringLiteral("too many folders for inotify (limit: "
                                                    "fs.inotify.max_user_watches)")
                                   : QString::fromLocal8Bit(std::strerror(errno)));
        }
    }
    for (const int id : m_names.uniqueKeys()) {
        if (!names.contains(id))
            ::inotify_rm_watch(m_descriptor, id);
    }
    m_ids = ids;
    m_names = names;
    return hasNew;
}

void FolderWatch::read()
{
    alignas(inotify_event) char block[16 * 1024];
    bool hasChanged = false;
    for (ssize_t size = 0; (size = ::read(m_descriptor, block, sizeof block)) > 0;) {
        for (ssize_t done = 0; done < size;) {
            inotify_event event{};
            std::memcpy(&event, block + done, sizeof event);
            const QString name =
                event.len > 0 ? QFile::decodeName(block + done + sizeof event) : QString();
            done += static_cast<ssize_t>(sizeof event + event.len);
            const bool isOfInterest = name.isEmpty()
                ? m_names.contains(event.wd)
                : (m_names.contains(event.wd, name) || m_names.contains(event.wd, QString()));
            hasChanged = hasChanged || isOfInterest || (event.mask & IN_Q_OVERFLOW) != 0;
        }
    }
    if (hasChanged)
        Q_EMIT changed();
}

} // namespace Rekindle
