// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/restartlog.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <QLocale>
#include <QLoggingCategory>

#include <algorithm>
#include <limits>

namespace Rekindle {

namespace {

Q_LOGGING_CATEGORY(log, "rekindle.restart", QtInfoMsg)

QString name(const QUuid &id) { return id.toString(QUuid::WithoutBraces); }

// Without an exponent: the default format of an hour is "3.6e+06".
QString milliseconds(Duration duration)
{
    return QString::number(toMilliseconds(duration), 'f', QLocale::FloatingPointShortest);
}

QString limitText(const std::optional<int> &count)
{
    return count ? QString::number(*count) : QStringLiteral("unlimited");
}

void logDecision(const QUuid &id, const RestartDecision &decision)
{
    if (!log().isDebugEnabled())
        return;
    const DecisionInputs &inputs = decision.inputs;
    // If the attempts are exhausted, the last one is shown, not "attempt 4/3".
    const int attempt = std::min(inputs.attemptsMade + 1,
                                 inputs.maxRetries.value_or(std::numeric_limits<int>::max()));
    qCDebug(log).noquote() << QStringLiteral("[RST] Evaluating restart for %1, attempt %2/%3")
                                  .arg(name(id))
                                  .arg(attempt)
                                  .arg(limitText(inputs.maxRetries));
    if (decision.shouldRestart) {
        const bool jittered = inputs.jitter != JitterKind::None;
        qCDebug(log).noquote() << QStringLiteral(
                                      "[RST] Calculated delay: %1ms (policy: %2, jitter: %3)")
                                      .arg(milliseconds(decision.delay), toText(inputs.policyType),
                                           jittered ? QStringLiteral("true")
                                                    : QStringLiteral("false"));
    }
}

void logScheduled(const RestartScheduled &event)
{
    qCInfo(log).noquote() << QStringLiteral("[RST] Restart scheduled for %1 at %2 (attempt %3)")
                                 .arg(name(event.instanceId), toRfc3339(event.scheduledAt))
                                 .arg(event.attemptNumber);
}

void logSucceeded(const RestartSucceeded &event)
{
    qCInfo(log).noquote() << QStringLiteral("[RST] Restart succeeded for %1 on attempt %2")
                                 .arg(name(event.instanceId))
                                 .arg(event.attemptNumber);
}

void logFailed(const RestartFailed &event)
{
    qCWarning(log).noquote() << QStringLiteral("[RST] Restart failed for %1: %2")
                                    .arg(name(event.instanceId), toText(event.failureReason));
}

void logBreaker(const CircuitBreakerStateChanged &event)
{
    if (event.newState != CircuitBreakerState::Open)
        return;
    const QString reset = event.resetDelay ? milliseconds(*event.resetDelay) + QLatin1String("ms")
                                           : QStringLiteral("never (isolated)");
    const QString text = event.restored
        ? QStringLiteral("[RST] Circuit breaker still open for %1, reset in %2")
        : QStringLiteral("[RST] Circuit breaker opened for %1, reset in %2");
    qCWarning(log).noquote() << text.arg(name(event.instanceId), reset);
}

void logExhausted(const RestartExhausted &event)
{
    qCCritical(log).noquote() << QStringLiteral(
                                     "[RST] Restart attempts exhausted for %1 after %2 attempts")
                                     .arg(name(event.instanceId))
                                     .arg(event.totalAttempts);
}

void logDowngraded(const PolicyDowngraded &event)
{
    qCWarning(log).noquote() << QStringLiteral(
                                    "[RST] Policy of %1 falls back from %2 to %3 (tier: %4)")
                                    .arg(name(event.instanceId), toText(event.requestedType),
                                         toText(event.effectiveType), event.tier);
}

void logHealth(const HealthChanged &event)
{
    using State = AgentHealthStatus::State;
    const AgentHealthStatus &health = event.health;
    if (health.state == State::Unhealthy) {
        const ProbeResult latest = health.latest();
        qCWarning(log).noquote()
            << QStringLiteral("[RST] Health probe %1 of %2: %3 (consecutive failures: %4)")
                   .arg(latest.probe, name(event.instanceId), latest.text,
                        QString::number(health.consecutiveMisses));
    } else if (health.state == State::Healthy && event.oldState == State::Unhealthy) {
        qCInfo(log).noquote()
            << QStringLiteral("[RST] %1 is healthy again").arg(name(event.instanceId));
    }
}

} // namespace

RestartLog::RestartLog(RestartPolicyEvaluator &evaluator, QObject *parent)
    : QObject(parent)
{
    connect(&evaluator, &RestartPolicyEvaluator::decided, this, logDecision);
    connect(&evaluator, &RestartPolicyEvaluator::restartScheduled, this, logScheduled);
    connect(&evaluator, &RestartPolicyEvaluator::restartSucceeded, this, logSucceeded);
    connect(&evaluator, &RestartPolicyEvaluator::restartFailed, this, logFailed);
    connect(&evaluator, &RestartPolicyEvaluator::circuitBreakerStateChanged, this, logBreaker);
    connect(&evaluator, &RestartPolicyEvaluator::restartExhausted, this, logExhausted);
    connect(&evaluator, &RestartPolicyEvaluator::policyDowngraded, this, logDowngraded);
    connect(&evaluator, &RestartPolicyEvaluator::healthChanged, this, logHealth);
}

} // namespace Rekindle
