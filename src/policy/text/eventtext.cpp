// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/texthelpers.h"

#include <rekindle/policy/eventtext.h>
#include <rekindle/policy/toolcallfinished.h>

#include <QHash>
#include <QJsonDocument>

namespace Rekindle {

namespace {

QString durationText(const QJsonObject &data, const char *key)
{
    return readable(durationIn(data, key));
}

QString scheduled(const QJsonObject &data)
{
    const QString most = textIn(data, "maxAttempts");
    return QStringLiteral("restart %1%2 in %3")
        .arg(textIn(data, "attemptNumber"), most.isEmpty() ? most : QLatin1String(" of ") + most,
             durationText(data, "delayMs"));
}

QString restartFailed(const QJsonObject &data)
{
    QString text = QStringLiteral("restart %1 failed (%2)")
                       .arg(textIn(data, "attemptNumber"), textIn(data, "failureReason"));
    // The next event has the delay of the next attempt.
    if (!data[QLatin1String("willRetry")].toBool())
        text += QLatin1String("; no further attempt");
    return text;
}

QString breakerChanged(const QJsonObject &data)
{
    const bool isRestored = data[QLatin1String("restored")].toBool();
    QString text = QLatin1String("circuit breaker ") + textIn(data, "newState");
    if (!isRestored)
        text += QStringLiteral(" (was %1)").arg(textIn(data, "oldState"));
    if (data[QLatin1String("resetDelayMs")].isDouble())
        text += QLatin1String(", half-open in ") + durationText(data, "resetDelayMs");
    if (isRestored)
        text += QLatin1String(", restored from the previous host");
    return text;
}

QString downgraded(const QJsonObject &data)
{
    const auto type = [&data](const char *key) {
        return valueOf(restartPolicyTypes, textIn(data, key)).value_or(RestartPolicyType::None);
    };
    return downgradeText(textIn(data, "tier"), type("requestedType"), type("effectiveType"));
}

QString healthChanged(const QJsonObject &data)
{
    const QString state = textIn(data, "newState");
    if (state == QLatin1String("Unhealthy")) {
        return QStringLiteral("unhealthy, consecutive probe failures: %1 (%2: %3)")
            .arg(textIn(data, "consecutiveMisses"), textIn(data, "probe"), textIn(data, "detail"));
    }
    if (state == QLatin1String("Healthy"))
        return QStringLiteral("healthy (%1)").arg(textIn(data, "probe"));
    return QStringLiteral("health unknown after a start");
}

QString toolCalled(const QJsonObject &data)
{
    const QString failure = textIn(data, "failure");
    const QString message = textIn(data, "message");
    QString text =
        QStringLiteral("call of %1: %2")
            .arg(textIn(data, "tool"), failure.isEmpty() ? QStringLiteral("answered") : failure);
    if (!message.isEmpty())
        text += QLatin1String(" (") + message.simplified() + u')';
    text += QLatin1String(" after ") + durationText(data, "durationMs");
    if (const int retries = data[QLatin1String("retries")].toInt(); retries > 0)
        text += QStringLiteral(", retries: %1").arg(retries);
    if (const QString end = textIn(data, "end"); end != toText(ToolCallEnd::Answered))
        text += QLatin1String(", ended by ") + end;
    if (data[QLatin1String("breakerOpened")].toBool())
        text += QLatin1String("; circuit breaker opened");
    return text;
}

QString gap(const QJsonObject &data)
{
    QString others;
    if (const int calls = data[QLatin1String("calls")].toInt())
        others += QStringLiteral(", %1 tool calls").arg(calls);
    if (const int commands = data[QLatin1String("commands")].toInt())
        others += QStringLiteral(", %1 commands").arg(commands);
    return QStringLiteral("gap: %1 events%2 and %3 decisions dropped")
        .arg(textIn(data, "events"), others, textIn(data, "decisions"));
}

using Describe = QString (*)(const QJsonObject &);

const QHash<QString, Describe> &describers()
{
    static const QHash<QString, Describe> all = {
        {QStringLiteral("agent.started"),
         [](const QJsonObject &data) -> QString {
             return QStringLiteral("start %1, process %2")
                 .arg(textIn(data, "generation"), textIn(data, "pid"));
         }},
        {QStringLiteral("agent.ready"),
         [](const QJsonObject &data) -> QString {
             return QStringLiteral("ready after ") + durationText(data, "durationMs");
         }},
        {QStringLiteral("agent.stable"),
         [](const QJsonObject &) -> QString {
             return QStringLiteral("stable: attempts and failures reset");
         }},
        {QStringLiteral("agent.stopped"),
         [](const QJsonObject &) -> QString { return QStringLiteral("stopped"); }},
        {QStringLiteral("agent.failed"),
         [](const QJsonObject &data) -> QString {
             return QStringLiteral("failed (%1)").arg(failureText(textIn(data, "reason"), data));
         }},
        {QStringLiteral("restart.requested"),
         [](const QJsonObject &data) -> QString {
             return QStringLiteral("restart requested (%1)").arg(textIn(data, "reason"));
         }},
        {QStringLiteral("restart.scheduled"), scheduled},
        {QStringLiteral("restart.started"),
         [](const QJsonObject &data) -> QString {
             return QStringLiteral("restart %1 started").arg(textIn(data, "attemptNumber"));
         }},
        {QStringLiteral("restart.succeeded"),
         [](const QJsonObject &data) -> QString {
             return QStringLiteral("restart %1 succeeded after %2")
                 .arg(textIn(data, "attemptNumber"), durationText(data, "durationMs"));
         }},
        {QStringLiteral("restart.failed"), restartFailed},
        {QStringLiteral("restart.exhausted"),
         [](const QJsonObject &data) -> QString {
             const int restarts = data[QLatin1String("totalAttempts")].toInt();
             if (restarts == 0)
                 return QStringLiteral("given up without a restart");
             return QStringLiteral("given up after %1 in %2")
                 .arg(counted(restarts, "restart", "restarts"),
                      durationText(data, "totalDurationMs"));
         }},
        {QStringLiteral("restart.cancelled"),
         [](const QJsonObject &) -> QString { return QStringLiteral("restart canceled"); }},
        {QStringLiteral("circuit.changed"), breakerChanged},
        {QStringLiteral("policy.downgraded"), downgraded},
        {QStringLiteral("health.changed"), healthChanged},
        {QStringLiteral("agent.output"),
         [](const QJsonObject &data) -> QString {
             return textIn(data, "stream") + QLatin1String(": ") + textIn(data, "line");
         }},
        {QString(toolCallFinishedType), toolCalled},
        {QStringLiteral("events.gap"), gap},
    };
    return all;
}

} // namespace

QString eventText(const QString &type, const QByteArray &json)
{
    QJsonObject data = QJsonDocument::fromJson(json).object();
    if (const Describe words = describers().value(type))
        return words(data);
    // An event of a newer version: its data without the keys that all events have.
    for (const char *common : {"instanceId", "agent", "seq", "monoNs"})
        data.remove(QLatin1String(common));
    return type + u' ' + QString::fromUtf8(QJsonDocument(data).toJson(QJsonDocument::Compact));
}

} // namespace Rekindle
