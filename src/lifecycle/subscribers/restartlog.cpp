// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/restartcategory_p.h"

#include <rekindle/lifecycle/restartlog.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <QLocale>

#include <algorithm>
#include <limits>

namespace Rekindle {

namespace {

// "web (ID)"; instances without a supervisor may have no name.
QString named(const QString &agent, const QUuid &instanceId)
{
    const QString id = instanceId.toString(QUuid::WithoutBraces);
    return agent.isEmpty() ? id : QStringLiteral("%1 (%2)").arg(agent, id);
}

QString named(const EventHeader &event) { return named(event.agent, event.instanceId); }

// Without an exponent: the default format of an hour is "3.6e+06".
QString milliseconds(Duration duration)
{
    return QString::number(toMilliseconds(duration), 'f', QLocale::FloatingPointShortest);
}

void logDecision(const QString &instance, const RestartDecision &decision)
{
    const DecisionInputs &inputs = decision.inputs;
    const QString limit =
        inputs.maxRetries ? QString::number(*inputs.maxRetries) : QStringLiteral("unlimited");
    // If the attempts are exhausted, the last one is shown, not "attempt 4/3".
    const int attempt = std::min(inputs.attemptsMade + 1,
                                 inputs.maxRetries.value_or(std::numeric_limits<int>::max()));
    qCDebug(restartCategory).noquote().nospace()
        << "[RST] Evaluating restart for " << instance << ", attempt " << attempt << '/' << limit;
    if (decision.shouldRestart) {
        qCDebug(restartCategory).noquote().nospace()
            << "[RST] Calculated delay: " << milliseconds(decision.delay)
            << "ms (policy: " << toText(inputs.policyType)
            << ", jitter: " << (inputs.jitter != JitterKind::None) << ')';
    }
}

void logScheduled(const RestartScheduled &event)
{
    qCInfo(restartCategory).noquote().nospace()
        << "[RST] Restart scheduled for " << named(event) << " at " << toRfc3339(event.scheduledAt)
        << " (attempt " << event.attemptNumber << ')';
}

void logSucceeded(const RestartSucceeded &event)
{
    qCInfo(restartCategory).noquote().nospace()
        << "[RST] Restart succeeded for " << named(event) << " on attempt " << event.attemptNumber;
}

void logFailed(const RestartFailed &event)
{
    qCWarning(restartCategory).noquote().nospace()
        << "[RST] Restart failed for " << named(event) << ": " << toText(event.failureReason);
}

void logBreaker(const CircuitBreakerStateChanged &event)
{
    if (event.newState != CircuitBreakerState::Open)
        return;
    const QString reset = event.resetDelay ? milliseconds(*event.resetDelay) + QLatin1String("ms")
                                           : QStringLiteral("never (isolated)");
    qCWarning(restartCategory).noquote().nospace()
        << "[RST] Circuit breaker " << (event.restored ? "still open" : "opened") << " for "
        << named(event) << ", reset in " << reset;
}

void logExhausted(const RestartExhausted &event)
{
    qCCritical(restartCategory).noquote().nospace()
        << "[RST] Restart attempts exhausted for " << named(event) << " after "
        << event.totalAttempts << " attempts";
}

void logDowngraded(const PolicyDowngraded &event)
{
    qCWarning(restartCategory).noquote().nospace()
        << "[RST] Policy of " << named(event) << " falls back from " << toText(event.requestedType)
        << " to " << toText(event.effectiveType) << " (tier: " << event.tier << ')';
}

void logHealth(const HealthChanged &event)
{
    using State = AgentHealthStatus::State;
    const AgentHealthStatus &health = event.health;
    if (health.state == State::Unhealthy) {
        const ProbeResult latest = health.latest();
        qCWarning(restartCategory).noquote().nospace()
            << "[RST] Health probe " << latest.probe << " of " << named(event) << ": "
            << latest.text << " (consecutive failures: " << health.consecutiveMisses << ')';
    } else if (health.state == State::Healthy && event.oldState == State::Unhealthy) {
        qCInfo(restartCategory).noquote() << "[RST]" << named(event) << "is healthy again";
    }
}

} // namespace

RestartLog::RestartLog(RestartPolicyEvaluator &evaluator, QObject *parent)
    : QObject(parent)
{
    connect(&evaluator, &RestartPolicyEvaluator::decided, this,
            [&evaluator](const QUuid &id, const RestartDecision &decision) {
                if (!restartCategory().isDebugEnabled())
                    return;
                const auto snapshot = evaluator.snapshot(id);
                logDecision(named(snapshot ? snapshot->name : QString(), id), decision);
            });
    connect(&evaluator, &RestartPolicyEvaluator::restartScheduled, this, logScheduled);
    connect(&evaluator, &RestartPolicyEvaluator::restartSucceeded, this, logSucceeded);
    connect(&evaluator, &RestartPolicyEvaluator::restartFailed, this, logFailed);
    connect(&evaluator, &RestartPolicyEvaluator::circuitBreakerStateChanged, this, logBreaker);
    connect(&evaluator, &RestartPolicyEvaluator::restartExhausted, this, logExhausted);
    connect(&evaluator, &RestartPolicyEvaluator::policyDowngraded, this, logDowngraded);
    connect(&evaluator, &RestartPolicyEvaluator::healthChanged, this, logHealth);
}

} // namespace Rekindle
