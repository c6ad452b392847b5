// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/restartcategory_p.h"
#include "policy/internal/words.h"

#include <rekindle/lifecycle/restartlog.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/policy/eventtext.h>

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

/// A line about an event. Without text, the event is not logged.
struct Line
{
    QtMsgType level = QtInfoMsg;
    QString text{};
};

Line lineOf(const RestartScheduled &event)
{
    return {
        QtInfoMsg,
        QStringLiteral("Restart scheduled for %1 at %2 (attempt %3)")
            .arg(named(event), toRfc3339(event.scheduledAt), QString::number(event.attemptNumber))};
}

Line lineOf(const RestartSucceeded &event)
{
    return {QtInfoMsg,
            QStringLiteral("Restart succeeded for %1 on attempt %2")
                .arg(named(event), QString::number(event.attemptNumber))};
}

Line lineOf(const RestartFailed &event)
{
    return {
        QtWarningMsg,
        QStringLiteral("Restart failed for %1: %2").arg(named(event), toText(event.failureReason))};
}

Line lineOf(const CircuitBreakerStateChanged &event)
{
    if (event.newState != CircuitBreakerState::Open)
        return {};
    const QString reset =
        event.resetDelay ? durationToString(*event.resetDelay) : QStringLiteral("never (isolated)");
    return {QtWarningMsg,
            QStringLiteral("Circuit breaker %1 for %2, reset in %3")
                .arg(event.restored ? QStringLiteral("still open") : QStringLiteral("opened"),
                     named(event), reset)};
}

Line lineOf(const RestartExhausted &event)
{
    return {QtCriticalMsg,
            QStringLiteral("Restart attempts exhausted for %1 after %2 attempts")
                .arg(named(event), QString::number(event.totalAttempts))};
}

Line lineOf(const PolicyDowngraded &event)
{
    return {QtWarningMsg,
            QStringLiteral("Policy of %1 falls back from %2 to %3 (tier: %4)")
                .arg(named(event), toText(event.requestedType), toText(event.effectiveType),
                     event.tier)};
}

Line lineOf(const HealthChanged &event)
{
    using State = AgentHealthStatus::State;
    const AgentHealthStatus &health = event.health;
    if (health.state == State::Unhealthy) {
        const ProbeResult latest = health.latest();
        return {QtWarningMsg,
                QStringLiteral("Health probe %1 of %2: %3 (consecutive failures: %4)")
                    .arg(latest.probe, named(event), latest.text,
                         QString::number(health.consecutiveMisses))};
    }
    if (health.state == State::Healthy && event.oldState == State::Unhealthy)
        return {QtInfoMsg, named(event) + QLatin1String(" is healthy again")};
    return {};
}

Line lineOf(const OperatorAction &event)
{
    return {QtInfoMsg, named(event) + QLatin1String(": ") + eventText(event)};
}

Line lineOf(const RestartDeclined &event)
{
    return {QtWarningMsg,
            QStringLiteral("%1 failed (%2); %3")
                .arg(named(event), toText(event.failureReason), eventText(event))};
}

void write(QtMsgType level, const QString &text)
{
    if (level == QtInfoMsg)
        qCInfo(restartCategory).noquote() << "[RST]" << text;
    else if (level == QtWarningMsg)
        qCWarning(restartCategory).noquote() << "[RST]" << text;
    else
        qCCritical(restartCategory).noquote() << "[RST]" << text;
}

} // namespace

RestartLog::RestartLog(RestartPolicyEvaluator &evaluator, QObject *parent)
    : QObject(parent)
{
    // Formats nothing if the category is disabled.
    const auto log = [](const auto &event) {
        if (!restartCategory().isCriticalEnabled())
            return;
        const Words::English english;
        if (const Line line = lineOf(event); !line.text.isEmpty())
            write(line.level, line.text);
    };
    using Evaluator = RestartPolicyEvaluator;
    connect(&evaluator, &Evaluator::decided, this,
            [&evaluator](const QUuid &id, const RestartDecision &decision) {
                if (!restartCategory().isDebugEnabled())
                    return;
                const auto snapshot = evaluator.snapshot(id);
                logDecision(named(snapshot ? snapshot->name : QString(), id), decision);
            });
    connect(&evaluator, &Evaluator::restartScheduled, this, log);
    connect(&evaluator, &Evaluator::restartSucceeded, this, log);
    connect(&evaluator, &Evaluator::restartFailed, this, log);
    connect(&evaluator, &Evaluator::circuitBreakerStateChanged, this, log);
    connect(&evaluator, &Evaluator::restartExhausted, this, log);
    connect(&evaluator, &Evaluator::restartDeclined, this, log);
    connect(&evaluator, &Evaluator::policyDowngraded, this, log);
    connect(&evaluator, &Evaluator::healthChanged, this, log);
    connect(&evaluator, &Evaluator::operatorActed, this, log);
}

} // namespace Rekindle
