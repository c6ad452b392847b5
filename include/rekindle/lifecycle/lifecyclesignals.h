// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/lifecycleevent.h>

#include <QObject>

#include <tuple>

namespace Rekindle {

class EventOutbox;
class InstanceEngine;

/// What a RestartPolicyEvaluator and an AgentSupervisor report. The signals of the supervisor
/// follow the signals of its evaluator.
class REKINDLE_LIFECYCLE_EXPORT LifecycleSignals : public QObject
{
    Q_OBJECT

public:
    ~LifecycleSignals() override;

Q_SIGNALS:
    // One signal for each event, and lifecycleEvent() for all of them; both are emitted,
    // lifecycleEvent() last.
    void agentStarted(const Rekindle::AgentStarted &event);
    void agentReady(const Rekindle::AgentReady &event);
    void agentStable(const Rekindle::AgentStable &event);
    void agentStopped(const Rekindle::AgentStopped &event);
    void agentFailed(const Rekindle::AgentFailed &event);
    void restartRequested(const Rekindle::RestartRequested &event);
    void restartScheduled(const Rekindle::RestartScheduled &event);
    void restartStarted(const Rekindle::RestartStarted &event);
    void restartSucceeded(const Rekindle::RestartSucceeded &event);
    void restartFailed(const Rekindle::RestartFailed &event);
    void restartExhausted(const Rekindle::RestartExhausted &event);
    void restartCancelled(const Rekindle::RestartCancelled &event);
    void circuitBreakerStateChanged(const Rekindle::CircuitBreakerStateChanged &event);
    void startHeld(const Rekindle::StartHeld &event);
    void restartDeclined(const Rekindle::RestartDeclined &event);
    void policyDowngraded(const Rekindle::PolicyDowngraded &event);
    void healthChanged(const Rekindle::HealthChanged &event);
    void agentOutput(const Rekindle::AgentOutput &event);
    void operatorActed(const Rekindle::OperatorAction &event);
    void configurationApplied(const Rekindle::ConfigurationApplied &event);
    void groupRestarting(const Rekindle::GroupRestarting &event);
    void groupExhausted(const Rekindle::GroupExhausted &event);
    void sharedBreakerStateChanged(const Rekindle::SharedBreakerStateChanged &event);
    void lifecycleEvent(const Rekindle::LifecycleEvent &event);

    /// An operator command was applied to an instance. `state` is the state before the command.
    /// `byHost`: it was a start(), stop() or restart() with this argument.
    /// Emitted before the events and the decision that the command causes. Not emitted in a
    /// state that ignores the command, such as stop() in state Stopped.
    void operatorCommanded(const QUuid &instanceId, Rekindle::OperatorCommand command,
                           Rekindle::InstanceState state, bool byHost);

    /// The state of the instance changed. Emitted after the events that caused it.
    void stateChanged(const QUuid &instanceId, Rekindle::InstanceState state);

protected:
    explicit LifecycleSignals(QObject *parent);

private:
    friend EventOutbox;
    friend InstanceEngine;
    /// The signals of events, in the order of LifecycleEvent.
    static constexpr auto ofEvents()
    {
        using Self = LifecycleSignals;
        return std::tuple(
            &Self::agentStarted, &Self::agentReady, &Self::agentStable, &Self::agentStopped,
            &Self::agentFailed, &Self::restartRequested, &Self::restartScheduled,
            &Self::restartStarted, &Self::restartSucceeded, &Self::restartFailed,
            &Self::restartExhausted, &Self::restartCancelled, &Self::circuitBreakerStateChanged,
            &Self::startHeld, &Self::restartDeclined, &Self::policyDowngraded, &Self::healthChanged,
            &Self::agentOutput, &Self::operatorActed, &Self::configurationApplied,
            &Self::groupRestarting, &Self::groupExhausted, &Self::sharedBreakerStateChanged);
    }
};

} // namespace Rekindle
