// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "debounce_p.h"
#include "folderwatch_p.h"
#include "globscan_p.h"
#include "ownfiles_p.h"

#include <QObject>

#include <utility>

namespace Rekindle {

/// Tells when files that match globs have changed: written, replaced, new or gone. Many changes at
/// once are told as one, once it has been quiet for 200 ms, 5 s after the first at the latest.
class FileWatch : public QObject
{
    Q_OBJECT

public:
    explicit FileWatch(Scheduler &scheduler, QObject *parent = nullptr);

    /// Empty if it can be used, or what is wrong with it.
    [[nodiscard]] QString add(const QString &glob) { return m_scan.add(glob); }

    /// One file by its very name. It need not be there yet, and that is not said.
    void addFile(const QString &path) { m_scan.addFile(path); }

    /// What this process writes itself is no change. Before begin().
    void setOwnFiles(OwnFiles files) { m_own = std::move(files); }

    /// Begins to watch. What of it does not work is said by faulted().
    void begin();

Q_SIGNALS:
    /// Absolute paths, sorted; at least one.
    void changed(const QStringList &files);

    /// A glob that matches nothing, or folders that cannot be watched: a sentence without an end.
    /// Each is said once.
    void faulted(const QString &text);

private:
    void look();
    [[nodiscard]] GlobFindings takeStock();
    void tellFault(const QString &text);

    [[nodiscard]] bool matters(const QString &folder, const QString &name, bool isFolder) const;

    GlobScan m_scan;
    OwnFiles m_own;
    FolderWatch m_folders;
    Debounce m_debounce;
    QHash<QString, FileStamp> m_files;
    QHash<QString, FolderInterest> m_interests; ///< by folder
    QSet<QString> m_told;
};

/// "server.py changed", or of several: "server.py and 2 others changed". Names count from the
/// working directory where they are below it.
[[nodiscard]] QString changeText(const QStringList &files);

} // namespace Rekindle
