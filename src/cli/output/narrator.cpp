// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "narrator_p.h"

#include "fortext_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

QString ofMost(int attempt, const std::optional<int> &most)
{
    return most ? QStringLiteral("%1 of %2").arg(attempt).arg(*most) : QString::number(attempt);
}

} // namespace

Narrator::Narrator(AgentSupervisor &supervisor, Say say)
    : m_supervisor(supervisor)
    , m_say(std::move(say))
{
    const RestartPolicyEvaluator &evaluator = supervisor.evaluator();
    connect(&evaluator, &RestartPolicyEvaluator::decided, this, &Narrator::hearDecision);
    connect(&evaluator, &RestartPolicyEvaluator::stateChanged, this, &Narrator::hearState);
    connect(&evaluator, &RestartPolicyEvaluator::restartScheduled, this, &Narrator::tellScheduled);
    connect(&evaluator, &RestartPolicyEvaluator::restartStarted, this,
            [this](const RestartStarted &event) { m_announced.remove(event.instanceId); });
    connect(&evaluator, &RestartPolicyEvaluator::restartCancelled, this, &Narrator::tellCancelled);
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

void Narrator::mute() { disconnect(&m_supervisor.evaluator(), nullptr, this, nullptr); }

void Narrator::hearDecision(const QUuid &id, const RestartDecision &decision)
{
    m_decidedFor = id;
    m_decision = decision;
    const auto snapshot = m_supervisor.snapshot(id);
    if (snapshot && m_asked.remove(id))
        m_say(snapshot->name + QLatin1String(": ")
              + consequence(snapshot->nextStartAt ? untilNextStart(*snapshot) : decision.delay));
}

// The last of what is told of a change.
void Narrator::hearState(const QUuid &id, InstanceState state)
{
    if (state != InstanceState::Evaluating)
        m_asked.remove(id);
    const bool isTold = std::exchange(m_decidedFor, {}) != id;
    // What a tier takes away is told with the tier.
    if (isTold || state == InstanceState::Gated)
        return;
    m_decidedFor = id;
    if (const auto snapshot = m_supervisor.snapshot(id))
        m_say(snapshot->name + QLatin1String(": ") + consequence(untilNextStart(*snapshot)));
}

void Narrator::tellFailure(const AgentFailed &event)
{
    QString line =
        QStringLiteral("%1 failed (%2)").arg(event.agent, forPeople(event.reason, event.detail));
    const auto snapshot = m_supervisor.snapshot(event.instanceId);
    if (snapshot && snapshot->state == InstanceState::Evaluating) {
        m_asked.insert(event.instanceId);
        line += QLatin1String(", its evaluator decides");
    } else if (m_decidedFor == event.instanceId) {
        line += QLatin1String(", ") + consequence(m_decision.delay);
    }
    m_say(line);
}

// With a failure it was told already; without one another policy or licence tier is the cause.
void Narrator::tellScheduled(const RestartScheduled &event)
{
    const int before = m_announced.value(event.instanceId);
    m_announced.insert(event.instanceId, event.attemptNumber);
    if (m_decidedFor != event.instanceId)
        return;
    QString line = event.agent + QLatin1String(": ");
    if (before != 0)
        line += QStringLiteral("instead of restart %1: ").arg(before);
    m_say(line + consequence(event.delay));
}

// Of what was announced. Who stops an agent need not be told, and what a tier takes away is told
// with the tier.
void Narrator::tellCancelled(const RestartCancelled &event)
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
        m_say(line + restart + QLatin1String(" is cancelled"));
    else if (m_decidedFor == id)
        m_say(line + QStringLiteral("instead of %1: ").arg(restart)
              + consequence(untilNextStart(*snapshot)));
    else if (snapshot->state == InstanceState::Waiting)
        m_say(line + QLatin1String("started now instead of ") + restart);
}

Duration Narrator::untilNextStart(const AgentSnapshot &snapshot) const
{
    const Instant now = m_supervisor.evaluator().scheduler().now();
    return std::max(Duration{0}, snapshot.nextStartAt.value_or(now) - now);
}

QString Narrator::consequence(Duration delay)
{
    const QUuid id = std::exchange(m_decidedFor, {});
    QString text = plainConsequence(id, delay);
    const auto &opinion = m_decision.evaluator;
    if (opinion
        && (opinion->answer != EvaluatorVerdict::Kind::Accept || !opinion->reason.isEmpty()))
        text += QStringLiteral(" (%1)").arg(
            opinionText(opinion->id, opinion->answerText(), opinion->reason));
    return text;
}

QString Narrator::whyNone(const QUuid &id) const
{
    if (m_supervisor.evaluator().state(id) != InstanceState::Gated)
        return QStringLiteral("its policy is none");
    return QStringLiteral("tier %1 has no %2 restarts")
        .arg(toText(m_supervisor.featureGate().tier()),
             toText(m_supervisor.requestedPolicy(id).type));
}

QString Narrator::plainConsequence(const QUuid &id, Duration delay) const
{
    const DecisionInputs &inputs = m_decision.inputs;
    switch (m_decision.rule) {
    case DecisionRule::Restart: {
        const QString restart =
            QLatin1String("restart ") + ofMost(m_decision.attemptNumber, inputs.maxRetries);
        if (delay <= Duration{0})
            return restart + QLatin1String(" now");
        return restart + QLatin1String(" in ") + forPeople(delay);
    }
    case DecisionRule::CircuitOpen:
        return QStringLiteral("circuit breaker open after %1: next try in %2")
            .arg(counted(inputs.breakerFailures, QStringLiteral("failure"),
                         QStringLiteral("failures")),
                 forPeople(delay));
    case DecisionRule::AttemptsExhausted:
        return QStringLiteral("given up after %1")
            .arg(counted(inputs.attemptsMade, QStringLiteral("restart"),
                         QStringLiteral("restarts")));
    case DecisionRule::WindowExhausted:
        return QStringLiteral("given up: too many restarts within the policy's window");
    case DecisionRule::PolicyNone:
        return QLatin1String("not restarted: ") + whyNone(id);
    case DecisionRule::PermanentFailure:
        return QStringLiteral("not restarted: trying again would not help");
    case DecisionRule::EvaluatorRefused:
        return QStringLiteral("not restarted");
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
    const auto snapshot = m_supervisor.snapshot(event.instanceId);
    if (snapshot && snapshot->nextStartAt)
        m_say(QStringLiteral("%1: a fresh sequence of restarts begins in %2")
                  .arg(event.agent, forPeople(*snapshot->nextStartAt - event.monotonicTime)));
}

} // namespace Rekindle
