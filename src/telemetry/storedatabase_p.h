// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "auditchain_p.h"
#include "storeconnection_p.h"
#include "storeitem_p.h"
#include "storequeue_p.h"
#include "storeschema_p.h"

#include <rekindle/telemetry/telemetryoptions.h>

#include <optional>
#include <utility>

namespace Rekindle {

/// Writes a store's file. Use it in the writer's thread.
class StoreDatabase
{
public:
    StoreDatabase(const TelemetryOptions &options, QString run);

    /// Creates the file if it does not exist, and opens it.
    [[nodiscard]] StoreFault open();
    [[nodiscard]] bool isOpen() const { return m_open != nullptr; }
    void close();
    /// Returns whether the open file was removed, renamed or replaced.
    [[nodiscard]] bool isRemoved() const;

    /// Closes and renames the file and its companions. Returns the new name; empty if this failed.
    [[nodiscard]] QString moveAside(const QString &time);

    /// Writes the first `count` items in one transaction; on a fault, none of them.
    [[nodiscard]] StoreFault write(const StoreQueue::Items &items, std::size_t count);

    /// Records an orderly exit of this host, if it has written anything.
    [[nodiscard]] StoreFault endRun(UtcTime time);

    /// Removes some of the rows that exceed the limits. Returns true if more remain. Takes some ten
    /// milliseconds.
    [[nodiscard]] bool retain(StoreFault &fault);

private:
    /// Device and inode; {0, 0} is no file.
    using FileId = std::pair<quint64, quint64>;
    /// Returns the file that `path` refers to; nullopt if the system does not report it.
    [[nodiscard]] static std::optional<FileId> fileIdOf(const QString &path);

    /// A connection and its statements, which are destroyed before it.
    struct Open
    {
        explicit Open(const QString &path)
            : connection(path, StoreConnection::Mode::Write)
        {
        }
        StoreConnection connection;
        std::optional<QSqlQuery> insertEvent;
        std::optional<QSqlQuery> insertAudit;
        qint64 runRow = 0;
        std::optional<FileId> fileId{};
    };

    [[nodiscard]] StoreFault prepareStatements();
    [[nodiscard]] StoreFault beginRun(UtcTime time);
    [[nodiscard]] StoreFault insert(const LifecycleEvent &event);
    [[nodiscard]] StoreFault insert(const DecisionRecord &record);
    [[nodiscard]] StoreFault insert(const ToolCallFinished &call);
    [[nodiscard]] StoreFault insert(const StoreGap &gap);
    [[nodiscard]] StoreFault insertEvent(const EventHeader &common, const QString &type,
                                         const QByteArray &data);
    [[nodiscard]] StoreFault insertRow(quint64 sequence, const QString &type,
                                       const QString &instance, const QString &agent,
                                       Instant monotonicTime, UtcTime time, const QByteArray &data);
    [[nodiscard]] StoreFault append(AuditRow row);
    /// In this transaction, the head of the trail is read again, because another host may have
    /// appended rows.
    [[nodiscard]] StoreFault inTransaction(const std::function<StoreFault()> &work);
    void recordTime(Instant monotonicTime, UtcTime time);

    [[nodiscard]] qint64 removableRows(const QString &table, bool tooBig, qint64 &lastRow,
                                       StoreFault &fault);
    [[nodiscard]] StoreFault removeAudit(qint64 through);
    [[nodiscard]] bool isTooBig(StoreFault &fault);
    [[nodiscard]] qint64 number(const QString &statement, StoreFault &fault);
    [[nodiscard]] UtcTime latestTime() const;

    const TelemetryOptions m_options;
    const QString m_run;
    std::unique_ptr<Open> m_open;
    std::optional<StoreSchema::TrailHead> m_head; ///< in the current transaction

    // Retention measures time with the monotonic clock, so that a change of the wall clock removes
    // nothing.
    std::optional<UtcTime> m_firstTime;
    Instant m_firstMonotonic{};
    Instant m_latestMonotonic{};
    Instant m_retainedAt{};
    qint64 m_rowsSinceRetained = 0;
    qint64 m_rowsPerPass = 0;
    bool m_moreToRemove = true;
};

} // namespace Rekindle
