// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>

namespace Rekindle {

/// The message with a constant in place of each value that differs in each run.
inline QJsonValue comparable(const QJsonValue &value)
{
    static const QString id = QStringLiteral("00000000-0000-0000-0000-000000000000");
    static const QString time = QStringLiteral("2026-01-01T00:00:00.000Z");
    static const QHash<QString, QJsonValue> constants{
        {QStringLiteral("pid"), 1},
        {QStringLiteral("clientPid"), 1},
        {QStringLiteral("uid"), 1000},
        {QStringLiteral("program"), QStringLiteral("/usr/bin/client")},
        {QStringLiteral("version"), QStringLiteral("0.1.0")},
        {QStringLiteral("instanceId"), id},
        {QStringLiteral("run"), id},
        {QStringLiteral("source"), QString(QLatin1String("urn:uuid:") + id)},
        {QStringLiteral("cursor"), QString(id + QLatin1String(":1"))},
        {QStringLiteral("oldest"), QString(id + QLatin1String(":0"))},
        {QStringLiteral("time"), time},
        {QStringLiteral("lastFailureAt"), time},
        {QStringLiteral("scheduledAt"), time},
        {QStringLiteral("startedAt"), time},
        {QStringLiteral("changedAt"), time},
        {QStringLiteral("uptimeMs"), 1},
        {QStringLiteral("durationMs"), 1},
        {QStringLiteral("latenessMs"), 1},
        {QStringLiteral("nextStartInMs"), 1},
        {QStringLiteral("resetInMs"), 1},
        {QStringLiteral("monoNs"), 1},
        {QStringLiteral("restartAtMonoNs"), 1},
        {QStringLiteral("draw"), 0.5},
        {QStringLiteral("next"), QStringLiteral("restart 1 of 10 in 60m")}};
    if (value.isArray()) {
        QJsonArray array;
        for (const QJsonValue &each : value.toArray())
            array.append(comparable(each));
        return array;
    }
    if (value.isString()) {
        static const QRegularExpression anyId(
            QStringLiteral("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"));
        static const QRegularExpression anyClient(
            QStringLiteral("by user [0-9]+, process [0-9]+ \\(.*\\)"));
        return value.toString().replace(anyId, id).replace(
            anyClient, QStringLiteral("by user 1000, process 1 (/usr/bin/client)"));
    }
    if (!value.isObject())
        return value;
    QJsonObject object = value.toObject();
    for (const QString &key : object.keys()) {
        const auto constant = constants.constFind(key);
        const bool isConstant = constant != constants.constEnd() && !object[key].isNull()
            && constant->type() == object[key].type();
        object[key] = isConstant ? *constant : comparable(object[key]);
    }
    return object;
}

} // namespace Rekindle
