// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/telemetry/historyreader.h>

#include <QSqlQuery>
#include <QString>
#include <QVariant>

namespace Rekindle::StoredRows {

[[nodiscard]] inline UtcTime utc(const QVariant &value)
{
    return UtcTime(std::chrono::milliseconds(value.toLongLong()));
}
[[nodiscard]] inline Instant instant(const QVariant &value)
{
    return Instant(Duration(value.toLongLong()));
}

// Statements to which a condition is appended, and their rows.
inline const QString selectEvents =
    QStringLiteral("SELECT id, (SELECT run FROM runs WHERE runs.id = run_id), seq, type, instance,"
                   " agent, mono_ns, utc_ms, data FROM events WHERE ");
inline const QString selectDecisions = QStringLiteral(
    "SELECT id, run, instance, agent, mono_ns, utc_ms, data, hash FROM audit WHERE ");

[[nodiscard]] inline StoredEvent eventFrom(const QSqlQuery &query)
{
    return {
        query.value(0).toLongLong(), query.value(1).toString(), query.value(2).toLongLong(),
        query.value(3).toString(),   query.value(4).toString(), query.value(5).toString(),
        instant(query.value(6)),     utc(query.value(7)),       query.value(8).toString().toUtf8()};
}

[[nodiscard]] inline StoredDecision decisionFrom(const QSqlQuery &query)
{
    return {
        query.value(0).toLongLong(),        query.value(1).toString(),   query.value(2).toString(),
        query.value(3).toString(),          instant(query.value(4)),     utc(query.value(5)),
        query.value(6).toString().toUtf8(), query.value(7).toByteArray()};
}

} // namespace Rekindle::StoredRows
