// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storedatabase_p.h"

#include "base/durablefile_p.h"
#include "hostprocess_p.h"
#include "storeschema_p.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QVariant>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// The store contains the agents' stderr, so only the owner may read it. SQLite creates its other
// files with the same permissions.
void createFile(const QString &path)
{
    const QFileInfo info(path);
    if (info.exists())
        return;
    const QDir folder = info.absoluteDir();
    if (!folder.exists() && QDir().mkpath(folder.path()))
        QFile::setPermissions(folder.path(), ownerOnly | QFileDevice::ExeOwner);
    QFile file(path);
    static_cast<void>(file.open(QIODevice::WriteOnly | QIODevice::NewOnly, ownerOnly));
}

qint64 milliseconds(UtcTime time) { return qint64{time.time_since_epoch().count()}; }
qint64 nanoseconds(Instant instant) { return qint64{instant.time_since_epoch().count()}; }
QString idText(const QUuid &id) { return id.toString(QUuid::WithoutBraces); }

// A null string would be stored as NULL.
QString notNull(const QString &text) { return text.isNull() ? QStringLiteral("") : text; }

StoreFault execute(QSqlQuery &query)
{
    if (query.exec())
        return {};
    return toFault(query.lastError());
}

} // namespace

StoreDatabase::StoreDatabase(const TelemetryOptions &options, QString run)
    : m_options(options)
    , m_run(std::move(run))
{
}

StoreFault StoreDatabase::open()
{
    createFile(m_options.path);
    m_open = std::make_unique<Open>(m_options.path);
    StoreConnection &connection = m_open->connection;
    StoreFault fault = connection.open();
    if (!fault)
        fault = StoreSchema::prepare(connection);
    if (!fault && m_options.maxPages > 0) {
        fault = connection.execute(
            QStringLiteral("PRAGMA max_page_count = %1").arg(m_options.maxPages));
    }
    if (!fault)
        fault = prepareStatements();
    if (fault)
        close();
    else
        m_open->fileId = fileIdOf(m_options.path);
    return fault;
}

void StoreDatabase::close()
{
    if (m_open) {
        m_open->insertEvent.reset();
        m_open->insertAudit.reset();
    }
    m_open.reset();
}

bool StoreDatabase::isRemoved() const
{
    if (!m_open || !m_open->fileId)
        return false;
    const std::optional<FileId> current = fileIdOf(m_options.path);
    return current && *current != *m_open->fileId;
}

StoreFault StoreDatabase::prepareStatements()
{
    const auto prepare = [this](std::optional<QSqlQuery> &query, const char *statement) {
        query.emplace(m_open->connection.database());
        return query->prepare(QString::fromLatin1(statement)) ? StoreFault{}
                                                              : toFault(query->lastError());
    };
    if (StoreFault fault =
            prepare(m_open->insertEvent,
                    "INSERT INTO events (run_id, seq, type, instance, agent, mono_ns, utc_ms, data)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"))
        return fault;
    return prepare(m_open->insertAudit,
                   "INSERT INTO audit (id, kind, run, mono_ns, utc_ms, instance, agent, rule, data,"
                   " prev, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
}

QString StoreDatabase::moveAside(const QString &time)
{
    close();
    QString name = m_options.path + QLatin1String(".corrupt-") + time;
    for (int i = 2; QFileInfo::exists(name); ++i)
        name = m_options.path + QLatin1String(".corrupt-") + time + u'-' + QString::number(i);
    if (!QFile::rename(m_options.path, name))
        return {};
    for (const char *suffix : {"-wal", "-shm"}) {
        const QString companion = m_options.path + QLatin1String(suffix);
        if (QFileInfo::exists(companion))
            QFile::rename(companion, name + QLatin1String(suffix));
    }
    return name;
}

StoreFault StoreDatabase::inTransaction(const std::function<StoreFault()> &work)
{
    StoreConnection &connection = m_open->connection;
    if (StoreFault fault = connection.execute(QStringLiteral("BEGIN IMMEDIATE")))
        return fault;
    m_headKnown = false;
    StoreFault fault = work();
    if (!fault)
        fault = connection.execute(QStringLiteral("COMMIT"));
    if (fault)
        static_cast<void>(connection.execute(QStringLiteral("ROLLBACK")));
    return fault;
}

StoreFault StoreDatabase::write(const StoreQueue::Items &items, std::size_t count)
{
    const qint64 runBefore = m_open->runRow;
    const StoreFault fault = inTransaction([&]() -> StoreFault {
        for (std::size_t i = 0; i < count; ++i) {
            StoreFault each =
                std::visit([this](const auto &item) { return insert(item); }, items[i]);
            if (each)
                return each;
        }
        return {};
    });
    if (fault)
        m_open->runRow = runBefore;
    else
        m_rowsSinceRetained += static_cast<qint64>(count);
    return fault;
}

StoreFault StoreDatabase::beginRun(UtcTime time)
{
    if (m_open->runRow != 0)
        return {};
    QSqlQuery query(m_open->connection.database());
    query.prepare(
        QStringLiteral("INSERT INTO runs (run, pid, utc_ms, boot, pid_space, start_ticks,"
                       " first_event) VALUES (?, ?, ?, ?, ?, ?,"
                       " (SELECT coalesce(max(id), 0) + 1 FROM events))"
                       " ON CONFLICT (run) DO UPDATE SET pid = excluded.pid RETURNING id"));
    const HostProcess process = HostProcess::own();
    query.addBindValue(m_run);
    query.addBindValue(process.processId);
    query.addBindValue(milliseconds(time));
    query.addBindValue(notNull(process.boot));
    query.addBindValue(notNull(process.pidNamespace));
    query.addBindValue(process.startTicks);
    if (StoreFault fault = execute(query))
        return fault;
    if (!query.next())
        return toFault(query.lastError());
    m_open->runRow = query.value(0).toLongLong();
    return {};
}

StoreFault StoreDatabase::endRun(UtcTime time)
{
    if (!m_open || m_open->runRow == 0)
        return {};
    return m_open->connection.execute(QStringLiteral("UPDATE runs SET ended_ms = %1 WHERE id = %2")
                                          .arg(milliseconds(time))
                                          .arg(m_open->runRow));
}

StoreFault StoreDatabase::insert(const LifecycleEvent &event)
{
    return insertEvent(header(event), eventType(event), eventToJson(event));
}

StoreFault StoreDatabase::insert(const ToolCallFinished &call)
{
    return insertEvent(call, toolCallFinishedType, toJson(call));
}

StoreFault StoreDatabase::insertEvent(const EventHeader &common, const QString &type,
                                      const QByteArray &data)
{
    recordTime(common.monotonicTime, common.time);
    if (StoreFault fault = beginRun(common.time))
        return fault;
    QSqlQuery &query = *m_open->insertEvent;
    query.bindValue(0, m_open->runRow);
    query.bindValue(1, static_cast<qint64>(common.sequence));
    query.bindValue(2, type);
    query.bindValue(3, idText(common.instanceId));
    query.bindValue(4, storable(common.agent));
    query.bindValue(5, nanoseconds(common.monotonicTime));
    query.bindValue(6, milliseconds(common.time));
    query.bindValue(7, QString::fromUtf8(data));
    return execute(query);
}

StoreFault StoreDatabase::insert(const DecisionRecord &record)
{
    recordTime(record.monotonicTime, record.time);
    const DecisionText text = toText(record);
    const bool isShadow = record.kind == DecisionRecord::Kind::Shadow;
    return append({.kind = isShadow ? QStringLiteral("shadow") : QStringLiteral("decision"),
                   .monotonicNs = nanoseconds(record.monotonicTime),
                   .utcMs = milliseconds(record.time),
                   .instance = idText(record.instanceId),
                   .agent = storable(record.agent),
                   .rule = text.rule,
                   .data = text.data});
}

StoreFault StoreDatabase::insert(const StoreGap &gap)
{
    if (StoreFault fault = beginRun(gap.time))
        return fault;
    const QByteArray data = toJson(gap);
    QSqlQuery &query = *m_open->insertEvent;
    query.bindValue(0, m_open->runRow);
    query.bindValue(1, static_cast<qint64>(gap.firstSequence));
    query.bindValue(2, QStringLiteral("events.gap"));
    query.bindValue(3, QStringLiteral(""));
    query.bindValue(4, QStringLiteral(""));
    query.bindValue(5, nanoseconds(gap.monotonicTime));
    query.bindValue(6, milliseconds(gap.time));
    query.bindValue(7, QString::fromUtf8(data));
    if (StoreFault fault = execute(query))
        return fault;
    if (gap.decisions == 0)
        return {};
    return append({.kind = QStringLiteral("gap"),
                   .monotonicNs = nanoseconds(gap.monotonicTime),
                   .utcMs = milliseconds(gap.time),
                   .data = data});
}

// Another host may have appended rows, so the head is read inside the transaction.
StoreFault StoreDatabase::readHead()
{
    if (m_headKnown)
        return {};
    QSqlQuery query(m_open->connection.database());
    if (!query.exec(QStringLiteral("SELECT last_id, hash FROM audit_head")))
        return toFault(query.lastError());
    if (!query.next())
        return {StoreFault::Kind::Damaged,
                QStringLiteral("the head of the audit trail is missing")};
    m_head.id = query.value(0).toLongLong();
    m_headHash = query.value(1).toByteArray();
    m_headKnown = true;
    return {};
}

StoreFault StoreDatabase::append(AuditRow row)
{
    if (StoreFault fault = readHead())
        return fault;
    row.id = m_head.id + 1;
    row.run = m_run;
    const QByteArray hash = AuditChain::hashOf(m_headHash, row);
    QSqlQuery &query = *m_open->insertAudit;
    query.bindValue(0, row.id);
    query.bindValue(1, row.kind);
    query.bindValue(2, row.run);
    query.bindValue(3, row.monotonicNs);
    query.bindValue(4, row.utcMs);
    query.bindValue(5, notNull(row.instance));
    query.bindValue(6, notNull(row.agent));
    query.bindValue(7, notNull(row.rule));
    query.bindValue(8, QString::fromUtf8(row.data));
    query.bindValue(9, m_headHash);
    query.bindValue(10, hash);
    if (StoreFault fault = execute(query))
        return fault;
    m_head.id = row.id;
    m_headHash = hash;
    return {};
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

} // namespace Rekindle
