// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QObject>
#include <QString>

class QSocketNotifier;

namespace Rekindle {

/// Reports changes of the entries of folders and of the contents of their files.
///
/// It uses inotify directly: QFileSystemWatcher does not report which entry of a folder has
/// changed, and needs a watch for each file to report its contents.
class FolderWatch : public QObject
{
    Q_OBJECT

public:
    /// Absolute folders, each with the names of the entries of interest; an empty name means all.
    using Entries = QMultiHash<QString, QString>;

    explicit FolderWatch(QObject *parent = nullptr);
    ~FolderWatch() override;

    /// Replaces the watched folders. Returns true if a folder is watched that was not before, even
    /// under the same name; then it may have changed in the meantime. Missing folders are skipped.
    bool watch(const Entries &folders);

    /// Why a folder is not watched, or an empty text.
    [[nodiscard]] QString fault() const { return m_fault; }

Q_SIGNALS:
    void changed();

private:
    void read();

    int m_descriptor = -1;
    QSocketNotifier *m_notifier = nullptr;
    QHash<QString, int> m_ids;        ///< by folder
    QMultiHash<int, QString> m_names; ///< names of interest by id
    QString m_fault;
};

} // namespace Rekindle
