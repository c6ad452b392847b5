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

/// Watches agents and reports what happens to them. It has no policies: RestartPolicyEvaluator
/// decides about the reaction to a failure. Use it from the thread in which it and the agents live.
///
/// Each report contains the generation of its start, so that late reports can be recognized.
///
/// The monitor also runs the health probes (spec 6), from ready until the end of a start. The runs
/// of all agents are spread over their intervals. If as many consecutive runs fail as
/// HealthSchedule::misses, one last run has a longer timeout, because the agent may only be busy.
/// If it fails too, the agent is unhealthy. If this process was itself stalled, stopped or
/// suspended during a run, a failure does not count and the run is repeated. Such a stall is
/// detected if a deadline fires late, by more than 500 ms or half the timeout of the run, whichever
/// is less. It is also detected if the wall clock moves against the monotonic clock by more than 2
/// s.
class REKINDLE_LIFECYCLE_EXPORT AgentMonitor : public QObject
{
    Q_OBJECT

public:
    /// `scheduler` must outlive the monitor.
    explicit AgentMonitor(Scheduler &scheduler, QObject *parent = nullptr);
    ~AgentMonitor() override;

    /// Watches an agent under this id, with the probes of Agent::ownHealthChecks(). Returns the
    /// faults of these probes, with paths such as "/health/0/interval"; if there is an error, the
    /// agent is not watched. Also fails if the agent is already watched.
    ///
    /// Each signal of the agent reaches the monitor before other receivers.
    QList<Fault> watch(const QUuid &instanceId, Agent *agent);

    /// Stops watching the agent at once: nothing else is emitted about it.
    void unwatch(const QUuid &instanceId);

    /// Begins a start: reports of the agent belong to this generation from now on. Its health
    /// becomes Unknown, also if the launch fails.
    void setGeneration(const QUuid &instanceId, quint64 generation);

    /// Replaces all probes of a watched agent by these and by Agent::ownHealthChecks(), which
    /// is called again. They begin at once if the agent is ready, otherwise when it becomes ready.
    /// The health becomes Unknown. Returns the faults, with paths such as "/0/interval"; if there
    /// is an error, nothing changes.
    QList<Fault> setHealth(const QUuid &instanceId, std::vector<HealthCheck> checks);

    /// Returns the results of the probes. They are reset when the next start begins, so that they
    /// are still available while a failure is decided. Only the history survives the reset.
    [[nodiscard]] AgentHealthStatus health(const QUuid &instanceId) const;

    /// Ends the probes of the current start, because the agent was requested to stop.
    void endHealth(const QUuid &instanceId);

    /// Enables or disables agentOutput() for a watched agent; it becomes the event AgentOutput
    /// (spec 5). Off by default, because each line reaches every subscriber in this thread. An
    /// agent must emit Agent::output(); a ProcessAgent does so for streams of kind Lines.
    ///
    /// At most `outputPerSecond` lines per agent and second are emitted. The number of lines beyond
    /// that limit is AgentOutput::dropped of the next one. Subscribers with a queue of their own,
    /// for example EventQueue, count what they drop separately.
    void setOutputEvents(const QUuid &instanceId, bool enabled = true);
    [[nodiscard]] bool hasOutputEvents(const QUuid &instanceId) const;
    static constexpr int outputPerSecond = 1000;

Q_SIGNALS:
    void agentStarted(const QUuid &instanceId, quint64 generation, qint64 processId);
    void agentReady(const QUuid &instanceId, quint64 generation);
    void agentFailed(const QUuid &instanceId, quint64 generation, const Rekindle::Failure &failure);
    void agentStopped(const QUuid &instanceId, quint64 generation);

    /// The agent starts and needs this time, from now on.
    void startExtended(const QUuid &instanceId, quint64 generation, Rekindle::Duration time);

    /// The agent has not exited although it was killed. It may still exit later.
    void agentStuck(const QUuid &instanceId, quint64 generation);

    /// `alive`: the agent keeps running until it is stopped; else it has exited (exit code 42).
    void restartRequested(const QUuid &instanceId, quint64 generation, const QString &reason,
                          bool alive);

    /// The agent is alive but does not work, according to its probes. Emitted at most once per
    /// start.
    void agentUnhealthy(const QUuid &instanceId, quint64 generation,
                        const Rekindle::Failure &failure);

    /// The health state or the number of consecutive probe failures changed.
    void healthChanged(const QUuid &instanceId, quint64 generation,
                       const Rekindle::AgentHealthStatus &before,
                       const Rekindle::AgentHealthStatus &after);

    /// The agent was destroyed while it was watched, and is no longer watched.
    void agentDestroyed(const QUuid &instanceId);

    /// The agent wrote a line, and setOutputEvents() is enabled. The header of `output` is empty.
    void agentOutput(const QUuid &instanceId, const Rekindle::AgentOutput &output);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
