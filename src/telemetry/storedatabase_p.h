// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "auditchain_p.h"
#include "storeconnection_p.h"
#include "storeitem_p.h"
#include "storequeue_p.h"
#include "storeschema_p.h"

#include <rekindle/telemetry/telemetryoptions.h>

#include <memory>
#include <optional>

namespace Rekindle {

/// Writes a store's file. Use it in the writer's thread. Throws StoreFault.
class StoreDatabase
{
public:
    explicit StoreDatabase(TelemetryOptions options);

    /// Creates the file if it does not exist, and opens it. Throws Refused for a symbolic link, and
    /// if this host has already written to another file of this name.
    void open();
    [[nodiscard]] bool isOpen() const { return m_open != nullptr; }
    void close() { m_open.reset(); }

    /// Closes and renames the file and its companions. Returns the new name; empty if this failed
    /// or the file is not a store.
    [[nodiscard]] QString moveAside(const QString &time);

    /// Sets the run of the items that are written from now on.
    void setRun(const QString &run);

    /// Writes the first `count` items in one transaction; on a fault, none of them.
    void write(const StoreQueue::Items &items, std::size_t count);

    /// Records an orderly exit of this host, if it has written anything. Throws Refused if the file
    /// was removed.
    void endRun(UtcTime time);

    /// Removes some of the rows that exceed the limits. Returns true if more remain. Takes some ten
    /// milliseconds.
    [[nodiscard]] bool retain();

private:
    /// A connection and its statements, which are destroyed before it.
    struct Open
    {
        explicit Open(const TelemetryOptions &options);
        StoreConnection connection;
        QSqlQuery insertEvent{connection.database()};
        QSqlQuery insertAudit{connection.database()};
        QSqlQuery insertInput{connection.database()};
        qint64 runRow = 0;
    };

    void beginRun(UtcTime time);
    void insert(const LifecycleEvent &event);
    void insert(const DecisionRecord &record);
    void insert(const CommandRecord &record);
    void insert(const ToolCallFinished &call);
    void insert(const InputRecord &record);
    void insert(const StoreGap &gap);
    void insertEvent(const EventHeader &common, const QByteArray &type, const QByteArray &data);
    void insertRow(quint64 sequence, const QByteArray &type, const QByteArray &instance,
                   const QByteArray &agent, Instant monotonicTime, UtcTime time,
                   const QByteArray &data);
    void append(AuditRow row);
    /// In this transaction, the head of the trail is read again, because another host may have
    /// appended rows.
    void inTransaction(const std::function<void()> &work);
    void recordTime(Instant monotonicTime, UtcTime time);

    /// The oldest rows of a table, to be removed in one pass.
    struct OldRows
    {
        qint64 count = 0;
        qint64 last = 0;
    };
    [[nodiscard]] OldRows oldRows(const QString &table, bool tooBig);
    /// Returns the number of removed rows.
    qint64 removeOld(const QString &table, bool tooBig);
    void removeAudit(qint64 through);
    [[nodiscard]] bool isTooBig();
    [[nodiscard]] qint64 number(const QString &statement);
    [[nodiscard]] UtcTime latestTime() const;

    const TelemetryOptions m_options;
    QString m_run;
    std::unique_ptr<Open> m_open;
    QString m_writtenRun;                         ///< in the file that has this name now
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
