// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "narrator_p.h"
#include "policy/internal/texthelpers.h"

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/policy/eventtext.h>
#include <rekindle/process/exitcodetable.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

Narrator::Narrator(AgentSupervisor &supervisor, Say say, QSet<QUuid> onDemand)
    : m_supervisor(supervisor)
    , m_say(std::move(say))
    , m_onDemand(std::move(onDemand))
{
    const RestartPolicyEvaluator &evaluator = supervisor.policyEvaluator();
    connect(&evaluator, &RestartPolicyEvaluator::decided, this, &Narrator::noteDecision);
    connect(&evaluator, &RestartPolicyEvaluator::stateChanged, this, &Narrator::reportState);
    connect(&evaluator, &RestartPolicyEvaluator::restartScheduled, this,
            &Narrator::reportScheduled);
    connect(&evaluator, &RestartPolicyEvaluator::restartStarted, this,
            [this](const RestartStarted &event) { m_announced.remove(event.instanceId); });
    connect(&evaluator, &RestartPolicyEvaluator::restartCancelled, this,
            &Narrator::reportCancelled);
    connect(&evaluator, &RestartPolicyEvaluator::agentFailed, this, &Narrator::reportFailure);
    connect(&evaluator, &RestartPolicyEvaluator::circuitBreakerStateChanged, this,
            &Narrator::reportBreaker);
    connect(&evaluator, &RestartPolicyEvaluator::restartExhausted, this, &Narrator::reportRearming);
    connect(&evaluator, &RestartPolicyEvaluator::restartRequested, this, &Narrator::reportRequest);
    connect(&evaluator, &RestartPolicyEvaluator::operatorCommanded, this,
            [this](const QUuid &id, OperatorCommand command) {
                if (command == OperatorCommand::Restart)
                    m_restarted = id;
            });
    connect(&evaluator, &RestartPolicyEvaluator::restartSucceeded, this,
            [this](const RestartSucceeded &event) {
                m_say(QStringLiteral("%1: ready again (restart %2)")
                          .arg(event.agent)
                          .arg(event.attemptNumber));
            });
    connect(&evaluator, &RestartPolicyEvaluator::policyDowngraded, this,
            [this](const PolicyDowngraded &event) {
                m_say(event.agent + QLatin1String(": ")
                      + downgradeText(event.tier, event.requestedType, event.effectiveType));
            });
    connect(&evaluator, &RestartPolicyEvaluator::healthChanged, this, &Narrator::reportHealth);
    connect(&evaluator, &RestartPolicyEvaluator::groupRestarting, this,
            [this](const GroupRestarting &event) {
                if (event.members.size() > 1)
                    m_say(event.agent + QLatin1String(": ") + eventText(event));
            });
    connect(&evaluator, &RestartPolicyEvaluator::groupExhausted, this,
            [this](const GroupExhausted &event) {
                m_say(event.agent + QLatin1String(": ") + eventText(event));
            });
    connect(&evaluator, &RestartPolicyEvaluator::sharedBreakerStateChanged, this,
            [this](const SharedBreakerStateChanged &event) {
                m_say(event.agent + QLatin1String(": ") + eventText(event));
            });
}

// The default reason of an agent that exits with 42 is "exit code 42".
void Narrator::reportRequest(const RestartRequested &event)
{
    const Agent *const agent = m_supervisor.agent(event.instanceId);
    const QString exit = QStringLiteral("exit code %1").arg(ExitCodeTable::restartRequested);
    const bool isNamed = std::exchange(m_restarted, {}) == event.instanceId
        || (agent != nullptr && agent->isAlive()) || event.reason == exit;
    m_say(event.agent + QLatin1String(": ") + (isNamed ? QString() : exit + QLatin1String("; "))
          + QStringLiteral("restart requested (%1)").arg(event.reason));
}

// Further probe failures, and the unknown state after a start, are not worth a message.
void Narrator::reportHealth(const HealthChanged &event)
{
    using State = AgentHealthStatus::State;
    const State now = event.health.state;
    if (now == event.oldState)
        return;
    if (now == State::Unhealthy) {
        const ProbeResult latest = event.health.latest();
        m_say(QStringLiteral("%1: unhealthy (%2: %3)").arg(event.agent, latest.probe, latest.text));
    } else if (now == State::Healthy && event.oldState == State::Unhealthy) {
        m_say(QStringLiteral("%1: healthy again").arg(event.agent));
    }
}

void Narrator::mute() { disconnect(&m_supervisor.policyEvaluator(), nullptr, this, nullptr); }

void Narrator::noteDecision(const QUuid &id, const RestartDecision &decision)
{
    m_decidedFor = id;
    m_decision = decision;
    const auto snapshot = m_supervisor.snapshot(id);
    if (snapshot && m_evaluating.remove(id))
        m_say(snapshot->name + QLatin1String(": ")
              + consequence(snapshot->nextStartAt ? untilNextStart(*snapshot) : decision.delay));
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
        m_say(snapshot->name + QLatin1String(": ") + consequence(untilNextStart(*snapshot)));
}

void Narrator::reportFailure(const AgentFailed &event)
{
    QString line = QStringLiteral("%1: %2; ").arg(event.agent, eventText(event));
    const auto snapshot = m_supervisor.snapshot(event.instanceId);
    if (snapshot && snapshot->state == InstanceState::Evaluating) {
        m_evaluating.insert(event.instanceId);
        line += QLatin1String("waiting for its evaluator");
    } else if (m_decidedFor == event.instanceId) {
        line += consequence(m_decision.delay);
    } else {
        line.chop(2);
    }
    m_say(line);
}

// A failure has its own message. Otherwise, another policy or license tier is the cause.
void Narrator::reportScheduled(const RestartScheduled &event)
{
    const int before = m_announced.value(event.instanceId);
    m_announced.insert(event.instanceId, event.attemptNumber);
    if (m_decidedFor != event.instanceId)
        return;
    QString line = event.agent + QLatin1String(": ");
    if (before != 0)
        line += QStringLiteral("restart %1 replaced; ").arg(before);
    m_say(line + consequence(event.delay));
}

// Only of restarts that were announced. A stop needs no message.
void Narrator::reportCancelled(const RestartCancelled &event)
{
    const QUuid &id = event.instanceId;
    if (m_announced.take(id) != event.attemptNumber || event.attemptNumber == 0)
        return;
    const auto snapshot = m_supervisor.snapshot(id);
    if (!snapshot)
        return;
    const QString restart = QStringLiteral("restart %1").arg(event.attemptNumber);
    const QString line = event.agent + QLatin1String(": ");
    if (snapshot->state == InstanceState::Gated)
        m_say(line + restart + QLatin1String(" canceled"));
    else if (m_decidedFor == id)
        m_say(line + restart + QLatin1String(" replaced; ")
              + consequence(untilNextStart(*snapshot)));
    else if (snapshot->state == InstanceState::Waiting)
        m_say(line + QLatin1String("starting now instead of ") + restart);
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

void Narrator::reportBreaker(const CircuitBreakerStateChanged &event)
{
    // The message about the failure covers the transition to open.
    if (event.newState == CircuitBreakerState::HalfOpen)
        m_say(QStringLiteral("%1: circuit breaker half-open; one trial start").arg(event.agent));
    else if (event.newState == CircuitBreakerState::Closed)
        m_say(QStringLiteral("%1: circuit breaker closed").arg(event.agent));
}

void Narrator::reportRearming(const RestartExhausted &event)
{
    const auto snapshot = m_supervisor.snapshot(event.instanceId);
    if (snapshot && snapshot->nextStartAt)
        m_say(QStringLiteral("%1: a fresh sequence of restarts begins in %2")
                  .arg(event.agent, readable(*snapshot->nextStartAt - event.monotonicTime)));
}

} // namespace Rekindle
