// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storedatabase_p.h"

#include "base/durablefile_p.h"
#include "hostprocess_p.h"
#include "inputrow_p.h"

#include <rekindle/version.h>

#include <QFileInfo>
#include <QScopeGuard>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace Rekindle {

namespace {

qint64 utcMilliseconds(UtcTime time) { return qint64{time.time_since_epoch().count()}; }
qint64 nanoseconds(Instant instant) { return qint64{instant.time_since_epoch().count()}; }
QByteArray idText(const QUuid &id) { return id.toByteArray(QUuid::WithoutBraces); }

// A null text would be stored as NULL.
QString notNull(const QString &text) { return text.isNull() ? QStringLiteral("") : text; }
QByteArray notNull(const QByteArray &text) { return text.isNull() ? QByteArray("") : text; }

void prepare(QSqlQuery &query, const char *statement)
{
    if (!query.prepare(QString::fromLatin1(statement)))
        throw toFault(query.lastError());
}

template<typename... Values>
void execute(QSqlQuery &query, const Values &...values)
{
    int index = 0;
    (query.bindValue(index++, values), ...);
    if (!query.exec())
        throw toFault(query.lastError());
}

// A row of the audit trail about the instance and the time of a header.
AuditRow auditRow(const QByteArray &kind, const EventHeader &common, const QByteArray &data)
{
    return {.kind = kind,
            .monotonicNs = nanoseconds(common.monotonicTime),
            .utcMs = utcMilliseconds(common.time),
            .instance = idText(common.instanceId),
            .agent = storable(common.agent),
            .data = data};
}

StoreFault replaced()
{
    return {StoreFault::Kind::Refused,
            QStringLiteral("the file was removed, renamed or replaced while in use")};
}

// A pass takes some ten milliseconds and removes more rows than were added since the last pass.
constexpr qint64 minRowsPerPass = 2'000;
constexpr qint64 rowsBetweenPasses = 1'000;
constexpr auto timeBetweenPasses = std::chrono::minutes(10);

} // namespace

StoreDatabase::StoreDatabase(TelemetryOptions options)
    : m_options(std::move(options))
{
}

StoreDatabase::Open::Open(const TelemetryOptions &options)
    : connection(options.path, StoreConnection::Mode::Write)
{
    StoreSchema::prepare(connection);
    // Rows are appended and rarely read, so SQLite's default page cache of 2 MB is not needed.
    connection.execute(QStringLiteral("PRAGMA cache_size = -256"));
    if (options.maxPages > 0)
        connection.execute(QStringLiteral("PRAGMA max_page_count = %1").arg(options.maxPages));
    // Texts are bound as bytes of UTF-8. Qt would pass them as UTF-16, which SQLite would convert.
    prepare(insertEvent,
            "INSERT INTO events (run_id, seq, type, instance, agent, mono_ns, utc_ms, data)"
            " VALUES (?, ?, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), ?, ?,"
            " CAST(? AS TEXT))");
    prepare(insertAudit,
            "INSERT INTO audit (id, kind, run, mono_ns, utc_ms, instance, agent, rule, data,"
            " prev, hash) VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT), ?, ?, CAST(? AS TEXT),"
            " CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), ?, ?)");
    prepare(insertInput,
            "INSERT INTO inputs (run_id, n, mono_ns, utc_ms, instance, agent, kind, generation,"
            " draw, data, sum) VALUES (?, ?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT),"
            " CAST(? AS TEXT), ?, ?, CAST(? AS TEXT), ?)");
}

void StoreDatabase::open()
{
    if (const QString refusal = refusalOfPlace(m_options.path, WrittenFile::Store);
        !refusal.isEmpty())
        throw StoreFault{StoreFault::Kind::Refused, refusal};
    // A new file of this name would share log and index with the file that other hosts may have
    // open, which would damage both.
    const bool exists = QFileInfo::exists(m_options.path);
    const bool hasWritten = !m_writtenRun.isEmpty();
    if (hasWritten && !exists)
        throw replaced();
    // The store contains the agents' stderr, so only the owner may read it. SQLite creates its
    // other files with the same permissions.
    if (!exists) {
        if (const QString error = createFolderOf(m_options.path); !error.isEmpty())
            throw StoreFault{StoreFault::Kind::Broken, error};
        static_cast<void>(createFile(m_options.path, {}, ownerOnly));
    }
    auto opened = std::make_unique<Open>(m_options);
    const QString ownRuns =
        QStringLiteral("SELECT count(*) FROM runs WHERE run = '%1'").arg(m_writtenRun);
    if (hasWritten && opened->connection.value(ownRuns).toInt() == 0)
        throw replaced();
    m_open = std::move(opened);
}

QString StoreDatabase::moveAside(const QString &time)
{
    close();
    if (!refusalOf(m_options.path, WrittenFile::Store).isEmpty())
        return {};
    const QString first = m_options.path + QLatin1String(".corrupt-") + time;
    QString name = first;
    int error = renameToNew(m_options.path, name);
    for (int i = 2; error == EEXIST; ++i) {
        name = first + u'-' + QString::number(i);
        error = renameToNew(m_options.path, name);
    }
    if (error != 0)
        return {};
    m_writtenRun.clear();
    for (const char *suffix : {"-wal", "-shm"})
        static_cast<void>(
            renameToNew(m_options.path + QLatin1String(suffix), name + QLatin1String(suffix)));
    return name;
}

void StoreDatabase::setRun(const QString &run)
{
    if (run != m_run)
        m_open->runRow = 0;
    m_run = run;
}

void StoreDatabase::inTransaction(const std::function<void()> &work)
{
    m_head.reset();
    m_open->connection.transaction(QStringLiteral("BEGIN IMMEDIATE"), work);
}

void StoreDatabase::write(const StoreQueue::Items &items, std::size_t count)
{
    const qint64 runBefore = m_open->runRow;
    auto restored = qScopeGuard([&] { m_open->runRow = runBefore; });
    inTransaction([&] {
        for (std::size_t i = 0; i < count; ++i)
            std::visit([this](const auto &item) { insert(item); }, items[i]);
    });
    restored.dismiss();
    m_writtenRun = m_run;
    m_rowsSinceRetained += static_cast<qint64>(count);
}

void StoreDatabase::beginRun(UtcTime time)
{
    if (m_open->runRow != 0)
        return;
    QSqlQuery query(m_open->connection.database());
    query.prepare(
        QStringLiteral("INSERT INTO runs (run, pid, utc_ms, boot, pid_space, start_ticks,"
                       " version, first_event, first_audit) VALUES (?, ?, ?, ?, ?, ?, ?,"
                       " (SELECT coalesce(max(id), 0) + 1 FROM events),"
                       " (SELECT last_id + 1 FROM audit_head))"
                       " ON CONFLICT (run) DO UPDATE SET pid = excluded.pid RETURNING id"));
    const HostProcess process = HostProcess::own();
    execute(query, m_run, process.processId, utcMilliseconds(time), notNull(process.boot),
            notNull(process.pidNamespace), process.startTicks,
            QStringLiteral(REKINDLE_VERSION_STR));
    if (!query.next())
        throw toFault(query.lastError());
    m_open->runRow = query.value(0).toLongLong();
}

void StoreDatabase::endRun(UtcTime time)
{
    if (!m_open || m_open->runRow == 0)
        return;
    if (!QFileInfo::exists(m_options.path))
        throw replaced(); // SQLite itself reports no error
    m_open->connection.execute(QStringLiteral("UPDATE runs SET ended_ms = %1 WHERE id = %2")
                                   .arg(utcMilliseconds(time))
                                   .arg(m_open->runRow));
}

// Empty if the event has no row in the audit trail.
static QByteArray auditKindOf(const LifecycleEvent &event)
{
    if (std::holds_alternative<RestartRequested>(event))
        return "request";
    if (std::holds_alternative<OperatorAction>(event))
        return "operator";
    if (std::holds_alternative<ConfigurationApplied>(event))
        return "configuration";
    return {};
}

void StoreDatabase::insert(const LifecycleEvent &event)
{
    const EventHeader &common = header(event);
    const QByteArray data = eventToJson(event);
    insertEvent(common, eventType(event).toLatin1(), data);
    if (const QByteArray kind = auditKindOf(event); !kind.isEmpty())
        append(auditRow(kind, common, data));
}

void StoreDatabase::insert(const ToolCallFinished &call)
{
    insertEvent(call, QByteArray(toolCallFinishedType.data()), toJson(call));
}

void StoreDatabase::insertEvent(const EventHeader &common, const QByteArray &type,
                                const QByteArray &data)
{
    recordTime(common.monotonicTime, common.time);
    insertRow(common.sequence, type, idText(common.instanceId), storable(common.agent),
              common.monotonicTime, common.time, data);
}

void StoreDatabase::insertRow(quint64 sequence, const QByteArray &type, const QByteArray &instance,
                              const QByteArray &agent, Instant monotonicTime, UtcTime time,
                              const QByteArray &data)
{
    beginRun(time);
    execute(m_open->insertEvent, m_open->runRow, static_cast<qint64>(sequence), type, instance,
            agent, nanoseconds(monotonicTime), utcMilliseconds(time), data);
}

void StoreDatabase::insert(const DecisionRecord &record)
{
    recordTime(record.monotonicTime, record.time);
    beginRun(record.time);
    const bool isShadow = record.kind == DecisionRecord::Kind::Shadow;
    AuditRow row = auditRow(isShadow ? "shadow" : "decision", record, toJson(record));
    row.rule = toText(record.decision.rule).toLatin1();
    append(std::move(row));
}

void StoreDatabase::insert(const CommandRecord &record)
{
    recordTime(record.monotonicTime, record.time);
    beginRun(record.time);
    append(auditRow("command", record, toJson(record)));
}

void StoreDatabase::insert(const InputRecord &record)
{
    recordTime(record.entry.time, record.time);
    beginRun(record.time);
    const InputRow row = InputRow::of(record.entry);
    execute(m_open->insertInput, m_open->runRow, row.number, row.monotonicNs,
            utcMilliseconds(record.time), row.instance, row.agent, row.kind, row.generation,
            row.draw, row.data, row.sum());
}

void StoreDatabase::insert(const StoreGap &gap)
{
    const QByteArray data = toJson(gap);
    const QByteArray none("");
    insertRow(gap.firstSequence, "events.gap", none, none, gap.monotonicTime, gap.time, data);
    // Each of the events may have been a request.
    if (gap.events + gap.decisions + gap.commands > 0) {
        append({.kind = "gap",
                .monotonicNs = nanoseconds(gap.monotonicTime),
                .utcMs = utcMilliseconds(gap.time),
                .data = data});
    }
}

void StoreDatabase::append(AuditRow row)
{
    if (!m_head)
        m_head = StoreSchema::readHead(m_open->connection);
    row.id = m_head->lastRow + 1;
    row.run = m_run.toLatin1();
    const QByteArray hash = AuditChain::hashOf(m_head->hash, row);
    execute(m_open->insertAudit, row.id, row.kind, row.run, row.monotonicNs, row.utcMs,
            notNull(row.instance), notNull(row.agent), notNull(row.rule), row.data, m_head->hash,
            hash);
    m_head->lastRow = row.id;
    m_head->hash = hash;
}

void StoreDatabase::recordTime(Instant monotonicTime, UtcTime time)
{
    if (!m_firstTime) {
        m_firstTime = time;
        m_firstMonotonic = monotonicTime;
        m_retainedAt = monotonicTime;
    }
    m_latestMonotonic = std::max(m_latestMonotonic, monotonicTime);
}

bool StoreDatabase::retain()
{
    if (!m_firstTime)
        return false;
    if (!m_moreToRemove && m_rowsSinceRetained < rowsBetweenPasses
        && m_latestMonotonic - m_retainedAt < timeBetweenPasses)
        return false;
    m_moreToRemove = false;
    m_rowsPerPass = std::max(minRowsPerPass, 2 * m_rowsSinceRetained);
    m_rowsSinceRetained = 0;
    m_retainedAt = m_latestMonotonic;

    const bool tooBig = isTooBig();
    qint64 removed = 0;
    inTransaction([&] {
        const OldRows audit = oldRows(QStringLiteral("audit"), tooBig);
        if (audit.count > 0)
            removeAudit(audit.last);
        removed = audit.count + removeOld(QStringLiteral("events"), tooBig)
            + removeOld(QStringLiteral("inputs"), tooBig);
    });
    if (removed > 0)
        m_open->connection.execute(QStringLiteral("PRAGMA incremental_vacuum(500)"));
    m_moreToRemove = removed > 0 && (tooBig || removed >= m_rowsPerPass);
    return m_moreToRemove;
}

bool StoreDatabase::isTooBig()
{
    if (m_options.maxBytes == 0)
        return false;
    const qint64 pages = number(QStringLiteral("PRAGMA page_count"))
        - number(QStringLiteral("PRAGMA freelist_count"));
    return pages * number(QStringLiteral("PRAGMA page_size")) > m_options.maxBytes;
}

// Returns the oldest rows to remove, at most one pass. The newest row stays, so that row numbers
// are never reused. Rows are removed in order: a row whose time is too recent, because the clock
// was set back, also retains the rows after it.
StoreDatabase::OldRows StoreDatabase::oldRows(const QString &table, bool tooBig)
{
    const qint64 newest = number(QStringLiteral("SELECT max(id) FROM ") + table);
    const qint64 oldest = number(QStringLiteral("SELECT min(id) FROM ") + table);
    const qint64 allowed = tooBig ? std::min(m_rowsPerPass, (newest - oldest) / 10 + 1) : 0;
    const qint64 cutoff = utcMilliseconds(latestTime() - m_options.maxAge);
    OldRows found;
    QSqlQuery query = m_open->connection.query(
        QStringLiteral("SELECT id, utc_ms FROM %1 ORDER BY id LIMIT ?").arg(table),
        {m_rowsPerPass});
    while (StoreConnection::next(query)) {
        const bool tooOld = m_options.maxAge.count() > 0 && query.value(1).toLongLong() < cutoff;
        const qint64 row = query.value(0).toLongLong();
        if (row == newest || (!tooOld && found.count >= allowed))
            break;
        found.last = row;
        ++found.count;
    }
    return found;
}

qint64 StoreDatabase::removeOld(const QString &table, bool tooBig)
{
    const OldRows old = oldRows(table, tooBig);
    if (old.count > 0)
        m_open->connection.execute(
            QStringLiteral("DELETE FROM %1 WHERE id <= %2").arg(table).arg(old.last));
    return old.count;
}

// The hash of the last removed row is chained into the trail before the row is removed.
void StoreDatabase::removeAudit(qint64 through)
{
    const StoreConnection &connection = m_open->connection;
    const QByteArray hash =
        connection.value(QStringLiteral("SELECT hash FROM audit WHERE id = %1").arg(through))
            .toByteArray();
    append({.kind = "checkpoint",
            .monotonicNs = nanoseconds(m_latestMonotonic),
            .utcMs = utcMilliseconds(latestTime()),
            .data = AuditChain::checkpoint(through, hash)});
    connection.execute(QStringLiteral("UPDATE audit_head SET removed_through = %1").arg(through));
    connection.execute(QStringLiteral("DELETE FROM audit WHERE id <= %1").arg(through));
}

UtcTime StoreDatabase::latestTime() const
{
    return *m_firstTime
        + std::chrono::floor<std::chrono::milliseconds>(m_latestMonotonic - m_firstMonotonic);
}

qint64 StoreDatabase::number(const QString &statement)
{
    return m_open->connection.value(statement).toLongLong();
}

} // namespace Rekindle
