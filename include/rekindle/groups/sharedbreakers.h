// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/groups/export.h>
#include <rekindle/lifecycle/commandresult.h>
#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/sharedbreaker.h>

#include <QObject>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>

namespace Rekindle {

class AgentSupervisor;
class StartGate;

/// Applies circuit breakers that agents of a supervisor share, because they need the same
/// dependency, such as an API:
/// - A failure with FailureReason::DependencyFailure is a vote of the agent for the breaker that
///   FailureDetail::dependency names, or for the only one that it requires. If enough different
///   agents vote within the window, the breaker opens. The failures that were votes then count
///   toward no limit of their agents.
/// - While it is open, all starts of agents that require it wait, with the hold
///   Hold::SharedBreaker. Agents that run keep running; their failures count toward no limit
///   (AgentFailed::collateral).
/// - When the timeout has elapsed, one agent starts as the trial: the agent with the highest
///   priority, or among equals the one that has waited longest. If it stays ready for
///   `provenAfter`, the breaker closes, and the others start, limited by the governor. If it fails,
///   the breaker opens again, for a longer time. If the breaker has a probe, no agent starts: the
///   probe runs until it has failed once, or has succeeded for `provenAfter`.
///
/// Each change of a state is an event, SharedBreakerStateChanged.
///
/// Use the object from the supervisor's thread, and destroy it before the supervisor. Any function
/// may be called from any slot.
class REKINDLE_GROUPS_EXPORT SharedBreakers : public QObject
{
    Q_OBJECT

public:
    /// `gate` has the priorities of the agents; null: all have the same.
    explicit SharedBreakers(AgentSupervisor &supervisor, const StartGate *gate = nullptr,
                            QObject *parent = nullptr);
    /// Lifts the holds.
    ~SharedBreakers() override;

    /// Replaces all breakers. One that exists before and after keeps its state. Returns the
    /// faults of the policies, and repeated names; with faults, nothing changes.
    QStringList setBreakers(const QList<SharedBreakerPolicy> &breakers);
    [[nodiscard]] QList<SharedBreakerPolicy> breakers() const;

    /// Sets the probe that decides the trials of a breaker instead of an agent; with a null probe,
    /// removes it. A breaker that does not exist is ignored. Of the schedule, only `interval` and
    /// `timeout` are used.
    void setProbe(const QString &breaker, HealthCheck check);

    /// Sets the breakers that an agent requires, by its name, which may be added later. Names of
    /// unknown breakers have no effect.
    void setRequired(const QString &agent, const QStringList &breakers);
    [[nodiscard]] QStringList required(const QString &agent) const;

    /// Nothing if there is no such breaker.
    [[nodiscard]] std::optional<CircuitBreakerInfo> info(const QString &breaker) const;

    /// The failures that count toward opening the breaker, oldest first.
    [[nodiscard]] QList<SharedBreaker::Vote> votes(const QString &breaker) const;

    /// The agents that require the breaker, in the order of the supervisor.
    [[nodiscard]] QList<QUuid> agents(const QString &breaker) const;

    /// The agent whose start is the trial; null if none is.
    [[nodiscard]] QUuid trial(const QString &breaker) const;

    // What must survive an exit of the host: see StateFile.
    [[nodiscard]] std::optional<CircuitBreakerSnapshot> snapshot(const QString &breaker) const;
    /// Restores the state, before the agents are started. A trial begins again.
    void restore(const QString &breaker, const CircuitBreakerSnapshot &snapshot);

    /// Decides with other hosts about the trials of breakers that are fleet-wide.
    struct TrialGate
    {
        /// Whether a trial may begin now. If not, call tryTrial() when that may have changed.
        std::function<bool(const QString &breaker)> permits;
        /// What an open breaker waits for, if not for its timeout; for people.
        std::function<QString(const QString &breaker)> text;
    };

    /// Without a gate, each host decides alone.
    void setTrialGate(TrialGate gate);
    /// Begins the trial of a breaker if it is due, permitted, and an agent or a probe can be the
    /// trial.
    void tryTrial(const QString &breaker);
    /// Another host has opened or closed a breaker: see SharedBreaker::follow().
    void follow(const QString &breaker, CircuitBreakerState state, int reopened);

    // Operator, by name.
    CommandResult reset(const QString &breaker);   ///< closes it; the agents start
    CommandResult isolate(const QString &breaker); ///< holds it open until release() or reset()
    CommandResult release(const QString &breaker);

Q_SIGNALS:
    /// The snapshot() of a breaker may have changed.
    void memoryChanged();

    /// `agent` is the one whose failure or start is the reason; empty if there is none.
    void stateChanged(const QString &breaker, Rekindle::CircuitBreakerState oldState,
                      Rekindle::CircuitBreakerState newState, const QString &agent);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
