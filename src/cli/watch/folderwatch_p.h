// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "globscan_p.h"

#include <QHash>
#include <QObject>
#include <QString>

#include <functional>

class QSocketNotifier;

namespace Rekindle {

/// Notices that something happens in folders: files that appear, go, are replaced or written; what
/// it was is to be looked up. Or that a folder itself is gone or has another name.
///
/// By inotify itself: QFileSystemWatcher sees what is written into a file only if the file has a
/// watch of its own, and does not say why it cannot watch one.
class FolderWatch : public QObject
{
    Q_OBJECT

public:
    using Filter = std::function<bool(const QString &folder, const QString &name, bool isFolder)>;

    /// `matters` says of what happens to an entry of a folder whether it is told.
    explicit FolderWatch(Filter matters, QObject *parent = nullptr);
    ~FolderWatch() override;

    /// These folders and no others. True if some are watched that were not before, another folder
    /// of the same name included, so that something may have happened there meanwhile. Left out in
    /// silence: one that is gone, and one on the way that cannot be watched.
    bool watch(const QHash<QString, FolderInterest> &folders);

    /// Why not all of them are watched; empty if they are.
    [[nodiscard]] QString fault() const { return m_fault; }

Q_SIGNALS:
    void stirred();

private:
    void read();
    [[nodiscard]] bool isOfInterest(int id, quint32 mask, const char *name) const;

    int m_descriptor = -1;
    QSocketNotifier *m_notifier = nullptr;
    Filter m_matters;
    QHash<QString, int> m_ids; ///< by folder; paths to the same one share it
    QMultiHash<int, QString> m_folders;
    QString m_fault;
};

} // namespace Rekindle
