// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>
#include <rekindle/telemetry/export.h>

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

namespace Rekindle {

/// One event as the store keeps it.
struct StoredEvent
{
    qint64 row = 0;      ///< grows with time, whatever the clock did
    QString run{};       ///< of the host that told it
    qint64 sequence = 0; ///< of its kind: calls of tools are counted apart
    QString type{};      ///< as eventType() has it, "tool.finished" or "events.gap"
    QString instanceId{};
    QString agent{}; ///< empty for a gap
    Instant monotonicTime{};
    UtcTime time{};
    QByteArray data{}; ///< JSON, as eventToJson() or toJson(ToolCallFinished) has it

    bool operator==(const StoredEvent &) const = default;

    /// One line of CloudEvents 1.0 JSON without the line end.
    [[nodiscard]] REKINDLE_TELEMETRY_EXPORT QByteArray toCloudEvent() const;
};

/// One decision as the audit trail keeps it.
struct StoredDecision
{
    qint64 row = 0;
    QString run{};
    QString instanceId{};
    QString agent{};
    Instant monotonicTime{};
    UtcTime time{};
    QByteArray data{}; ///< JSON: toJson(RestartDecision), `jitter`, `budgetLeft`, `failure`,
                       ///< `health`; `downgraded` where the licence tier had made another policy of
                       ///< it, `evaluator` where a custom evaluator had a say in it
    QByteArray hash{};

    bool operator==(const StoredDecision &) const = default;
};

/// One life of one host.
struct StoredRun
{
    /// How it ended, if it has: Ended in order; Gone: it ended without saying so (killed, crashed,
    /// or the store could not be written); Unknown: written by an older version, or its process
    /// cannot be seen from here (in a container, or another user's where /proc hides those).
    enum class State { Running, Ended, Gone, Unknown };

    QString run{};
    qint64 processId = 0;
    UtcTime begun{};
    std::optional<UtcTime> ended{};
    qint64 firstEvent = 0; ///< row of the event that it told first; 0: unknown
    State state = State::Unknown;

    bool operator==(const StoredRun &) const = default;
    [[nodiscard]] bool isOver() const { return state == State::Ended || state == State::Gone; }
};

/// What is asked of a store.
struct HistoryQuery
{
    QString agent{};                ///< empty: all
    std::optional<UtcTime> since{}; ///< by the wall clock as it was
    int limit = 100;                ///< the newest; 1 .. 1,000,000
    QString type{};                 ///< of events: as StoredEvent has it; empty: all
    QString run{};                  ///< of this host alone; empty: all
};

/// Reads a telemetry store, also while hosts write to it. Blocks for as long as the disk takes.
/// Use it from the thread that made it.
class REKINDLE_TELEMETRY_EXPORT HistoryReader
{
public:
    explicit HistoryReader(const QString &path);
    ~HistoryReader();
    Q_DISABLE_COPY_MOVE(HistoryReader)

    /// Why the store cannot be read, or the last question could not be answered; else empty.
    [[nodiscard]] QString error() const;

    /// The newest that fit the question, oldest first. Gaps belong to every agent.
    [[nodiscard]] QList<StoredEvent> events(const HistoryQuery &query);
    [[nodiscard]] QList<StoredDecision> decisions(const HistoryQuery &query);
    /// What would have been decided with evaluators in shadow mode.
    [[nodiscard]] QList<StoredDecision> shadowDecisions(const HistoryQuery &query);

    /// All hosts that have told of something, oldest first. Whether one runs is looked up now.
    [[nodiscard]] QList<StoredRun> runs();

    /// The names of all agents in the store, in order.
    [[nodiscard]] QStringList agents();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
