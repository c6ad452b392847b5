// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "restartmarker_p.h"

#include "json/jsonnode.h"

#include <rekindle/process/exitcodetable.h>

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimeZone>

namespace Rekindle {

namespace {

// The signs of S4 4.3.
constexpr QStringView failureSign = u"\u274C ";
constexpr QStringView warningSign = u"\u26A0\uFE0F ";
constexpr QStringView successSign = u"\u2705 ";

// The beginning of a text, on one line.
QString foundIn(const QByteArray &text)
{
    constexpr qsizetype longest = 60;
    return printable(QString::fromUtf8(text.left(longest)));
}

} // namespace

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
    const QJsonDocument document = QJsonDocument::fromJson(json);
    if (!document.isObject()) {
        reading.fault =
            QStringLiteral("expected a JSON object, found %1")
                .arg(json.trimmed().isEmpty() ? QStringLiteral("an empty file") : foundIn(json));
        return reading;
    }
    const QJsonObject object = document.object();
    const auto time = utcTimeFromIso8601(object[QLatin1String("timestamp")].toString());
    const QJsonValue reason = object[QLatin1String("reason")];
    const QJsonValue exitCode = object[QLatin1String("exit_code")];
    if (time && reason.isString() && exitCode.isDouble()) {
        reading.state = MarkerReading::State::Read;
        reading.marker = {*time, reason.toString(), exitCode.toInt(),
                          object[QLatin1String("method")].toString(),
                          object[QLatin1String("server")].toString()};
        return reading;
    }
    const QLatin1String field(!time ? "timestamp" : !reason.isString() ? "reason" : "exit_code");
    const QJsonValue found = object[field];
    reading.state = MarkerReading::State::Incomplete;
    reading.fault = QStringLiteral("expected a valid %1, found %2")
                        .arg(field,
                             found.isUndefined() ? QStringLiteral("none")
                                                 : foundIn(QJsonDocument(QJsonArray{found})
                                                               .toJson(QJsonDocument::Compact)
                                                               .chopped(1)
                                                               .mid(1)));
    return reading;
}

RestartVerdict notRestarted(const QString &text) { return {failureSign + text, false}; }

RestartVerdict judge(const RestartMarker &marker, UtcTime since)
{
    const QString when = toRfc3339(marker.timestamp);
    if (marker.timestamp <= since) {
        return notRestarted(QStringLiteral("No recent restart detected since %1. Last restart: %2")
                                .arg(toRfc3339(since), when));
    }
    const QString what = QStringLiteral("occurred at %1 (reason: %2)").arg(when, marker.reason);
    constexpr int expected = ExitCodeTable::restartRequested;
    if (marker.exitCode == expected)
        return {successSign + QLatin1String("Server restart verified: ") + what, true};
    return {
        warningSign
            + QStringLiteral("Restart occurred but with unexpected exit code: %1 (expected %2). "
                             "It %3")
                  .arg(marker.exitCode)
                  .arg(expected)
                  .arg(what),
        true};
}

RestartVerdict judge(const MarkerReading &reading, UtcTime since)
{
    switch (reading.state) {
    case MarkerReading::State::Absent:
        return notRestarted(
            QStringLiteral("No restart marker found at %1. No recent restarts detected.")
                .arg(reading.path));
    case MarkerReading::State::Unreadable:
        return notRestarted(QStringLiteral("Failed to read restart marker: %1: %2")
                                .arg(reading.path, reading.fault));
    case MarkerReading::State::Incomplete:
        return notRestarted(QStringLiteral("Invalid restart marker schema. Required fields: "
                                           "timestamp, reason, exit_code. %1: %2")
                                .arg(reading.path, reading.fault));
    case MarkerReading::State::Foreign:
        return notRestarted(
            QStringLiteral("No restart of this server detected. The restart marker at %1 %2 (%3)")
                .arg(reading.path,
                     reading.marker.server.isEmpty() ? QStringLiteral("does not name its server")
                                                     : QLatin1String("belongs to the server ")
                             + printable(reading.marker.server),
                     toRfc3339(reading.marker.timestamp)));
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
