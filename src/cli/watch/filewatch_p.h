// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "fileglob_p.h"

#include <rekindle/lifecycle/scheduler.h>

#include <QList>
#include <QObject>
#include <QSet>
#include <QStringList>

class QSocketNotifier;

namespace Rekindle {

/// Reports when files that match globs were written, replaced, created or removed. Several changes
/// are reported together, 200 ms after the last one and at most 5 s after the first one.
///
/// It watches folders with inotify; QFileSystemWatcher would need a watch for each file.
class FileWatch : public QObject
{
    Q_OBJECT

public:
    explicit FileWatch(Scheduler &scheduler, QObject *parent = nullptr);
    ~FileWatch() override;

    /// Adds a glob. Returns an error, or an empty text. Reports a glob that matches no file.
    [[nodiscard]] QString add(const QString &glob);

    /// Adds one file by its name. It need not exist.
    void addFile(const QString &path);

    /// Never reports this file and its temporary files, nor the companion files of SQLite.
    void ignore(const QString &path) { m_ignored.append(path); }

    /// Starts to watch.
    void begin() { scan(); }

Q_SIGNALS:
    /// Absolute paths, sorted; at least one.
    void changed(const QStringList &files);

    /// A glob matches nothing, or a folder cannot be watched. Each problem is reported once.
    void faulted(const QString &text);

private:
    void close();
    void watch();
    void onEvents();
    void scan();
    void rescan();
    [[nodiscard]] bool isIgnored(const QString &path) const;
    void report(const QString &fault);

    Scheduler &m_scheduler;
    Deadline m_rescan;
    Instant m_latestRescan{};
    QList<FileGlob> m_globs;
    QStringList m_ignored;
    int m_descriptor = -1;
    QSocketNotifier *m_notifier = nullptr;
    GlobMatches m_found; ///< by the last scan
    QSet<QString> m_reported;
};

/// "server.py changed" or "server.py and 2 others changed", relative to the working directory.
[[nodiscard]] QString changeText(const QStringList &files);

} // namespace Rekindle
