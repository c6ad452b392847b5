// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/files/fileglob_p.h"

#include <rekindle/host/export.h>
#include <rekindle/lifecycle/scheduler.h>

#include <QList>
#include <QObject>
#include <QSet>
#include <QStringList>

#include <limits>

class QSocketNotifier;

namespace Rekindle {

/// Reports when files that match globs were written, replaced, created or removed. Several changes
/// are reported together, 200 ms after the last one and at most 5 s after the first one.
///
/// It watches folders with inotify; QFileSystemWatcher would need a watch for each file.
class REKINDLE_HOST_EXPORT FileWatch : public QObject
{
    Q_OBJECT

public:
    explicit FileWatch(Scheduler &scheduler, QObject *parent = nullptr);
    ~FileWatch() override;

    /// Adds a glob for which FileGlob::faultOf() has no fault.
    void add(const QString &glob) { m_globs.append(FileGlob(glob)); }

    /// Adds one file by its name. It need not exist.
    void addFile(const QString &path) { add(FileGlob::ofFile(path)); }

    /// Never reports these files, their rotated and temporary files, and the companion files of
    /// SQLite. Replaces earlier files.
    void setIgnored(const QStringList &paths) { m_ignored = paths; }

    /// Starts to watch.
    void begin() { scan(); }

    /// Takes the files as they are now. Call it before they are read, so that a change before that
    /// is not reported, and a change after that is.
    void acknowledge();

    /// Watches these files instead of all earlier ones, for example those that an acknowledged file
    /// names. Changes since acknowledge() are reported, those of an added file, too.
    void setFiles(const QStringList &paths);

Q_SIGNALS:
    /// Absolute paths, sorted; at least one.
    void changed(const QStringList &files);

    /// A folder cannot be watched. Each problem is reported once.
    void faulted(const QString &text);

private:
    void close();
    void watch();
    void onEvents();
    void rescanSoon();
    void scan();
    void rescan();
    [[nodiscard]] bool isIgnored(const QString &path) const;
    void report(const QString &fault);

    Scheduler &m_scheduler;
    Deadline m_rescan;
    Instant m_latestRescan{};
    QList<FileGlob> m_globs;
    QSet<QString> m_paths; ///< of setFiles(), absolute
    /// The time of acknowledge() by the clock of the files, in nanoseconds.
    quint64 m_acknowledged = std::numeric_limits<quint64>::max();
    QStringList m_ignored;
    int m_descriptor = -1;
    QSocketNotifier *m_notifier = nullptr;
    GlobMatches m_found; ///< by the last scan
    QSet<QString> m_reported;
};

/// "server.py changed" or "server.py and 2 others changed", relative to the working directory.
[[nodiscard]] REKINDLE_HOST_EXPORT QString changeText(const QStringList &files);

} // namespace Rekindle
