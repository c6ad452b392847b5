// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "narrator_p.h"
#include "policy/internal/texthelpers.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/policy/eventtext.h>
#include <rekindle/process/exitcodetable.h>
#include <rekindle/process/processagent.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace Rekindle {

namespace {

// Further probe failures, and the unknown state after a start, are not worth a message.
QString healthChange(const HealthChanged &event)
{
    using State = AgentHealthStatus::State;
    const State now = event.health.state;
    if (now == State::Healthy && event.oldState == State::Unhealthy)
        return QStringLiteral("healthy again");
    if (now != State::Unhealthy || event.oldState == State::Unhealthy)
        return {};
    const ProbeResult latest = event.health.latest();
    return QStringLiteral("unhealthy (%1: %2)").arg(latest.probe, latest.text);
}

// The message about the failure covers the transition to open.
QString breakerChange(const CircuitBreakerStateChanged &event)
{
    if (event.newState == CircuitBreakerState::HalfOpen)
        return QStringLiteral("circuit breaker half-open; one trial start");
    return event.newState == CircuitBreakerState::Closed ? QStringLiteral("circuit breaker closed")
                                                         : QString();
}

} // namespace

Narrator::Narrator(AgentSupervisor &supervisor, Say say, QSet<QUuid> onDemand)
    : m_supervisor(supervisor)
    , m_say(std::move(say))
    , m_onDemand(std::move(onDemand))
{
    using Evaluator = RestartPolicyEvaluator;
    const Evaluator &evaluator = supervisor.policyEvaluator();
    // Reports the text of each such event, unless it is empty.
    const auto on = [&]<typename Event>(void (LifecycleSignals::*signal)(const Event &),
                                        auto text) {
        connect(&evaluator, signal, this, [this, text](const Event &event) {
            if (const QString what = text(event); !what.isEmpty())
                report(event.agent, what);
        });
    };
    const auto by = [this](auto text) { return std::bind_front(text, this); };
    const auto asEvent = [](const auto &event) { return eventText(event); };
    connect(&evaluator, &Evaluator::decided, this, &Narrator::noteDecision);
    connect(&evaluator, &Evaluator::stateChanged, this, &Narrator::reportState);
    connect(&evaluator, &Evaluator::restartStarted, this,
            [this](const RestartStarted &event) { m_announced.remove(event.instanceId); });
    connect(&evaluator, &Evaluator::operatorCommanded, this,
            [this](const QUuid &id, OperatorCommand command) {
                if (command == OperatorCommand::Restart)
                    m_restarted = id;
            });
    on(&Evaluator::agentFailed, by(&Narrator::failureText));
    on(&Evaluator::restartScheduled, by(&Narrator::scheduledText));
    on(&Evaluator::restartCancelled, by(&Narrator::cancelledText));
    on(&Evaluator::restartRequested, by(&Narrator::requestText));
    on(&Evaluator::circuitBreakerStateChanged, breakerChange);
    on(&Evaluator::healthChanged, healthChange);
    on(&Evaluator::policyDowngraded, asEvent);
    on(&Evaluator::groupExhausted, asEvent);
    on(&Evaluator::sharedBreakerStateChanged, asEvent);
    on(&Evaluator::groupRestarting, [](const GroupRestarting &event) {
        return event.members.size() > 1 ? eventText(event) : QString();
    });
    on(&Evaluator::restartSucceeded, [](const RestartSucceeded &event) {
        return QStringLiteral("ready again (restart %1)").arg(event.attemptNumber);
    });
    on(&Evaluator::restartExhausted, [this](const RestartExhausted &event) {
        const auto snapshot = m_supervisor.snapshot(event.instanceId);
        return snapshot && snapshot->nextStartAt
            ? QStringLiteral("a fresh sequence of restarts begins in %1")
                  .arg(readable(*snapshot->nextStartAt - event.monotonicTime))
            : QString();
    });
}

void Narrator::report(const QString &agent, const QString &what) const
{
    if (!m_isMuted)
        m_say(agent + QLatin1String(": ") + what);
}

void Narrator::reportProcesses()
{
    const RestartPolicyEvaluator &evaluator = m_supervisor.policyEvaluator();
    connect(&evaluator, &RestartPolicyEvaluator::agentStarted, this,
            [this](const AgentStarted &event) {
                m_say(QStringLiteral("%1: started (pid %2%3)")
                          .arg(event.agent, QString::number(event.processId),
                               event.generation > 1
                                   ? QStringLiteral(", restart #%1").arg(event.generation - 1)
                                   : QString()));
            });
    connect(&evaluator, &RestartPolicyEvaluator::agentStopped, this,
            [this, &evaluator](const AgentStopped &event) {
                const auto *const process =
                    qobject_cast<const ProcessAgent *>(m_supervisor.agent(event.instanceId));
                const auto status = process ? process->lastExitStatus() : std::nullopt;
                // A process that is restarted stops too.
                if (!status || evaluator.state(event.instanceId) != InstanceState::Stopped)
                    return;
                m_say(event.agent
                      + (*status == 0 ? QStringLiteral(": clean shutdown (exit code 0)")
                                      : QStringLiteral(": stopped (exit status %1)").arg(*status)));
            });
}

// The default reason of an agent that exits with 42 is "exit code 42".
QString Narrator::requestText(const RestartRequested &event)
{
    const Agent *const agent = m_supervisor.agent(event.instanceId);
    const QString exit = QStringLiteral("exit code %1").arg(ExitCodeTable::restartRequested);
    const bool isNamed = std::exchange(m_restarted, {}) == event.instanceId
        || (agent != nullptr && agent->isAlive()) || event.reason == exit;
    return (isNamed ? QString() : exit + QLatin1String("; ")) + eventText(event);
}

void Narrator::noteDecision(const QUuid &id, const RestartDecision &decision)
{
    m_decidedFor = id;
    m_decision = decision;
    const auto snapshot = m_supervisor.snapshot(id);
    if (snapshot && m_evaluating.remove(id))
        report(snapshot->name,
               consequence(snapshot->nextStartAt ? untilNextStart(*snapshot) : decision.delay));
}

// The last signal of a change.
void Narrator::reportState(const QUuid &id, InstanceState state)
{
    if (state != InstanceState::Evaluating)
        m_evaluating.remove(id);
    const bool isReported = std::exchange(m_decidedFor, {}) != id;
    // The message about the license tier covers a gated agent.
    if (isReported || state == InstanceState::Gated)
        return;
    m_decidedFor = id;
    if (const auto snapshot = m_supervisor.snapshot(id))
        report(snapshot->name, consequence(untilNextStart(*snapshot)));
}

QString Narrator::failureText(const AgentFailed &event)
{
    QString text = eventText(event);
    const auto snapshot = m_supervisor.snapshot(event.instanceId);
    if (snapshot && snapshot->state == InstanceState::Evaluating) {
        m_evaluating.insert(event.instanceId);
        return text + QLatin1String("; waiting for its evaluator");
    }
    if (m_decidedFor == event.instanceId)
        return text + QLatin1String("; ") + consequence(m_decision.delay);
    return text;
}

// A failure has its own message. Otherwise, another policy or license tier is the cause.
QString Narrator::scheduledText(const RestartScheduled &event)
{
    const int before = m_announced.value(event.instanceId);
    m_announced.insert(event.instanceId, event.attemptNumber);
    if (m_decidedFor != event.instanceId)
        return {};
    const QString replaced =
        before == 0 ? QString() : QStringLiteral("restart %1 replaced; ").arg(before);
    return replaced + consequence(event.delay);
}

// Only of restarts that were announced. A stop needs no message.
QString Narrator::cancelledText(const RestartCancelled &event)
{
    const QUuid &id = event.instanceId;
    if (m_announced.take(id) != event.attemptNumber || event.attemptNumber == 0)
        return {};
    const auto snapshot = m_supervisor.snapshot(id);
    if (!snapshot)
        return {};
    const QString restart = QStringLiteral("restart %1").arg(event.attemptNumber);
    if (snapshot->state == InstanceState::Gated)
        return restart + QLatin1String(" canceled");
    if (m_decidedFor == id)
        return restart + QLatin1String(" replaced; ") + consequence(untilNextStart(*snapshot));
    return snapshot->state == InstanceState::Waiting
        ? QLatin1String("starting now instead of ") + restart
        : QString();
}

Duration Narrator::untilNextStart(const AgentSnapshot &snapshot) const
{
    const Instant now = m_supervisor.policyEvaluator().scheduler().now();
    return std::max(Duration{0}, snapshot.nextStartAt.value_or(now) - now);
}

QString Narrator::consequence(Duration delay)
{
    const QUuid id = std::exchange(m_decidedFor, {});
    QString text = decisionText(id, delay);
    const auto &opinion = m_decision.evaluator;
    if (opinion
        && (opinion->answer != EvaluatorVerdict::Kind::Accept || !opinion->reason.isEmpty()))
        text += QStringLiteral(" (%1)").arg(
            evaluationText(opinion->id, opinion->answerText(), opinion->reason));
    return text;
}

QString Narrator::whyNotRestarted(const QUuid &id) const
{
    if (m_supervisor.policyEvaluator().state(id) != InstanceState::Gated)
        return m_onDemand.contains(id) ? QStringLiteral("the next call starts it")
                                       : QStringLiteral("its policy is none");
    return notPermittedText(toText(m_supervisor.featureGate().tier()),
                            m_supervisor.requestedPolicy(id).type);
}

QString Narrator::decisionText(const QUuid &id, Duration delay) const
{
    const DecisionInputs &inputs = m_decision.inputs;
    switch (m_decision.rule) {
    case DecisionRule::Restart: {
        const QString restart = restartText(m_decision.attemptNumber, inputs.maxRetries);
        if (delay <= Duration{0})
            return restart + QLatin1String(" now");
        return restart + QLatin1String(" in ") + readable(delay);
    }
    case DecisionRule::CircuitOpen:
        return QStringLiteral("circuit breaker open after %1, trial in %2")
            .arg(counted(inputs.breakerFailures, "failure", "failures"), readable(delay));
    case DecisionRule::AttemptsExhausted:
        return givenUpText(inputs.attemptsMade);
    case DecisionRule::WindowExhausted:
        return QStringLiteral("given up: too many restarts in the policy's window");
    case DecisionRule::PolicyNone:
        return QLatin1String("not restarted: ") + whyNotRestarted(id);
    case DecisionRule::PermanentFailure:
        return QStringLiteral("not restarted: permanent failure");
    case DecisionRule::EvaluatorRefused:
        return QStringLiteral("not restarted");
    }
    return {};
}

} // namespace Rekindle
