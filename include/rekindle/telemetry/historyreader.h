// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/agentexplanation.h>
#include <rekindle/policy/timepoint.h>
#include <rekindle/telemetry/export.h>

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

namespace Rekindle {

/// An event in the store.
struct StoredEvent
{
    qint64 row = 0;      ///< increases in the order of writing, independent of the clock
    QString run{};       ///< the run of the host that emitted it
    qint64 sequence = 0; ///< number in its run; tool calls have a count of their own
    QString type{};      ///< eventType(), "tool.finished" or "events.gap"
    QString instanceId{};
    QString agent{}; ///< empty for a gap
    Instant monotonicTime{};
    UtcTime time{};
    QByteArray data{}; ///< JSON of eventToJson() or toJson(ToolCallFinished)

    bool operator==(const StoredEvent &) const = default;

    /// Returns the event as one line of CloudEvents 1.0 JSON, without a line feed.
    [[nodiscard]] REKINDLE_TELEMETRY_EXPORT QByteArray toCloudEvent() const;
};

/// A decision in the audit trail.
struct StoredDecision
{
    qint64 row = 0;
    QString run{};
    QString instanceId{};
    QString agent{};
    Instant monotonicTime{};
    UtcTime time{};
    QByteArray data{}; ///< JSON: toJson(RestartDecision), `jitter`, `budgetLeft`, `failure`,
                       ///< `health`; `downgraded` if the license tier replaced the policy,
                       ///< `evaluator` if a custom evaluator was involved
    QByteArray hash{};

    bool operator==(const StoredDecision &) const = default;
};

/// A run of a host.
struct StoredRun
{
    Q_GADGET_EXPORT(REKINDLE_TELEMETRY_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    /// Running; Exited: orderly exit; Vanished: exited without a record (killed, crashed, or the
    /// store could not be written); Unknown: written by an older version, or the process is not
    /// visible (in a container, or another user's process that /proc hides).
    enum class State { Running, Exited, Vanished, Unknown };
    Q_ENUM(State)

    QString run{};
    qint64 processId = 0;
    UtcTime begun{};
    std::optional<UtcTime> ended{};
    qint64 firstEvent = 0; ///< row of its first event; 0: unknown
    State state = State::Unknown;

    bool operator==(const StoredRun &) const = default;
    [[nodiscard]] bool hasExited() const
    {
        return state == State::Exited || state == State::Vanished;
    }
};

/// A query of a store.
struct HistoryQuery
{
    QString agent{};                ///< name; empty: all
    std::optional<UtcTime> since{}; ///< by the wall clock when the row was written
    int limit = 100;                ///< the newest rows; 1 .. 1,000,000
    QString type{};                 ///< StoredEvent::type; empty: all but tool calls
    QString run{};                  ///< StoredEvent::run; empty: all
};

/// A part of the events of a store.
struct StoredEventPage
{
    QList<StoredEvent> events{}; ///< in the order of rows
    qint64 nextRow = 0;          ///< where the next page begins
    qint64 removedRows = 0; ///< rows that were removed before the first one; at least this number
    bool isLast = false;    ///< there were no further events when it was read
};

/// Reads a telemetry store, also while hosts write to it. All functions block for the disk.
/// Use it from the thread that created it.
class REKINDLE_TELEMETRY_EXPORT HistoryReader
{
public:
    explicit HistoryReader(const QString &path);
    ~HistoryReader();
    Q_DISABLE_COPY_MOVE(HistoryReader)

    /// Returns why the store cannot be read or the last query failed; empty if there is no error.
    [[nodiscard]] QString error() const;

    /// Returns the newest rows that match the query, oldest first. Gaps match every agent.
    [[nodiscard]] QList<StoredEvent> events(const HistoryQuery &query);
    [[nodiscard]] QList<StoredDecision> decisions(const HistoryQuery &query);
    /// Returns the decisions that evaluators in shadow mode would have made.
    [[nodiscard]] QList<StoredDecision> shadowDecisions(const HistoryQuery &query);

    /// Explains the newest decisions about the agent of this name, at most `limit`, which is 1 to
    /// 1,000,000. With an error(), the explanation is incomplete.
    [[nodiscard]] AgentExplanation explain(const QString &agent, int limit);

    /// Returns the row at which the events after event `sequence` of a run begin; nothing if the
    /// run is unknown, or if some of these events may have been removed.
    [[nodiscard]] std::optional<qint64> rowAfter(const QString &run, quint64 sequence);

    /// Returns events and gaps from a row on, but no tool calls; 0: the oldest row. After the first
    /// event of `run`, events of other runs are skipped. At most `limit` events, or about 256 KiB
    /// of data.
    [[nodiscard]] StoredEventPage eventsFrom(qint64 row, const QString &run, int limit);

    /// Returns all runs with events, oldest first. Their states are determined now.
    [[nodiscard]] QList<StoredRun> runs();

    /// Returns the names of all agents in the store, sorted.
    [[nodiscard]] QStringList agents();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
