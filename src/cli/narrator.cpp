// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "narrator_p.h"

#include "fortext_p.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <utility>

namespace Rekindle {

namespace {

QString ofMost(int attempt, const std::optional<int> &most)
{
    return most ? QStringLiteral("%1 of %2").arg(attempt).arg(*most) : QString::number(attempt);
}

} // namespace

Narrator::Narrator(RestartPolicyEvaluator &evaluator, Say say)
    : m_evaluator(evaluator)
    , m_say(std::move(say))
{
    connect(&evaluator, &RestartPolicyEvaluator::decided, this, &Narrator::hearDecision);
    connect(&evaluator, &RestartPolicyEvaluator::agentStarted, this,
            [this](const AgentStarted &event) { m_asked.remove(event.instanceId); });
    connect(&evaluator, &RestartPolicyEvaluator::agentFailed, this, &Narrator::tellFailure);
    connect(&evaluator, &RestartPolicyEvaluator::circuitBreakerStateChanged, this,
            &Narrator::tellBreaker);
    connect(&evaluator, &RestartPolicyEvaluator::restartExhausted, this, &Narrator::tellRearming);
    connect(&evaluator, &RestartPolicyEvaluator::restartRequested, this,
            [this](const RestartRequested &event) {
                m_say(QStringLiteral("%1 asks for a restart (%2)").arg(event.agent, event.reason));
            });
    connect(&evaluator, &RestartPolicyEvaluator::restartSucceeded, this,
            [this](const RestartSucceeded &event) {
                m_say(QStringLiteral("%1 is ready again (restart %2)")
                          .arg(event.agent)
                          .arg(event.attemptNumber));
            });
    connect(&evaluator, &RestartPolicyEvaluator::policyDowngraded, this,
            [this](const PolicyDowngraded &event) { m_say(forPeople(event)); });
    connect(&evaluator, &RestartPolicyEvaluator::healthChanged, this, &Narrator::tellHealth);
}

// A new start makes it unknown, and that is no news; nor is every further miss.
void Narrator::tellHealth(const HealthChanged &event)
{
    using State = AgentHealthStatus::State;
    const State now = event.health.state;
    if (now == event.oldState)
        return;
    if (now == State::Unhealthy) {
        const ProbeResult latest = event.health.latest();
        m_say(
            QStringLiteral("%1 is unhealthy (%2: %3)").arg(event.agent, latest.probe, latest.text));
    } else if (now == State::Healthy && event.oldState == State::Unhealthy) {
        m_say(QStringLiteral("%1 is healthy again").arg(event.agent));
    }
}

void Narrator::mute() { disconnect(&m_evaluator, nullptr, this, nullptr); }

// The first one after a failure is that of the built-in rules. Where an evaluator is asked it is no
// more than what it sees; the next one holds.
void Narrator::hearDecision(const QUuid &id, const RestartDecision &decision)
{
    m_decidedFor = id;
    m_decision = decision;
    const auto snapshot = m_evaluator.snapshot(id);
    if (snapshot && snapshot->state != InstanceState::Evaluating && m_asked.remove(id))
        m_say(snapshot->name + QLatin1String(": ") + consequence());
}

void Narrator::tellFailure(const AgentFailed &event)
{
    QString line =
        QStringLiteral("%1 failed (%2)").arg(event.agent, forPeople(event.reason, event.detail));
    const auto snapshot = m_evaluator.snapshot(event.instanceId);
    if (snapshot && snapshot->state == InstanceState::Evaluating) {
        m_asked.insert(event.instanceId);
        line += QLatin1String(", its evaluator decides");
    } else if (m_decidedFor == event.instanceId) {
        line += QLatin1String(", ") + consequence();
    }
    m_say(line);
}

QString Narrator::consequence() const
{
    const DecisionInputs &inputs = m_decision.inputs;
    switch (m_decision.rule) {
    case DecisionRule::Restart: {
        const QString restart =
            QLatin1String("restart ") + ofMost(m_decision.attemptNumber, inputs.maxRetries);
        if (m_decision.delay <= Duration{0})
            return restart + QLatin1String(" now");
        return restart + QLatin1String(" in ") + forPeople(m_decision.delay);
    }
    case DecisionRule::CircuitOpen:
        return QStringLiteral("circuit breaker open after %1: next try in %2")
            .arg(counted(inputs.breakerFailures, QStringLiteral("failure"),
                         QStringLiteral("failures")),
                 forPeople(m_decision.delay));
    case DecisionRule::AttemptsExhausted:
        return QStringLiteral("given up after %1")
            .arg(counted(inputs.attemptsMade, QStringLiteral("restart"),
                         QStringLiteral("restarts")));
    case DecisionRule::WindowExhausted:
        return QStringLiteral("given up: too many restarts within the policy's window");
    case DecisionRule::PolicyNone:
        return QStringLiteral("not restarted: its policy is none");
    case DecisionRule::PermanentFailure:
        return QStringLiteral("not restarted: trying again would not help");
    case DecisionRule::EvaluatorRefused:
        return QStringLiteral("not restarted: its evaluator refused");
    }
    return {};
}

void Narrator::tellBreaker(const CircuitBreakerStateChanged &event)
{
    // What opens it was told with the failure.
    if (event.newState == CircuitBreakerState::HalfOpen)
        m_say(QStringLiteral("%1: circuit breaker half-open, one trial start").arg(event.agent));
    else if (event.newState == CircuitBreakerState::Closed)
        m_say(QStringLiteral("%1: circuit breaker closed again").arg(event.agent));
}

void Narrator::tellRearming(const RestartExhausted &event)
{
    const auto snapshot = m_evaluator.snapshot(event.instanceId);
    if (snapshot && snapshot->nextStartAt)
        m_say(QStringLiteral("%1: a fresh sequence of restarts begins in %2")
                  .arg(event.agent, forPeople(*snapshot->nextStartAt - event.monotonicTime)));
}

} // namespace Rekindle
