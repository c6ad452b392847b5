// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/text/validtext_p.h"
#include "policy/internal/texthelpers.h"
#include "policy/internal/words.h"
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
    const QString state =
        isIsolated ? Words::tr("isolated") : Words::ofData(toText(event.newState));
    const QString delay = event.resetDelay ? readable(*event.resetDelay) : QString();
    if (event.restored) { // the host may start the agent at once, as the trial
        return delay.isEmpty()
            ? Words::tr("%1 %2, restored from the previous host", "breaker and state")
                  .arg(name, state)
            : Words::tr("%1 %2, restored from the previous host with %3 left", "breaker and state")
                  .arg(name, state, delay);
    }
    const QString before = Words::ofData(toText(event.oldState));
    return delay.isEmpty()
        ? Words::tr("%1 %2 (was %3)", "breaker and states").arg(name, state, before)
        : Words::tr("%1 %2 (was %3), trial in %4", "breaker and states")
              .arg(name, state, before, delay);
}

// The operation of a request of the control protocol.
QString operationText(const QString &request, const QString &sharedBreaker)
{
    struct Operation
    {
        QLatin1String request;
        const char *text = nullptr;
        const char *ofShared = nullptr;
    };
    constexpr auto row = [](const char *name, const char *text, const char *ofShared = nullptr) {
        return Operation{QLatin1String(name), text, ofShared};
    };
    constexpr std::array operations = {
        row("agents.start", QT_TRANSLATE_NOOP("Rekindle::Words", "start")),
        row("agents.stop", QT_TRANSLATE_NOOP("Rekindle::Words", "stop")),
        row("agents.restart", QT_TRANSLATE_NOOP("Rekindle::Words", "restart")),
        row("agents.retry", QT_TRANSLATE_NOOP("Rekindle::Words", "retry")),
        row("breaker.reset", QT_TRANSLATE_NOOP("Rekindle::Words", "reset of the circuit breaker"),
            QT_TRANSLATE_NOOP("Rekindle::Words", "reset of shared breaker %1")),
        row("breaker.isolate",
            QT_TRANSLATE_NOOP("Rekindle::Words", "isolation of the circuit breaker"),
            QT_TRANSLATE_NOOP("Rekindle::Words", "isolation of shared breaker %1")),
        row("breaker.release",
            QT_TRANSLATE_NOOP("Rekindle::Words", "release of the circuit breaker"),
            QT_TRANSLATE_NOOP("Rekindle::Words", "release of shared breaker %1")),
        row("host.stop", QT_TRANSLATE_NOOP("Rekindle::Words", "stop of the host")),
        row("config.reload", QT_TRANSLATE_NOOP("Rekindle::Words", "reload of the configuration")),
    };
    const auto *const found =
        std::find_if(operations.begin(), operations.end(),
                     [&request](const Operation &each) { return request == each.request; });
    if (found == operations.end()) // of a newer version
        return request;
    return found->ofShared == nullptr || sharedBreaker.isEmpty()
        ? Words::tr(found->text)
        : Words::tr(found->ofShared).arg(sharedBreaker);
}

QString toolCallText(const QJsonObject &data)
{
    const QString failure = textIn(data, "failure");
    const QString message = textIn(data, "message");
    QString text =
        Words::tr("call of %1: %2", "tool and result")
            .arg(textIn(data, "tool"), failure.isEmpty() ? Words::tr("answered") : failure);
    if (!message.isEmpty())
        text += QLatin1String(" (") + message.simplified() + u')';
    text += Words::tr(" after %1").arg(readable(durationIn(data, "durationMs")));
    if (const qint64 retries = data[QLatin1String("retries")].toInteger(); retries > 0)
        text += Words::tr(", retries: %1").arg(retries);
    if (const QString end = textIn(data, "end"); end != toText(ToolCallEnd::Answered))
        text += Words::tr(", ended by %1").arg(end);
    if (data[QLatin1String("breakerOpened")].toBool())
        text += Words::tr("; circuit breaker opened");
    return text;
}

QString gapText(const QJsonObject &data)
{
    QString others;
    if (const qint64 calls = data[QLatin1String("calls")].toInteger())
        others += Words::tr(", %1 tool calls").arg(calls);
    if (const qint64 commands = data[QLatin1String("commands")].toInteger())
        others += Words::tr(", %1 commands").arg(commands);
    return Words::tr("gap: %1 events%2 and %3 decisions dropped")
        .arg(textIn(data, "events"), others, textIn(data, "decisions"));
}

} // namespace

QString EventRow<AgentStopped>::text(const AgentStopped &e)
{
    if (e.reason.isEmpty() || e.reason == finishedText)
        return e.reason.isEmpty() ? Words::tr("stopped") : Words::ofData(e.reason);
    return Words::tr("stopped: %1").arg(Words::ofData(e.reason));
}

QString EventRow<AgentFailed>::text(const AgentFailed &e)
{
    const QString failure = Words::ofData(failureText(e.reason, e.detail));
    return e.collateral ? Words::tr("failed (%1); collateral, counts toward no limit").arg(failure)
                        : Words::tr("failed (%1)").arg(failure);
}

QString EventRow<RestartScheduled>::text(const RestartScheduled &e)
{
    const QString restart = restartText(e.attemptNumber, e.maxAttempts);
    return e.trial
        ? Words::tr("%1 in %2 (trial)", "restart and delay").arg(restart, readable(e.delay))
        : Words::tr("%1 in %2", "restart and delay").arg(restart, readable(e.delay));
}

QString EventRow<RestartFailed>::text(const RestartFailed &e)
{
    // The next event has the delay of the next attempt.
    const QString text = e.willRetry ? Words::tr("restart %1 failed (%2)")
                                     : Words::tr("restart %1 failed (%2); no further attempt");
    return text.arg(QString::number(e.attemptNumber), Words::ofData(toText(e.failureReason)));
}

QString EventRow<RestartExhausted>::text(const RestartExhausted &e)
{
    const QString text = givenUpText(e.totalAttempts);
    return e.totalAttempts == 0
        ? text
        : Words::tr("%1 in %2", "given up, and in which time").arg(text, readable(e.totalDuration));
}

QString EventRow<CircuitBreakerStateChanged>::text(const CircuitBreakerStateChanged &e)
{
    return breakerChangeText(e, Words::tr("circuit breaker"));
}

QString EventRow<StartHeld>::text(const StartHeld &e) { return waitText(toTexts(e.causes)); }

QString EventRow<RestartDeclined>::text(const RestartDeclined &e)
{
    switch (e.cause) {
    case Cause::PermanentFailure:
        return Words::tr("not restarted: permanent failure");
    case Cause::Evaluator:
        return Words::tr("not restarted: its evaluator refused");
    case Cause::License:
        return Words::tr("not restarted: the license tier permits no restarts");
    case Cause::Policy:
        break;
    }
    return Words::tr("not restarted: its policy is none");
}

QString EventRow<PolicyDowngraded>::text(const PolicyDowngraded &e)
{
    return downgradeText(e.tier, e.requestedType, e.effectiveType);
}

QString EventRow<HealthChanged>::text(const HealthChanged &e)
{
    switch (e.health.state) {
    case AgentHealthStatus::State::Unhealthy:
        return Words::tr("unhealthy, consecutive probe failures: %1 (%2: %3)")
            .arg(QString::number(e.health.consecutiveMisses), probeOf(e), e.health.detail);
    case AgentHealthStatus::State::Healthy:
        return Words::tr("healthy (%1)").arg(probeOf(e));
    case AgentHealthStatus::State::Unknown:
        break;
    }
    return Words::tr("health unknown after a start");
}

QString EventRow<OperatorAction>::text(const OperatorAction &e)
{
    return Words::tr("%1 requested by user %2, process %3%4%5", "ends with program and reason")
        .arg(operationText(e.request, e.sharedBreaker), QString::number(e.userId),
             QString::number(e.clientProcessId),
             e.program.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(e.program),
             e.reason.isEmpty() ? QString() : QLatin1String(": ") + e.reason);
}

QString EventRow<SharedBreakerStateChanged>::text(const SharedBreakerStateChanged &e)
{
    return breakerChangeText(e, Words::tr("shared breaker %1").arg(e.breaker));
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
