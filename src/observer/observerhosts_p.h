// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/remoteagents.h>

#include <QList>
#include <QSet>
#include <QStringList>
#include <QTimer>

namespace Rekindle {

/// The hosts that the observer shows. A host that has exited stays in the list and is connected
/// again when it runs again. Of the hosts that were found in the folder, only the last 10 that have
/// exited stay.
class ObserverHosts : public QObject
{
    Q_OBJECT

public:
    /// Connects to the hosts with these addresses. Without addresses, connects to all hosts in the
    /// folder, also those that start later. The default folder is that of this user's hosts.
    explicit ObserverHosts(QStringList addresses, const QString &folder = {},
                           QObject *parent = nullptr);

    /// Returns the hosts in the order in which they were added.
    [[nodiscard]] const QList<RemoteAgents *> &sources() const { return m_sources; }
    /// Returns whether each host has sent its agents or is unavailable.
    [[nodiscard]] bool hasAllResponses() const { return m_pending.isEmpty(); }

Q_SIGNALS:
    void added(Rekindle::RemoteAgents *source);
    /// The source is deleted later.
    void removed(Rekindle::RemoteAgents *source);
    /// hasAllResponses() has become true.
    void allResponded();

private:
    void find();
    RemoteAgents *add(const QString &host);
    void remove(RemoteAgents *source);

    const QString m_folder;
    QList<RemoteAgents *> m_sources;
    QSet<const QObject *> m_pending; ///< without a response
    QList<RemoteAgents *> m_exited;  ///< of those that were found, in this order
    QTimer m_search;
};

} // namespace Rekindle
