// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/fault.h>
#include <rekindle/lifecycle/export.h>
#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/lifecycleevent.h>

#include <QObject>
#include <QStringList>

#include <optional>
#include <vector>

// The signals that AgentMonitor receives are written by hand, because connections
// would double the memory of an agent. moc declares these signals, but generates no function for a
// pure virtual one.
#ifdef Q_MOC_RUN
#define REKINDLE_MONITORED = 0
#else
#define REKINDLE_MONITORED
#endif

namespace Rekindle {

class AgentWatch;

/// A file that receives an output stream of an agent.
struct OutputFile
{
    AgentOutput::Stream stream = AgentOutput::Stream::Output;
    QString path{}; ///< absolute
};

/// A supervised unit (spec 6). A host derives its own kinds of agents from it.
///
/// The contract of each start:
/// - start() begins it. Emit started() when the agent runs, and ready() when it can work.
/// - Emit failed() when the agent has exited with a failure, or stopped() when it has exited
///   without one: on its own, or because of stop() or kill(). Each start ends with exactly one.
/// - An agent that fails before started() was not launched. The next automatic start then waits at
///   least failedLaunchPause.
/// - Emit restartRequested() for a restart that costs no attempt. An agent that is alive keeps
///   running until stop() is called. An agent that has exited (isAlive() is false) is started again
///   and emits nothing else.
/// - Emit no signals of a start that has ended.
/// - An exception that leaves start(), stop() or kill() ends the start like failed() with
///   UnhandledException. The exception must not leave anything of the start running.
///
/// The supervisor calls start(), stop() and kill() from the event loop, never from a slot of the
/// agent's own signals, and start() only after the end of the previous start. None of them may
/// block. All of them may emit signals. Use the object from its own thread.
class REKINDLE_LIFECYCLE_EXPORT Agent : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    ~Agent() override;

    virtual void start() = 0;

    /// Returns the faults in the definition of the agent: errors, with which no start can succeed,
    /// and warnings. AgentSupervisor::add() rejects an agent with errors.
    [[nodiscard]] virtual QList<Fault> faults() const { return {}; }

    /// Requests an orderly exit; stopped() or failed() follows.
    virtual void stop() = 0;

    /// Requests an immediate exit: the agent was not ready in time, is unhealthy, exceeded a limit,
    /// or did not stop.
    virtual void kill() { stop(); }

    /// Returns the time permitted for stop(), and after kill() again, if the policy contains no
    /// stopTimeout; 0 to 1 h. Then the agent is killed, or reported as stuck. Empty: the agent
    /// limits its stop itself and emits stuck(). Whether it is empty is read by
    /// AgentSupervisor::add() and must not change afterwards.
    [[nodiscard]] virtual std::optional<Duration> defaultStopTimeout() const
    {
        return std::chrono::seconds(10);
    }

    /// Returns whether any part of the agent may still run. Called while restartRequested() is
    /// emitted.
    [[nodiscard]] virtual bool isAlive() const { return true; }

    /// Returns the id of the running process; 0 if there is none.
    [[nodiscard]] virtual qint64 processId() const { return 0; }

    /// Returns the status that the running agent has reported, on one line; empty if there is none.
    [[nodiscard]] virtual QString statusText() const { return {}; }

    /// Returns the last lines of the agent's stderr, oldest first, for the reports of its failures;
    /// empty if they are not known.
    [[nodiscard]] virtual QStringList stderrTail() const { return {}; }

    /// Returns the files that receive streams of the agent instead of output().
    [[nodiscard]] virtual QList<OutputFile> outputFiles() const { return {}; }

    /// Returns when the running agent is replaced because of its age; empty if it is not.
    [[nodiscard]] virtual std::optional<Instant> recyclingAt() const { return {}; }

    /// Returns the names of the descriptors that are stored for the next start.
    [[nodiscard]] virtual QStringList storedDescriptors() const { return {}; }

    /// Discards what is stored for the next start. The supervisor calls it when no start is planned
    /// anymore: the agent was stopped by an operator, has exited and is not restarted, or was given
    /// up. It may run in a slot of the agent's own signals and must emit none.
    virtual void discardStored() {}

    /// Returns new probes of this kind of agent. AgentMonitor runs them in addition to the probes
    /// of AgentMonitor::setHealth().
    [[nodiscard]] virtual std::vector<HealthCheck> ownHealthChecks() { return {}; }

    /// Binds the processes of the next starts to the kill deadline of this host (KillDeadline of
    /// the component process), or releases them. A process that runs is not affected. Returns false
    /// if this kind of agent cannot be bound, because it is not a process.
    [[nodiscard]] virtual bool setKillDeadlineBound(bool bound);

    /// The environment of the next starts contains REKINDLE_FENCE with this fencing token. 0:
    /// without it. By default, nothing happens.
    virtual void setFencingToken(qint64 /*token*/) {}

    /// Requests a heartbeat() from the running agent. Returns false if the agent emits heartbeats
    /// only on its own.
    [[nodiscard]] virtual bool requestHeartbeat() const { return false; }

Q_SIGNALS:
    void started() REKINDLE_MONITORED;
    void ready() REKINDLE_MONITORED;
    void failed(Rekindle::FailureReason reason,
                const Rekindle::FailureDetail &detail) REKINDLE_MONITORED;
    void stopped() REKINDLE_MONITORED;
    void restartRequested(const QString &reason) REKINDLE_MONITORED;

    /// The agent has not exited although it was killed. It may still exit later. Emit it only if
    /// defaultStopTimeout() is empty.
    void stuck() REKINDLE_MONITORED;

    /// The agent stops by itself. Its probes end, because they would fail.
    void stopping() REKINDLE_MONITORED;

    /// The agent starts and needs this time, from now on. It ends the start timeout no earlier, and
    /// extends it to at most ten times the `startTimeout` of the policy since the start. A change
    /// of the policy ends the extension.
    void startExtended(Rekindle::Duration time) REKINDLE_MONITORED;

    /// The running agent uses more than it may, as `text` says. It fails with ResourceExhaustion
    /// and is killed.
    void limitExceeded(const QString &text) REKINDLE_MONITORED;

    /// A heartbeat: the agent works (spec 6). Only a HeartbeatProbe uses it.
    void heartbeat();

    /// The agent is alive but cannot work. A HeartbeatProbe then fails at once.
    void reportedUnhealthy(const QString &text);

    /// The agent has written a line, passed without its line end. Emitted between started() and the
    /// end of the start. Used if AgentMonitor::setOutputEvents() enabled it.
    void output(Rekindle::AgentOutput::Stream stream, const QByteArray &line);

private:
    friend class AgentMonitor;
    struct Emission;
    AgentWatch *m_watch = nullptr;   ///< of the monitor that watches this agent
    Emission *m_emissions = nullptr; ///< the innermost one
};

} // namespace Rekindle

#undef REKINDLE_MONITORED
