// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storedatabase_p.h"

#include "base/durablefile_p.h"
#include "hostprocess_p.h"

#include <QFile>
#include <QFileInfo>

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

namespace Rekindle {

namespace {

qint64 utcMilliseconds(UtcTime time) { return qint64{time.time_since_epoch().count()}; }
qint64 nanoseconds(Instant instant) { return qint64{instant.time_since_epoch().count()}; }
QString idText(const QUuid &id) { return id.toString(QUuid::WithoutBraces); }

// A null string would be stored as NULL.
QString notNull(const QString &text) { return text.isNull() ? QStringLiteral("") : text; }

template<typename... Values>
StoreFault execute(QSqlQuery &query, const Values &...values)
{
    int index = 0;
    (query.bindValue(index++, values), ...);
    return query.exec() ? StoreFault{} : toFault(query.lastError());
}

} // namespace

StoreDatabase::StoreDatabase(const TelemetryOptions &options, QString run)
    : m_options(options)
    , m_run(std::move(run))
{
}

StoreFault StoreDatabase::open()
{
    // The store contains the agents' stderr, so only the owner may read it. SQLite creates its
    // other files with the same permissions.
    createFolderOf(m_options.path);
    if (!QFileInfo::exists(m_options.path))
        static_cast<void>(createFile(m_options.path, {}, ownerOnly));
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

std::optional<StoreDatabase::FileId> StoreDatabase::fileIdOf(const QString &path)
{
    struct stat status = {};
    if (::stat(QFile::encodeName(path).constData(), &status) == 0)
        return FileId{status.st_dev, status.st_ino};
    if (errno == ENOENT || errno == ENOTDIR)
        return FileId{};
    return {};
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
    m_head.reset();
    return m_open->connection.transaction(QStringLiteral("BEGIN IMMEDIATE"), work);
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
    if (StoreFault fault =
            execute(query, m_run, process.processId, utcMilliseconds(time), notNull(process.boot),
                    notNull(process.pidNamespace), process.startTicks))
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
                                          .arg(utcMilliseconds(time))
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
    return insertRow(common.sequence, type, idText(common.instanceId), storable(common.agent),
                     common.monotonicTime, common.time, data);
}

StoreFault StoreDatabase::insertRow(quint64 sequence, const QString &type, const QString &instance,
                                    const QString &agent, Instant monotonicTime, UtcTime time,
                                    const QByteArray &data)
{
    if (StoreFault fault = beginRun(time))
        return fault;
    return execute(*m_open->insertEvent, m_open->runRow, static_cast<qint64>(sequence), type,
                   instance, agent, nanoseconds(monotonicTime), utcMilliseconds(time),
                   QString::fromUtf8(data));
}

StoreFault StoreDatabase::insert(const DecisionRecord &record)
{
    recordTime(record.monotonicTime, record.time);
    const DecisionText text = toText(record);
    const bool isShadow = record.kind == DecisionRecord::Kind::Shadow;
    return append({.kind = isShadow ? QStringLiteral("shadow") : QStringLiteral("decision"),
                   .monotonicNs = nanoseconds(record.monotonicTime),
                   .utcMs = utcMilliseconds(record.time),
                   .instance = idText(record.instanceId),
                   .agent = storable(record.agent),
                   .rule = text.rule,
                   .data = text.data});
}

StoreFault StoreDatabase::insert(const StoreGap &gap)
{
    const QByteArray data = toJson(gap);
    const QString none = QStringLiteral("");
    if (StoreFault fault = insertRow(gap.firstSequence, QStringLiteral("events.gap"), none, none,
                                     gap.monotonicTime, gap.time, data))
        return fault;
    if (gap.decisions == 0)
        return {};
    return append({.kind = QStringLiteral("gap"),
                   .monotonicNs = nanoseconds(gap.monotonicTime),
                   .utcMs = utcMilliseconds(gap.time),
                   .data = data});
}

StoreFault StoreDatabase::append(AuditRow row)
{
    if (!m_head) {
        StoreSchema::TrailHead head;
        if (StoreFault fault = StoreSchema::readHead(m_open->connection, head))
            return fault;
        m_head = head;
    }
    row.id = m_head->lastRow + 1;
    row.run = m_run;
    const QByteArray hash = AuditChain::hashOf(m_head->hash, row);
    if (StoreFault fault =
            execute(*m_open->insertAudit, row.id, row.kind, row.run, row.monotonicNs, row.utcMs,
                    notNull(row.instance), notNull(row.agent), notNull(row.rule),
                    QString::fromUtf8(row.data), m_head->hash, hash))
        return fault;
    m_head->lastRow = row.id;
    m_head->hash = hash;
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
