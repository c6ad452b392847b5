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

    using QObject::QObject;
    ~FolderWatch() override;

    /// Watches these folders instead of those before, except missing ones. Returns why a folder is
    /// not watched, or an empty text. Changes before this call may not be reported.
    [[nodiscard]] QString watch(const Entries &folders);

Q_SIGNALS:
    void changed();

private:
    void close();
    void read();

    int m_descriptor = -1;
    QSocketNotifier *m_notifier = nullptr;
    QMultiHash<int, QString> m_names; ///< names of interest by watch
};

} // namespace Rekindle
