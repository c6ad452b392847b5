// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/failure.h>

#include <QObject>
#include <QUuid>

#include <memory>

namespace Rekindle {

class Agent;

/// Watches agents and says what happens to them. It knows agents and no policy: what a failure
/// leads to is decided elsewhere. Use it from the thread it lives in, which is the agents' too.
///
/// Every report names the generation of the start that it speaks of, so that whoever listens can
/// tell a late one.
class REKINDLE_LIFECYCLE_EXPORT AgentMonitor : public QObject
{
    Q_OBJECT

public:
    explicit AgentMonitor(QObject *parent = nullptr);
    ~AgentMonitor() override;

    /// Watches an agent under this id. The agent must be unwatched before it is destroyed.
    void watch(const QUuid &instanceId, Agent *agent);

    /// Says nothing more about it, not even of what happens this moment.
    void unwatch(const QUuid &instanceId);

    /// What the agent reports from now on belongs to this start.
    void setGeneration(const QUuid &instanceId, quint64 generation);

    [[nodiscard]] Agent *agent(const QUuid &instanceId) const;

Q_SIGNALS:
    void agentStarted(const QUuid &instanceId, quint64 generation, qint64 processId);
    void agentReady(const QUuid &instanceId, quint64 generation);
    void agentFailed(const QUuid &instanceId, quint64 generation, const Rekindle::Failure &failure);
    void agentStopped(const QUuid &instanceId, quint64 generation);

    /// `alive`: it goes on until it is stopped; else it has ended already (exit code 42).
    void restartRequested(const QUuid &instanceId, quint64 generation, const QString &reason,
                          bool alive);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
