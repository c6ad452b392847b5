// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/policy/agenthealthstatus.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/lifecycleevent.h>

#include <QObject>
#include <QUuid>

#include <memory>
#include <vector>

namespace Rekindle {

class Agent;
class Scheduler;

/// Watches agents and says what happens to them. It knows agents and no policy: what a failure
/// leads to is decided elsewhere. Use it from the thread it lives in, which is the agents' too.
///
/// Every report names the generation of the start that it speaks of, so that whoever listens can
/// tell a late one.
///
/// It owns the agents' health too (spec 6): from ready on it runs their probes, by their schedules
/// and spread over time, and says when one is wedged: after as many misses in a row as the schedule
/// has, and a last run with more time, so that a busy agent is not taken for a wedged one. When
/// this process was stalled, stopped or suspended itself, so that a run came more than half a
/// second short or the wall clock moved against the monotonic one by more than two seconds, a miss
/// of that span does not count and the run is repeated. What an agent finds out about itself
/// (Agent::probed()) is a part of its health like the answers of its probes.
class REKINDLE_LIFECYCLE_EXPORT AgentMonitor : public QObject
{
    Q_OBJECT

public:
    /// `scheduler` must outlive the monitor.
    explicit AgentMonitor(Scheduler &scheduler, QObject *parent = nullptr);
    ~AgentMonitor() override;

    /// Watches an agent under this id. The agent must be unwatched before it is destroyed.
    void watch(const QUuid &instanceId, Agent *agent);

    /// Says nothing more about it, not even of what happens this moment.
    void unwatch(const QUuid &instanceId);

    /// What the agent reports from now on belongs to this start, which begins now: its health is
    /// Unknown again, also if the launch fails.
    void setGeneration(const QUuid &instanceId, quint64 generation);

    [[nodiscard]] Agent *agent(const QUuid &instanceId) const;

    /// The probes of a watched agent, instead of those that it has; they begin when it is ready the
    /// next time, in this start or a later one. Errors in a schedule, "/0/interval", or a missing
    /// probe refuse them all.
    QList<Fault> setHealth(const QUuid &instanceId, std::vector<HealthCheck> checks);

    /// What the probes say, and the agent itself. It is reset when another start begins, so that
    /// while a failure is decided it still tells what led there; only the history goes on.
    [[nodiscard]] AgentHealthStatus health(const QUuid &instanceId) const;

    /// It was told to end: it is not probed any more in this start.
    void endHealth(const QUuid &instanceId);

    /// Whether agentOutput() tells the lines of a watched agent, which become events AgentOutput
    /// (spec 5). Off by default: an agent may write more in a second than happens to it in a year,
    /// and each event is told to every subscriber, in the engine's thread.
    ///
    /// So that a flood holds nobody back, at most `outputPerSecond` lines of an agent are told in a
    /// second; what goes beyond is counted in AgentOutput::dropped of the next one. Subscribers
    /// with a queue of their own (EventQueue, the event lines of `rekindle up`) count besides what
    /// they lose. Lines are told where the agent emits Agent::output(): a ProcessAgent does with
    /// streams that go to Lines.
    void tellOutput(const QUuid &instanceId, bool told = true);
    static constexpr int outputPerSecond = 1000;

Q_SIGNALS:
    void agentStarted(const QUuid &instanceId, quint64 generation, qint64 processId);
    void agentReady(const QUuid &instanceId, quint64 generation);
    void agentFailed(const QUuid &instanceId, quint64 generation, const Rekindle::Failure &failure);
    void agentStopped(const QUuid &instanceId, quint64 generation);

    /// `alive`: it goes on until it is stopped; else it has ended already (exit code 42).
    void restartRequested(const QUuid &instanceId, quint64 generation, const QString &reason,
                          bool alive);

    /// It is alive and does not work: its probes say so, or it does itself. At most once in a
    /// start.
    void agentUnhealthy(const QUuid &instanceId, quint64 generation,
                        const Rekindle::Failure &failure);

    /// Its state or its misses in a row are others than before.
    void healthChanged(const QUuid &instanceId, quint64 generation,
                       const Rekindle::AgentHealthStatus &before,
                       const Rekindle::AgentHealthStatus &after);

    /// A line of an agent that tellOutput() was called for; its header is empty.
    void agentOutput(const QUuid &instanceId, const Rekindle::AgentOutput &output);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
