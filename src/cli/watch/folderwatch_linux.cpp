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

FolderWatch::~FolderWatch() { close(); }

void FolderWatch::close()
{
    if (m_descriptor < 0)
        return;
    delete m_notifier;
    ::close(m_descriptor);
}

QString FolderWatch::watch(const Entries &folders)
{
    // A new instance, because a watch follows a folder that is renamed.
    close();
    m_names.clear();
    m_descriptor = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (m_descriptor < 0)
        return QStringLiteral("inotify: %1 (limit: fs.inotify.max_user_instances)")
            .arg(qt_error_string(errno));
    m_notifier = new QSocketNotifier(m_descriptor, QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &FolderWatch::read);
    constexpr quint32 ofEntries = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
        | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_MASK_ADD;
    constexpr quint32 ofContents = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB;
    QString fault;
    for (const QString &folder : folders.uniqueKeys()) {
        const bool hasFiles = folders.contains(folder, QString());
        const int watch = ::inotify_add_watch(m_descriptor, QFile::encodeName(folder).constData(),
                                              hasFiles ? ofEntries | ofContents : ofEntries);
        if (watch >= 0) {
            for (const QString &name : folders.values(folder))
                m_names.insert(watch, name);
        } else if (hasFiles && errno != ENOENT && errno != ENOTDIR && fault.isEmpty()) {
            fault = folder + QLatin1String(": ")
                + (errno == ENOSPC ? QStringLiteral("too many folders for inotify (limit: "
                                                    "fs.inotify.max_user_watches)")
                                   : qt_error_string(errno));
        }
    }
    return fault;
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
            const bool isOfInterest = name.isEmpty() || m_names.contains(event.wd, name)
                || m_names.contains(event.wd, QString());
            hasChanged = hasChanged || isOfInterest;
        }
    }
    if (hasChanged)
        Q_EMIT changed();
}

} // namespace Rekindle
