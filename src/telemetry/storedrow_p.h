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

// The expression for a text in a statement. A text that is larger than any that a store gets
// becomes NULL, because it would need much time and memory.
[[nodiscard]] inline QString bounded(const char *column)
{
    return QStringLiteral("CASE WHEN length(%1) <= 16777216 THEN %1 END")
        .arg(QLatin1String(column));
}

// Statements to which a condition is appended, and their rows.
inline const QString selectEvents =
    QStringLiteral("SELECT id, (SELECT run FROM runs WHERE runs.id = run_id), seq, type, instance,"
                   " %1, mono_ns, utc_ms, %2 FROM events WHERE ")
        .arg(bounded("agent"), bounded("data"));
inline const QString selectDecisions =
    QStringLiteral("SELECT id, run, instance, %1, mono_ns, utc_ms, %2, hash FROM audit WHERE ")
        .arg(bounded("agent"), bounded("data"));

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
