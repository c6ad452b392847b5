// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "historytext_p.h"

#include "fortext_p.h"

#include <rekindle/policy/failure.h>

#include <QHash>
#include <QJsonDocument>

#include <algorithm>

namespace Rekindle {

namespace {

QString textIn(const QJsonObject &data, const char *key)
{
    return data[QLatin1String(key)].toVariant().toString();
}

QString durationText(const QJsonObject &data, const char *key)
{
    return forPeople(durationIn(data, QLatin1String(key)));
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
    if (data[QLatin1String("nextRetryDelayMs")].isDouble())
        text += QLatin1String(", next try in ") + durationText(data, "nextRetryDelayMs");
    else if (!data[QLatin1String("willRetry")].toBool())
        text += QLatin1String(", no further try");
    return text;
}

QString breakerChanged(const QJsonObject &data)
{
    QString text = QStringLiteral("circuit breaker %1 (was %2)")
                       .arg(textIn(data, "newState"), textIn(data, "oldState"));
    if (data[QLatin1String("resetDelayMs")].isDouble())
        text += QLatin1String(", half-open in ") + durationText(data, "resetDelayMs");
    return text;
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
             return QStringLiteral("stable: counts begin anew");
         }},
        {QStringLiteral("agent.stopped"),
         [](const QJsonObject &) -> QString { return QStringLiteral("stopped"); }},
        {QStringLiteral("agent.failed"),
         [](const QJsonObject &data) -> QString {
             return QStringLiteral("failed (%1)").arg(failureText(textIn(data, "reason"), data));
         }},
        {QStringLiteral("restart.requested"),
         [](const QJsonObject &data) -> QString {
             return QStringLiteral("asks for a restart (%1)").arg(textIn(data, "reason"));
         }},
        {QStringLiteral("restart.scheduled"), scheduled},
        {QStringLiteral("restart.started"),
         [](const QJsonObject &data) -> QString {
             return QStringLiteral("restart %1 begins").arg(textIn(data, "attemptNumber"));
         }},
        {QStringLiteral("restart.succeeded"),
         [](const QJsonObject &data) -> QString {
             return QStringLiteral("restart %1 succeeded after %2")
                 .arg(textIn(data, "attemptNumber"), durationText(data, "durationMs"));
         }},
        {QStringLiteral("restart.failed"), restartFailed},
        {QStringLiteral("restart.exhausted"),
         [](const QJsonObject &data) -> QString {
             return QStringLiteral("given up after %1 restarts in %2")
                 .arg(textIn(data, "totalAttempts"), durationText(data, "totalDurationMs"));
         }},
        {QStringLiteral("restart.cancelled"),
         [](const QJsonObject &) -> QString { return QStringLiteral("restart cancelled"); }},
        {QStringLiteral("circuit.changed"), breakerChanged},
        {QStringLiteral("events.gap"),
         [](const QJsonObject &data) -> QString {
             return QStringLiteral("gap: %1 events and %2 decisions were dropped here")
                 .arg(textIn(data, "events"), textIn(data, "decisions"));
         }},
    };
    return all;
}

} // namespace

Duration durationIn(const QJsonObject &object, QLatin1String key)
{
    return std::chrono::round<Duration>(
        std::chrono::duration<double, std::milli>(object[key].toDouble()));
}

QString failureText(const QString &reason, const QJsonObject &detail)
{
    FailureDetail known;
    known.message = textIn(detail, "detail");
    known.processId = detail[QLatin1String("pid")].toInteger();
    if (const QJsonValue code = detail[QLatin1String("exitCode")]; code.isDouble())
        known.exitCode = code.toInt();
    if (const QJsonValue signal = detail[QLatin1String("signal")]; signal.isDouble())
        known.signal = signal.toInt();
    return forPeople(failureReasonFromString(reason).value_or(FailureReason::Unknown), known);
}

QString describe(const StoredEvent &event)
{
    QJsonObject data = QJsonDocument::fromJson(event.data).object();
    if (const Describe words = describers().value(event.type))
        return words(data);
    // Of a newer version: its own words, without those that all events have.
    for (const char *common : {"instanceId", "agent", "seq", "monoNs"})
        data.remove(QLatin1String(common));
    return event.type + u' '
        + QString::fromUtf8(QJsonDocument(data).toJson(QJsonDocument::Compact));
}

QByteArray historyText(const QList<StoredEvent> &events)
{
    qsizetype width = 0;
    for (const StoredEvent &event : events)
        width = std::max(width, event.agent.size());
    QByteArray text;
    for (const StoredEvent &event : events) {
        const QString line =
            QStringLiteral("%1  %2  %3")
                .arg(toRfc3339(event.time), event.agent.leftJustified(width), describe(event));
        text += forTerminal(line.toLocal8Bit()) + '\n';
    }
    return text;
}

} // namespace Rekindle
