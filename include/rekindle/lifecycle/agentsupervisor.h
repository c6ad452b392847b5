// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/scheduler.h>

#include <QObject>

#include <memory>

namespace Rekindle {

class Agent;
class AgentMonitor;
class FeatureGate;
struct InstanceMemory;

/// How a supervisor goes about its starts.
struct SupervisorOptions
{
    /// Starts in one pass of the event loop, at most; 1 to 10000. The rest goes on in the next.
    int startsPerPass = 64;
    /// No further start in a pass that has taken this long; more than 0.
    Duration passBudget = std::chrono::milliseconds(10);
};

/// Owns agents and keeps them running by their policies: the one object that most hosts need.
///
/// ```
/// Rekindle::FixedLicenseProvider license(Rekindle::LicenseTier::Enterprise);
/// Rekindle::AgentSupervisor supervisor;
/// supervisor.featureGate().setProvider(&license);
/// const auto added = supervisor.add(u"indexer"_qs, std::make_unique<MyAgent>(), policy);
/// supervisor.start(added.id);
/// ```
///
/// Destroying the supervisor destroys the agents, and with them whatever they run, at once; for an
/// orderly end call stopAll() and wait for allStopped(). Any function may be called from any slot;
/// to delete the supervisor there, use deleteLater().
///
/// A slot that runs an event loop of its own (QDialog::exec(), QEventLoop, processEvents()) holds
/// back what all other agents have coming, starts, stops and events, for as long as it runs: events
/// are told one after the other, and the next one has its turn when the slot has returned.
///
/// The supervisor is used from the thread that it lives in, which needs a Qt event loop.
class REKINDLE_LIFECYCLE_EXPORT AgentSupervisor : public QObject
{
    Q_OBJECT

public:
    /// With a TimerScheduler of its own.
    explicit AgentSupervisor(QObject *parent = nullptr);

    /// `scheduler` must outlive the supervisor.
    explicit AgentSupervisor(Scheduler &scheduler, const SupervisorOptions &options = {},
                             RestartPolicyEvaluator::RandomSource random = {},
                             QObject *parent = nullptr);
    ~AgentSupervisor() override;

    /// What came of add(): an id, or the faults that refused it. Warnings come with an id.
    struct Added
    {
        QUuid id;
        QList<Fault> faults;
        explicit operator bool() const { return !id.isNull(); }
    };

    /// Takes an agent under this name and policy; it is not started yet. Refused are invalid
    /// policies, empty names and names that are taken. `readyAtOnce` tells that the agent is ready
    /// as soon as it is started (see validate()).
    Added add(const QString &name, std::unique_ptr<Agent> agent, const RestartPolicy &policy = {},
              bool readyAtOnce = false);

    /// Another policy for an agent, held against the licence tier; what waits is planned anew from
    /// its failure on. Errors as with add(); then the old policy stays.
    QList<Fault> setPolicy(const QUuid &instanceId, const RestartPolicy &policy,
                           bool readyAtOnce = false);

    /// What add() or setPolicy() asked for. What is in force, evaluator().policy() tells.
    [[nodiscard]] RestartPolicy requestedPolicy(const QUuid &instanceId) const;

    /// Takes the agent out at once: no event tells of it any more. It is destroyed, and what it
    /// runs, as soon as the event loop has its turn, for it may be emitting a signal right now.
    void remove(const QUuid &instanceId);

    // Operator. They always work, at once, and no limit holds them back (spec 3).
    void start(const QUuid &instanceId);
    void stop(const QUuid &instanceId);
    void restart(const QUuid &instanceId, const QString &reason = QStringLiteral("operator"));
    void retryNow(const QUuid &instanceId);
    /// Host, instead of start(), where it remembers the agent: see
    /// RestartPolicyEvaluator::resume().
    void resume(const QUuid &instanceId, const InstanceMemory &memory);
    void startAll(); ///< in the order of add()
    void stopAll();  ///< in reverse order, all at once; allStopped() follows

    /// Ends at once what still runs: for a user who will not wait any longer.
    void killAll();

    [[nodiscard]] QList<QUuid> ids() const;              ///< in the order of add()
    [[nodiscard]] QUuid idOf(const QString &name) const; ///< null if there is none
    [[nodiscard]] Agent *agent(const QUuid &instanceId) const;
    [[nodiscard]] std::optional<AgentSnapshot> snapshot(const QUuid &instanceId) const;

    /// Whether nothing runs, is about to run, or waits for its time.
    [[nodiscard]] bool isIdle() const;

    /// Holds policies against the licence tier (spec 7). Without a provider the tier is Core, which
    /// restarts nothing: give it one. When the tier changes, every agent gets the best that it has
    /// then, and what runs goes on.
    [[nodiscard]] FeatureGate &featureGate() const;

    [[nodiscard]] RestartPolicyEvaluator &evaluator() const;
    [[nodiscard]] AgentMonitor &monitor() const;
    [[nodiscard]] Scheduler &scheduler() const;

Q_SIGNALS:
    void agentAdded(const QUuid &instanceId);
    void agentRemoved(const QUuid &instanceId);

    /// After stopAll(): the last one has ended. Emitted at once, from the event loop, if nothing
    /// was running.
    void allStopped();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
