// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/scheduler.h>

#include <QObject>

#include <functional>
#include <memory>

class QCoreApplication;

namespace Rekindle {

class Agent;
class AgentMonitor;
class FeatureGate;
struct InstanceMemory;

/// Limits of the work in one pass of the event loop.
struct SupervisorOptions
{
    /// Maximum number of starts and stops in one pass, 1 to 10000. The others follow in later
    /// passes.
    int startsPerPass = 64;
    /// A pass that has taken this long ends; greater than 0.
    Duration passBudget = std::chrono::milliseconds(10);
};

/// Owns agents and restarts them by their policies. Most hosts need only this class.
///
/// ```
/// Rekindle::FixedLicenseProvider license(Rekindle::LicenseTier::Enterprise);
/// Rekindle::AgentSupervisor supervisor;
/// supervisor.featureGate().setProvider(&license);
/// supervisor.quitGracefully(app);
/// const QString name = QStringLiteral("indexer");
/// const auto added = supervisor.add(name, std::make_unique<MyAgent>(), policy);
/// supervisor.start(added.id);
/// ```
///
/// The destructor destroys the agents at once, with everything that they run. For an orderly end,
/// call quitGracefully(), or stopAll() and wait for allStopped(). Any function may be called from
/// any slot; to delete the supervisor in a slot or in a function of an agent, use deleteLater().
///
/// A slot may run a nested event loop (QDialog::exec(), QEventLoop, processEvents()). Agents are
/// started and stopped, and further events are emitted, while it runs; the same slot may be called
/// again. Receivers that were connected after this slot get the current event when it returns. A
/// slot of restartStarted() delays the start of that agent. A slot that startAll() calls delays the
/// starts of the agents after the current one.
///
/// Create it after QCoreApplication, in the thread that uses it, which needs a Qt event loop. Calls
/// from other threads and commands for unknown ids are logged and have no effect. After
/// moveToThread(), which is logged, it returns to its thread as soon as the other thread handles
/// events. While quitGracefully() stops the agents, no agent can be started.
class REKINDLE_LIFECYCLE_EXPORT AgentSupervisor : public LifecycleSignals
{
    Q_OBJECT

public:
    /// Creates a supervisor with its own TimerScheduler.
    explicit AgentSupervisor(QObject *parent = nullptr);

    /// `scheduler` must outlive the supervisor. `random` returns a number in [0, 1) for jitter; by
    /// default the system's random source seeds a generator.
    explicit AgentSupervisor(Scheduler &scheduler, const SupervisorOptions &options = {},
                             RestartPolicyEvaluator::RandomSource random = {},
                             QObject *parent = nullptr);
    ~AgentSupervisor() override;

    /// The result of add(): an id and warnings, or the faults of a rejected agent.
    struct Added
    {
        QUuid id;
        QList<Fault> faults;
        explicit operator bool() const { return !id.isNull(); }
    };

    /// Adds an agent without starting it. Rejects invalid policies, and agents that have faults(),
    /// have a parent or live in another thread. A name must be unique and have no nameFault(). A
    /// rejected agent is destroyed, and a warning is logged. An agent must not be deleted by other
    /// code; if it is, this is logged, and the agent is removed. Set `readyAtOnce` if the agent is
    /// ready as soon as it is started (see validate()). The default id is a random one.
    [[nodiscard]] Added add(const QString &name, std::unique_ptr<Agent> agent,
                            const RestartPolicy &policy = {}, bool readyAtOnce = false,
                            QUuid id = QUuid::createUuid());

    /// Replaces the policy of an agent, limited by the license tier. A pending restart is replanned
    /// from the time of its failure. Faults as with add(); if there is an error, nothing changes.
    QList<Fault> setPolicy(const QUuid &instanceId, const RestartPolicy &policy,
                           bool readyAtOnce = false);

    /// Returns the policy of add() or setPolicy(). The policy in force is
    /// policyEvaluator().policy().
    [[nodiscard]] RestartPolicy requestedPolicy(const QUuid &instanceId) const;

    /// Excludes the agent from startAll(): it runs only after start().
    void setManualStart(const QUuid &instanceId, bool manual = true);
    [[nodiscard]] bool hasManualStart(const QUuid &instanceId) const;

    /// Sets words by which operators select agents, such as `rekindle status --tag TAG`.
    void setTags(const QUuid &instanceId, const QStringList &tags);
    [[nodiscard]] QStringList tags(const QUuid &instanceId) const;

    /// Sets the name of the group that contains the agent, for display. AgentGroups calls it.
    void setGroup(const QUuid &instanceId, const QString &group);
    [[nodiscard]] QString group(const QUuid &instanceId) const; ///< empty: none

    /// Removes the agent; no further events of it are emitted. The agent and what it runs are
    /// destroyed from the event loop, because the agent may be emitting a signal.
    void remove(const QUuid &instanceId);

    /// Stops the agent, and removes it when its process has exited. Until then, the commands that
    /// start an agent do nothing. `reason` is its AgentSnapshot::stopReason.
    void retire(const QUuid &instanceId, const QString &reason);
    [[nodiscard]] bool isRetired(const QUuid &instanceId) const;

    // Operator commands. They work at once, and no limit applies to them (spec 3). `byHost`: see
    // RestartPolicyEvaluator::start(). Only an agent that retire() removes is not started, and no
    // agent after the application has begun to quit.
    CommandResult start(const QUuid &instanceId, bool byHost = false);
    CommandResult stop(const QUuid &instanceId);
    CommandResult restart(const QUuid &instanceId,
                          const QString &reason = QStringLiteral("operator"), bool byHost = false);
    CommandResult retryNow(const QUuid &instanceId);
    /// Continues the agent from stored state, instead of start(): see
    /// RestartPolicyEvaluator::resume().
    void resume(const QUuid &instanceId, const InstanceMemory &memory);
    void startAll(); ///< in the order of ids(), except agents with setManualStart()
    /// Stops all agents, in reverse order and without waiting for each, unless setStopOrder() was
    /// called. allStopped() follows, because an agent that does not stop is killed
    /// (RestartPolicy::stopTimeout).
    void stopAll();

    /// Stops these agents, which are in reverse order, by RestartPolicyEvaluator::stop(id, true),
    /// now or later.
    using StopOrder = std::function<void(const QList<QUuid> &)>;
    /// Replaces the order in which stopAll() stops the agents. killAll() does not use it.
    void setStopOrder(StopOrder order);

    /// Kills all agents that still run. allStopped() follows.
    void killAll();

    /// Stops all agents before the application quits: after QCoreApplication::quit() or exit(),
    /// after the last window was closed, and after SIGINT or SIGTERM, which call quit(). exec()
    /// returns when they have stopped. After `limit`, more than 0, or after another signal, the
    /// agents are killed. After the same time again, or the next signal, exec() returns without
    /// waiting. Call it once, before exec(), in the thread of the application. It replaces the
    /// handlers of both signals until the supervisor is destroyed. A call of exit() while the
    /// agents are stopping ends the wait. In a slot, quit() and exit() are permitted; from Qt 6.5
    /// on, they stop the agents before they return.
    void quitGracefully(QCoreApplication &application, Duration limit = std::chrono::seconds(30));

    /// Decides whether an agent may be launched now. Its start is due, and no hold is left. If it
    /// returns false, the start is held with the hold of the gate. The gate must lift this hold
    /// later, and is then called again. Called in the thread of the supervisor. It must not call
    /// the supervisor.
    using LaunchGate = std::function<bool(const QUuid &instanceId)>;
    /// Sets a gate that every launch must pass; empty: none. There is one for each hold. That of
    /// Hold::Governor is called last.
    void setLaunchGate(Hold hold, LaunchGate gate);

    [[nodiscard]] QList<QUuid> ids() const; ///< in the order of add(), or of setOrder()
    /// Changes the order of these agents in ids(), startAll() and stopAll(); the others keep their
    /// places. Unknown and repeated ids are ignored. An AgentTableModel keeps its order.
    void setOrder(const QList<QUuid> &order);
    [[nodiscard]] QUuid idOf(const QString &name) const; ///< null if there is none
    [[nodiscard]] Agent *agent(const QUuid &instanceId) const;
    [[nodiscard]] std::optional<AgentSnapshot> snapshot(const QUuid &instanceId) const;

    /// Returns whether the agent was killed and still runs: see agentStuck().
    [[nodiscard]] bool isStuck(const QUuid &instanceId) const;

    /// Returns whether no agent runs or has a planned start.
    [[nodiscard]] bool isIdle() const;

    /// Returns whether all agents are being stopped: from stopAll() or killAll() until all have
    /// stopped or one is started.
    [[nodiscard]] bool isStopping() const;

    /// Limits policies by the license tier (spec 7). Set a provider: without one, the tier is Core,
    /// which restarts nothing. When the tier changes, the policies are limited again; agents keep
    /// running.
    [[nodiscard]] FeatureGate &featureGate() const;

    [[nodiscard]] RestartPolicyEvaluator &policyEvaluator() const;
    [[nodiscard]] AgentMonitor &monitor() const;
    [[nodiscard]] Scheduler &scheduler() const;

Q_SIGNALS:
    void agentAdded(const QUuid &instanceId);
    void agentRemoved(const QUuid &instanceId);

    /// The agent was killed and still runs, RestartPolicy::stopTimeout after that. It may exit
    /// later; until then, it is not started again. Also logged as a warning.
    void agentStuck(const QUuid &instanceId);

    /// After stopAll() or killAll(), the last agent has stopped, except for agents that are stuck.
    /// Emitted from the event loop also if no agent was running.
    void allStopped();

    /// The destructor has begun; agents and state can still be read.
    void aboutToBeDestroyed();

    /// setPolicy() or another license tier may have changed policyEvaluator().policy().
    void policyChanged(const QUuid &instanceId);

protected:
    bool event(QEvent *event) override;
    void connectNotify(const QMetaMethod &signal) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
