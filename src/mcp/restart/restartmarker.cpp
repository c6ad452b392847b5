// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "restartmarker_p.h"

#include <rekindle/process/exitcodetable.h>

#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimeZone>

namespace Rekindle {

QString markerReason(const QString &reason)
{
    constexpr qsizetype longest = 1000;
    if (reason.size() <= longest)
        return reason;
    const bool cutsPair = reason.at(longest - 1).isHighSurrogate();
    return reason.left(cutsPair ? longest - 1 : longest);
}

QByteArray toJson(const RestartMarker &marker)
{
    QJsonObject object{{QStringLiteral("timestamp"), toRfc3339(marker.timestamp)},
                       {QStringLiteral("reason"), marker.reason},
                       {QStringLiteral("exit_code"), marker.exitCode},
                       {QStringLiteral("method"), marker.method}};
    if (!marker.server.isEmpty())
        object.insert(QStringLiteral("server"), marker.server);
    return QJsonDocument(object).toJson();
}

MarkerReading markerFromJson(const QByteArray &json, const QString &path)
{
    MarkerReading reading{.state = MarkerReading::State::Unreadable, .path = path};
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (!document.isObject()) {
        reading.fault = error.error == QJsonParseError::NoError
            ? QStringLiteral("found no JSON object")
            : error.errorString();
        return reading;
    }
    const QJsonObject object = document.object();
    const auto time = utcTimeFromIso8601(object[QLatin1String("timestamp")].toString());
    const QJsonValue reason = object[QLatin1String("reason")];
    const QJsonValue exitCode = object[QLatin1String("exit_code")];
    reading.state = MarkerReading::State::Incomplete;
    if (!time) {
        reading.fault = QStringLiteral("timestamp");
    } else if (!reason.isString()) {
        reading.fault = QStringLiteral("reason");
    } else if (!exitCode.isDouble()) {
        reading.fault = QStringLiteral("exit_code");
    } else {
        reading.state = MarkerReading::State::Read;
        reading.marker = {*time, reason.toString(), exitCode.toInt(),
                          object[QLatin1String("method")].toString(),
                          object[QLatin1String("server")].toString()};
    }
    return reading;
}

RestartVerdict judge(const RestartMarker &marker, UtcTime since)
{
    const QString when = toRfc3339(marker.timestamp);
    if (marker.timestamp <= since) {
        return {QStringLiteral("No recent restart detected since %1. Last restart: %2")
                    .arg(toRfc3339(since), when),
                false};
    }
    const QString what = QStringLiteral("occurred at %1 (reason: %2)").arg(when, marker.reason);
    constexpr int expected = ExitCodeTable::restartRequested;
    if (marker.exitCode == expected)
        return {QLatin1String("Server restart verified: ") + what, true};
    return {QStringLiteral("Warning: a restart %1, but with exit code %2 instead of %3")
                .arg(what)
                .arg(marker.exitCode)
                .arg(expected),
            true};
}

RestartVerdict judge(const MarkerReading &reading, UtcTime since)
{
    switch (reading.state) {
    case MarkerReading::State::Absent:
        return {QStringLiteral("No restart marker found at %1. No recent restarts detected.")
                    .arg(reading.path),
                false};
    case MarkerReading::State::Unreadable:
        return {
            QStringLiteral("Failed to read restart marker %1: %2").arg(reading.path, reading.fault),
            false};
    case MarkerReading::State::Incomplete:
        return {QStringLiteral("Invalid restart marker schema in %1: no valid %2. Required "
                               "fields: timestamp, reason, exit_code")
                    .arg(reading.path, reading.fault),
                false};
    case MarkerReading::State::Foreign:
        return {QStringLiteral("No restart of this server was seen. The restart marker at %1 is "
                               "another server's, which was restarted at %2")
                    .arg(reading.path, toRfc3339(reading.marker.timestamp)),
                false};
    case MarkerReading::State::Read:
        break;
    }
    return judge(reading.marker, since);
}

std::optional<UtcTime> utcTimeFromIso8601(QStringView text)
{
    if (const auto time = utcTimeFromRfc3339(text))
        return time;
    QDateTime time = QDateTime::fromString(text.toString(), Qt::ISODateWithMs);
    if (!time.isValid())
        return std::nullopt;
    if (time.timeSpec() == Qt::LocalTime)
        time.setTimeZone(QTimeZone::utc());
    return UtcTime(std::chrono::milliseconds(time.toMSecsSinceEpoch()));
}

} // namespace Rekindle
