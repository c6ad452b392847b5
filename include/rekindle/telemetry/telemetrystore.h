// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/toolcallfinished.h>
#include <rekindle/telemetry/export.h>
#include <rekindle/telemetry/telemetryoptions.h>

#include <QObject>

#include <functional>
#include <memory>

namespace Rekindle {

class RestartPolicyEvaluator;

/// Records every event, decision and operator command in an SQLite database (docs/telemetry.md). A
/// separate thread writes in batches. Adding an event to the bounded queue never waits for the
/// disk.
///
/// Failed writes are retried. If the queue is full, rows are dropped and counted (dropped()), and a
/// gap is recorded when writing works again. One agent cannot fill the queue. SIGKILL loses the
/// last batch; an orderly exit loses nothing.
///
/// A damaged store is moved to NAME.corrupt-TIME, and a new one is created. A store of a newer
/// version, any other file and a symbolic link are rejected and left unchanged. Several hosts can
/// write to one store at the same time.
///
/// Use it from its own thread, which is the evaluator's. Signals are emitted in that thread.
class REKINDLE_TELEMETRY_EXPORT TelemetryStore : public QObject
{
    Q_OBJECT

public:
    /// Opens the database asynchronously and emits opened() or failed(). The application object
    /// must exist. If no thread can be created, failed() is emitted and all rows are dropped.
    explicit TelemetryStore(const TelemetryOptions &options, QObject *parent = nullptr);

    /// Writes queued rows like close(), but emits no signals.
    ~TelemetryStore() override;

    /// Records all further events, decisions and operator commands of `evaluator` except
    /// AgentOutput, because lines would displace all other events. A host can append them to a
    /// separate store. The rows belong to the evaluator's run from now on. A store records one
    /// evaluator: another call is ignored and logged as critical.
    void attach(RestartPolicyEvaluator &evaluator);

    /// Records one event. Never blocks; takes about a microsecond. Thread-safe.
    void append(const LifecycleEvent &event);

    /// Records a tool call (ToolCaller::callFinished()) as an event `tool.finished`, which this
    /// store numbers. Never blocks. Thread-safe.
    void appendToolCall(const ToolCallFinished &call);

    /// Calls `done(true)` when all earlier rows are on the disk, or `done(false)` if writing failed
    /// and the rows stay queued. `done` is not called after the store is deleted.
    void flush(std::function<void(bool written)> done);

    /// Writes queued rows at once and blocks until they are written, for at most `limit`. Returns
    /// false if they are not; they stay queued. Does not wait while writing fails.
    bool writeNow(std::chrono::milliseconds limit);

    /// Writes queued rows and closes the store. Blocks for up to `closeTimeout`. Due signals are
    /// emitted before it returns. Rows that a hung disk has not confirmed, and rows that are
    /// appended later, count as dropped.
    void close();

    /// Returns the number of rows that were dropped since construction. Thread-safe.
    [[nodiscard]] quint64 droppedCount() const;

    /// Returns whether failed writes are retried: false if the database was rejected, and after
    /// close(). Thread-safe.
    [[nodiscard]] bool retriesWrites() const;

    /// Returns the id of this host's run, which distinguishes the events of several hosts: the
    /// id of the evaluator, or before attach() an id of the store.
    [[nodiscard]] QString runId() const;

Q_SIGNALS:
    /// Emitted when the database was opened, also when it was opened again.
    void opened();

    /// Emitted when writing fails, once until resumed(), and when recording stops (see
    /// retriesWrites()). `reason` is a sentence without a period.
    void failed(const QString &reason);

    /// Emitted when a write succeeds after failed().
    void resumed();

    /// Emitted when a damaged database was moved to `path`.
    void movedAside(const QString &path);

    /// Emitted when rows were dropped; `total` counts since construction.
    void dropped(quint64 total);

private:
    void emitChanges();

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
