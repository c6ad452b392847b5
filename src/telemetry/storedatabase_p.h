// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "auditchain_p.h"
#include "filemark_p.h"
#include "storeconnection_p.h"
#include "storeitem_p.h"
#include "storequeue_p.h"

#include <rekindle/telemetry/telemetryoptions.h>

#include <optional>

namespace Rekindle {

/// The writing side of a store's file, in the writer's thread.
class StoreDatabase
{
public:
    StoreDatabase(const TelemetryOptions &options, QString run);

    /// Opens it where it is not open.
    [[nodiscard]] StoreFault open();
    [[nodiscard]] bool isOpen() const { return m_open != nullptr; }
    void close();
    /// It is open, and its name is no file's any more, or another one's.
    [[nodiscard]] bool isRemoved() const;
    /// Closes it then, at `time`. As long as no other file has the name, the run ends in order, and
    /// what stands in the log beside it is moved into it, wherever it is now.
    void letGo(UtcTime time);

    /// Renames the file and what belongs to it; the new name, empty if that failed.
    [[nodiscard]] QString moveAside(const QString &time);

    /// Writes the first `count` items in one transaction, or nothing of them.
    [[nodiscard]] StoreFault write(const StoreQueue::Items &items, std::size_t count);

    /// That this host has ended in order; nothing where it has told nothing.
    [[nodiscard]] StoreFault endRun(UtcTime time);

    /// Removes a part of what is too old or too much; short. True if more is to be done.
    [[nodiscard]] bool retain(StoreFault &fault);

private:
    /// A connection and its statements, which end before it.
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
        std::optional<FileMark> mark{};
    };

    void emptyLog();
    [[nodiscard]] StoreFault prepareStatements();
    [[nodiscard]] StoreFault beginRun(UtcTime time);
    [[nodiscard]] StoreFault readHead();
    [[nodiscard]] StoreFault insert(const LifecycleEvent &event);
    [[nodiscard]] StoreFault insert(const DecisionRecord &record);
    [[nodiscard]] StoreFault insert(const ToolCallFinished &call);
    [[nodiscard]] StoreFault insert(const StoreGap &gap);
    [[nodiscard]] StoreFault insertEvent(const EventHeader &common, const QString &type,
                                         const QByteArray &data);
    [[nodiscard]] StoreFault append(AuditRow row);
    [[nodiscard]] StoreFault inTransaction(const std::function<StoreFault()> &work);
    void keepTime(Instant monotonicTime, UtcTime time);

    [[nodiscard]] qint64 removableRows(const QString &table, bool tooBig, qint64 &lastRow,
                                       StoreFault &fault);
    [[nodiscard]] StoreFault removeEvents(qint64 through);
    [[nodiscard]] StoreFault removeAudit(qint64 through);
    [[nodiscard]] bool isTooBig(StoreFault &fault);
    [[nodiscard]] qint64 number(const QString &statement, StoreFault &fault);

    const TelemetryOptions m_options;
    const QString m_run;
    std::unique_ptr<Open> m_open;
    AuditRow m_head; ///< of the running transaction: id and, below, its hash
    QByteArray m_headHash;
    bool m_headKnown = false;

    // Time passes for retention as the monotonic clock has it: a jump of the wall clock must not
    // make everything old.
    std::optional<UtcTime> m_beganAt;
    Instant m_beganMonotonic{};
    Instant m_latestMonotonic{};
    Instant m_retainedAt{};
    qint64 m_rowsSinceRetained = 0;
    qint64 m_rowsOfOnePass = 0;
    bool m_moreToRemove = true;
};

} // namespace Rekindle
