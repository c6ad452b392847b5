// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storedatabase_p.h"

namespace Rekindle {

namespace {

// A pass takes some ten milliseconds and removes more rows than were added since the last pass.
constexpr qint64 minRowsPerPass = 2'000;
constexpr qint64 rowsBetweenPasses = 1'000;
constexpr auto timeBetweenPasses = std::chrono::minutes(10);

} // namespace

bool StoreDatabase::retain(StoreFault &fault)
{
    if (!m_firstTime)
        return false;
    if (!m_moreToRemove && m_rowsSinceRetained < rowsBetweenPasses
        && m_latestMonotonic - m_retainedAt < timeBetweenPasses)
        return false;
    m_rowsPerPass = std::max(minRowsPerPass, 2 * m_rowsSinceRetained);
    m_rowsSinceRetained = 0;
    m_retainedAt = m_latestMonotonic;

    const bool tooBig = isTooBig(fault);
    qint64 lastEvent = 0;
    qint64 lastAudit = 0;
    qint64 removed = 0;
    if (!fault)
        fault = inTransaction([&]() -> StoreFault {
            StoreFault inner;
            removed = removableRows(QStringLiteral("events"), tooBig, lastEvent, inner);
            if (!inner)
                removed += removableRows(QStringLiteral("audit"), tooBig, lastAudit, inner);
            if (!inner && lastEvent > 0)
                inner = m_open->connection.execute(
                    QStringLiteral("DELETE FROM events WHERE id <= %1").arg(lastEvent));
            if (!inner && lastAudit > 0)
                inner = removeAudit(lastAudit);
            return inner;
        });
    if (!fault && removed > 0)
        fault = m_open->connection.execute(QStringLiteral("PRAGMA incremental_vacuum(500)"));
    m_moreToRemove = !fault && removed > 0 && (tooBig || removed >= m_rowsPerPass);
    return m_moreToRemove;
}

bool StoreDatabase::isTooBig(StoreFault &fault)
{
    if (m_options.maxBytes == 0)
        return false;
    const qint64 pages = number(QStringLiteral("PRAGMA page_count"), fault)
        - (fault ? 0 : number(QStringLiteral("PRAGMA freelist_count"), fault));
    const qint64 size = fault ? 0 : number(QStringLiteral("PRAGMA page_size"), fault);
    return !fault && pages * size > m_options.maxBytes;
}

// Returns the number of the oldest rows to remove, at most one pass. The newest row stays, so that
// row numbers are never reused. Rows are removed in order: a row whose time is too recent, because
// the clock was set back, also retains the rows after it.
qint64 StoreDatabase::removableRows(const QString &table, bool tooBig, qint64 &lastRow,
                                    StoreFault &fault)
{
    const qint64 newest = number(QStringLiteral("SELECT max(id) FROM ") + table, fault);
    const qint64 oldest = fault ? 0 : number(QStringLiteral("SELECT min(id) FROM ") + table, fault);
    if (fault || newest == oldest)
        return 0;
    qint64 allowed = 0;
    if (tooBig)
        allowed = std::min(m_rowsPerPass, (newest - oldest) / 10 + 1);
    const qint64 cutoff = (latestTime() - m_options.maxAge).time_since_epoch().count();
    qint64 count = 0;
    const auto select = [&](const QSqlQuery &query) {
        const bool tooOld = m_options.maxAge.count() > 0 && query.value(1).toLongLong() < cutoff;
        const qint64 row = query.value(0).toLongLong();
        if (row == newest || (!tooOld && count >= allowed))
            return false;
        lastRow = row;
        ++count;
        return true;
    };
    fault = m_open->connection.execute(
        QStringLiteral("SELECT id, utc_ms FROM %1 ORDER BY id LIMIT ?").arg(table), select,
        {m_rowsPerPass});
    return fault ? 0 : count;
}

// The hash of the last removed row is chained into the trail before the row is removed.
StoreFault StoreDatabase::removeAudit(qint64 through)
{
    StoreFault fault;
    const QByteArray hash =
        m_open->connection
            .value(QStringLiteral("SELECT hash FROM audit WHERE id = %1").arg(through), fault)
            .toByteArray();
    if (fault)
        return fault;
    fault = append({.kind = QStringLiteral("checkpoint"),
                    .monotonicNs = qint64{m_latestMonotonic.time_since_epoch().count()},
                    .utcMs = qint64{latestTime().time_since_epoch().count()},
                    .data = AuditChain::checkpoint(through, hash)});
    if (!fault)
        fault = m_open->connection.execute(
            QStringLiteral("UPDATE audit_head SET removed_through = %1").arg(through));
    if (!fault)
        fault = m_open->connection.execute(
            QStringLiteral("DELETE FROM audit WHERE id <= %1").arg(through));
    return fault;
}

UtcTime StoreDatabase::latestTime() const
{
    return *m_firstTime
        + std::chrono::floor<std::chrono::milliseconds>(m_latestMonotonic - m_firstMonotonic);
}

qint64 StoreDatabase::number(const QString &statement, StoreFault &fault)
{
    return m_open->connection.value(statement, fault).toLongLong();
}

} // namespace Rekindle
