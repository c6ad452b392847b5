// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/text/validtext_p.h"
#include "policy/internal/texthelpers.h"
#include "policy/values/eventtable_p.h"

#include <rekindle/policy/eventtext.h>
#include <rekindle/policy/toolcallfinished.h>

#include <QJsonDocument>

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

QString breakerChangeText(const auto &event, const QString &name)
{
    const bool isIsolated = event.newState == CircuitBreakerState::Open && !event.resetDelay;
    QString text =
        name + (isIsolated ? QStringLiteral(" isolated") : u' ' + toText(event.newState));
    const QString delay = event.resetDelay ? readable(*event.resetDelay) : QString();
    if (event.restored) { // the host may start the agent at once, as the trial
        text += QLatin1String(", restored from the previous host");
        return delay.isEmpty() ? text : text + QStringLiteral(" with %1 left").arg(delay);
    }
    text += QStringLiteral(" (was %1)").arg(toText(event.oldState));
    return delay.isEmpty() ? text : text + QLatin1String(", trial in ") + delay;
}

// The operation of a request of the control protocol.
QString operationText(const QString &request, const QString &sharedBreaker)
{
    struct Operation
    {
        QLatin1String request;
        QLatin1String text;
    };
    constexpr std::array operations = {
        Operation{QLatin1String("agents.start"), QLatin1String("start")},
        Operation{QLatin1String("agents.stop"), QLatin1String("stop")},
        Operation{QLatin1String("agents.restart"), QLatin1String("restart")},
        Operation{QLatin1String("agents.retry"), QLatin1String("retry")},
        Operation{QLatin1String("breaker.reset"), QLatin1String("reset of ")},
        Operation{QLatin1String("breaker.isolate"), QLatin1String("isolation of ")},
        Operation{QLatin1String("breaker.release"), QLatin1String("release of ")},
        Operation{QLatin1String("host.stop"), QLatin1String("stop of the host")},
        Operation{QLatin1String("config.reload"), QLatin1String("reload of the configuration")},
    };
    const auto *const found =
        std::find_if(operations.begin(), operations.end(),
                     [&request](const Operation &each) { return request == each.request; });
    if (found == operations.end()) // of a newer version
        return request;
    if (!found->text.endsWith(u' '))
        return found->text;
    return found->text
        + (sharedBreaker.isEmpty() ? QStringLiteral("the circuit breaker")
                                   : QLatin1String("shared breaker ") + sharedBreaker);
}

QString toolCallText(const QJsonObject &data)
{
    const QString failure = textIn(data, "failure");
    const QString message = textIn(data, "message");
    QString text =
        QStringLiteral("call of %1: %2")
            .arg(textIn(data, "tool"), failure.isEmpty() ? QStringLiteral("answered") : failure);
    if (!message.isEmpty())
        text += QLatin1String(" (") + message.simplified() + u')';
    text += QLatin1String(" after ") + readable(durationIn(data, "durationMs"));
    if (const qint64 retries = data[QLatin1String("retries")].toInteger(); retries > 0)
        text += QStringLiteral(", retries: %1").arg(retries);
    if (const QString end = textIn(data, "end"); end != toText(ToolCallEnd::Answered))
        text += QLatin1String(", ended by ") + end;
    if (data[QLatin1String("breakerOpened")].toBool())
        text += QLatin1String("; circuit breaker opened");
    return text;
}

QString gapText(const QJsonObject &data)
{
    QString others;
    if (const qint64 calls = data[QLatin1String("calls")].toInteger())
        others += QStringLiteral(", %1 tool calls").arg(calls);
    if (const qint64 commands = data[QLatin1String("commands")].toInteger())
        others += QStringLiteral(", %1 commands").arg(commands);
    return QStringLiteral("gap: %1 events%2 and %3 decisions dropped")
        .arg(textIn(data, "events"), others, textIn(data, "decisions"));
}

} // namespace

QString EventRow<AgentStopped>::text(const AgentStopped &e)
{
    if (e.reason == finishedText)
        return finishedText;
    return QStringLiteral("stopped")
        + (e.reason.isEmpty() ? QString() : QLatin1String(": ") + e.reason);
}

QString EventRow<AgentFailed>::text(const AgentFailed &e)
{
    return QStringLiteral("failed (%1)%2")
        .arg(failureText(e.reason, e.detail),
             e.collateral ? QLatin1String("; collateral, counts toward no limit")
                          : QLatin1String());
}

QString EventRow<RestartScheduled>::text(const RestartScheduled &e)
{
    return restartText(e.attemptNumber, e.maxAttempts) + QLatin1String(" in ") + readable(e.delay)
        + (e.trial ? QLatin1String(" (trial)") : QLatin1String());
}

QString EventRow<RestartFailed>::text(const RestartFailed &e)
{
    // The next event has the delay of the next attempt.
    return QStringLiteral("restart %1 failed (%2)%3")
        .arg(QString::number(e.attemptNumber), toText(e.failureReason),
             e.willRetry ? QString() : QStringLiteral("; no further attempt"));
}

QString EventRow<RestartExhausted>::text(const RestartExhausted &e)
{
    const QString text = givenUpText(e.totalAttempts);
    return e.totalAttempts == 0 ? text : text + QLatin1String(" in ") + readable(e.totalDuration);
}

QString EventRow<CircuitBreakerStateChanged>::text(const CircuitBreakerStateChanged &e)
{
    return breakerChangeText(e, QStringLiteral("circuit breaker"));
}

QString EventRow<StartHeld>::text(const StartHeld &e) { return waitText(toTexts(e.causes)); }

QString EventRow<RestartDeclined>::text(const RestartDeclined &e)
{
    switch (e.cause) {
    case Cause::PermanentFailure:
        return QStringLiteral("not restarted: permanent failure");
    case Cause::Evaluator:
        return QStringLiteral("not restarted: its evaluator refused");
    case Cause::License:
        return QStringLiteral("not restarted: the license tier permits no restarts");
    case Cause::Policy:
        break;
    }
    return QStringLiteral("not restarted: its policy is none");
}

QString EventRow<PolicyDowngraded>::text(const PolicyDowngraded &e)
{
    return downgradeText(e.tier, e.requestedType, e.effectiveType);
}

QString EventRow<HealthChanged>::text(const HealthChanged &e)
{
    switch (e.health.state) {
    case AgentHealthStatus::State::Unhealthy:
        return QStringLiteral("unhealthy, consecutive probe failures: %1 (%2: %3)")
            .arg(QString::number(e.health.consecutiveMisses), probeOf(e), e.health.detail);
    case AgentHealthStatus::State::Healthy:
        return QStringLiteral("healthy (%1)").arg(probeOf(e));
    case AgentHealthStatus::State::Unknown:
        break;
    }
    return QStringLiteral("health unknown after a start");
}

QString EventRow<OperatorAction>::text(const OperatorAction &e)
{
    return QStringLiteral("%1 requested by user %2, process %3%4%5")
        .arg(operationText(e.request, e.sharedBreaker), QString::number(e.userId),
             QString::number(e.clientProcessId),
             e.program.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(e.program),
             e.reason.isEmpty() ? QString() : QLatin1String(": ") + e.reason);
}

QString EventRow<SharedBreakerStateChanged>::text(const SharedBreakerStateChanged &e)
{
    return breakerChangeText(e, QLatin1String("shared breaker ") + e.breaker);
}

QString eventText(const LifecycleEvent &event)
{
    return validText(std::visit(
        []<typename Event>(const Event &each) { return EventRow<Event>::text(each); }, event));
}

QString eventText(const QString &type, const QByteArray &json)
{
    if (const auto decoded = decodeEvent(type, json); decoded && !decoded->hasUnknownName)
        return eventText(decoded->event);
    QJsonObject data = QJsonDocument::fromJson(json).object();
    if (type == toolCallFinishedType)
        return toolCallText(data);
    if (type == QLatin1String("events.gap"))
        return gapText(data);
    // An event or a value of a newer version: its data without the keys that all events have.
    for (const char *common : {"instanceId", "agent", "seq", "monoNs"})
        data.remove(QLatin1String(common));
    return type + u' ' + QString::fromUtf8(QJsonDocument(data).toJson(QJsonDocument::Compact));
}

} // namespace Rekindle
