// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <QPointer>

#include <functional>

namespace Rekindle {

struct JournalEntry;

/// A planned start whose time has come.
struct DueStart
{
    PlannedStart planned = PlannedStart::None;
    bool byOperator = false; ///< an operator's start or restart, not the host's
    Instant dueAt{};
    Holds holds{}; ///< why it is held back

    /// Returns whether at most a LaunchGate holds it back.
    [[nodiscard]] bool canPassGate() const { return (holds & ~Holds(Hold::Governor)) == Holds(); }
};

/// What only the components of Rekindle use of a RestartPolicyEvaluator.
class REKINDLE_LIFECYCLE_EXPORT EvaluatorPort
{
public:
    explicit EvaluatorPort(RestartPolicyEvaluator &evaluator)
        : m_evaluator(evaluator)
    {
    }

    /// Begins a start. Returns the new generation; if it returns nothing, the agent must not be
    /// started.
    std::optional<quint64> beginLaunch(const QUuid &instanceId);

    // Reports about the agent. Reports of an older generation are counted and ignored.
    void reportStarted(const QUuid &instanceId, quint64 generation, qint64 processId);
    void reportReady(const QUuid &instanceId, quint64 generation);
    void reportFailed(const QUuid &instanceId, quint64 generation, const Failure &failure);
    /// The agent does not work but is alive: stopDue() follows.
    void reportUnhealthy(const QUuid &instanceId, quint64 generation, const Failure &failure);
    void reportStopped(const QUuid &instanceId, quint64 generation);
    /// Returns false if the request was rejected: more than RestartPolicy::requestLimit, or no
    /// agent runs.
    bool reportRestartRequested(const QUuid &instanceId, quint64 generation, const QString &reason,
                                bool alive);

    /// Extends the start timeout of a starting agent to this time from now, unless it ends later
    /// anyway. Limited to ten times the `startTimeout` of its policy since the start. A change of
    /// the policy ends the extension.
    void extendStart(const QUuid &instanceId, quint64 generation, Duration time);

    /// Stops the agent because of other agents, and holds its next start back for these reasons
    /// until liftHolds(). That start is no attempt and begins no fresh sequence. Replaces a planned
    /// restart in the same way. No effect on an agent without a planned start that does not run.
    void stopHeld(const QUuid &instanceId, Holds holds);

    /// Stops the agent because its group has given up. It becomes Exhausted, without a start after
    /// `rearmAfter`. No effect on an agent without a planned start that does not run.
    void giveUp(const QUuid &instanceId);

    /// Takes back the failure of that generation, because a dependency that agents share is down:
    /// it uses no attempt and does not count in the breaker. If a restart is planned or the agent
    /// was given up, a start follows when liftHolds() lifts `holds`. No effect if the agent has
    /// been started or stopped since.
    void refund(const QUuid &instanceId, quint64 generation, Holds holds);

    /// Sets EventHeader::fencingToken of the events of an instance from now on.
    void setFencingToken(const QUuid &instanceId, qint64 token);

    /// Replaces the state of an instance, for a simulation that continues a recorded run. Unlike
    /// with resume(), its process continues to run. A launch or a stop that the recorded run had
    /// not executed follows. The holds of this host stay. The times in `instance` are times of this
    /// scheduler's clock.
    void restore(const QUuid &instanceId, const Instance &instance);

    /// Returns the data of an instance, until it is removed; null if the id is unknown.
    [[nodiscard]] const Instance *instance(const QUuid &instanceId) const;

    /// Returns the start that is due; nothing if none is, or if the old process has not exited.
    [[nodiscard]] std::optional<DueStart> dueStart(const QUuid &instanceId) const;

    /// Receives every input of the state table, with its time and its random number, when it is
    /// about to be applied, and the instances that are added and removed. The same inputs lead to
    /// the same decisions again. The numbers of the entries count from 1 since the journal was set.
    /// Called in the thread of the evaluator, in the middle of a change: it must not call the
    /// evaluator, and should only store the entry.
    using InputJournal = std::function<void(JournalEntry &&entry)>;

    /// Sets the receiver of all inputs from now on; empty: none. Set it before the first instance
    /// is added, so that the run can be replayed.
    void setInputJournal(InputJournal journal);

    /// Returns the results of the health probes of an instance.
    using HealthSource = std::function<AgentHealthStatus(const QUuid &instanceId)>;

    /// Sets the source of the health in snapshot() and in the context of every decision (spec 6).
    /// Without a source it is Unknown. Called in this thread.
    void setHealthSource(HealthSource source);

    /// Returns the last lines that an agent has written to stderr.
    using StderrSource = std::function<QStringList(const QUuid &instanceId)>;

    /// Sets the source of the lines in failures that the evaluator detects itself, for example an
    /// expired start timeout. Without a source they have none. Called in this thread.
    void setStderrSource(StderrSource source);

    /// Sets who emits the same signals after all receivers of the evaluator's own signals. It must
    /// outlive the evaluator or be replaced; null: none.
    void setForward(LifecycleSignals *forward);

    /// The evaluator emits this signal of its own from now on, as if it were connected.
    void addReceiver(const QMetaMethod &signal);

    /// Starts an agent as RestartPolicyEvaluator::start() does, because an operator has started
    /// `cause`, whose CommandResult::alsoStarted lists it.
    CommandResult startFor(const QUuid &instanceId, const QUuid &cause);

    /// Calls `emission` after the signals that are queued now, and never inside another change.
    void post(std::function<void()> emission);
    /// Emits a signal of another object in the same way, unless it has been destroyed by then.
    void postSignal(auto *sender, auto signal, const auto &...arguments)
    {
        post([alive = QPointer(sender), signal, arguments...] {
            if (alive)
                Q_EMIT(alive.data()->*signal)(arguments...);
        });
    }

    /// Nothing is emitted until release() has been called as often.
    void defer();
    void release();

private:
    [[nodiscard]] InstanceEngine &engine() const;

    RestartPolicyEvaluator &m_evaluator;
};

/// A change of several agents: as long as the object exists, signals are only queued, so that no
/// slot runs inside the change. The destructor emits them, and a slot may then delete the
/// evaluator.
class DeferredEmission
{
public:
    explicit DeferredEmission(RestartPolicyEvaluator &evaluator)
        : m_port(evaluator)
    {
        m_port.defer();
    }
    Q_DISABLE_COPY_MOVE(DeferredEmission)
    // NOLINTNEXTLINE(bugprone-exception-escape): as in any destructor, slots must not throw here
    ~DeferredEmission() { m_port.release(); }

private:
    EvaluatorPort m_port;
};

} // namespace Rekindle
