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

/// Keeps every event and every decision in an SQLite database, for `history` and `explain` and for
/// whoever asks later (spec 11). A thread of its own does the writing, in batches; the engine's
/// side puts an event into a bounded queue and never waits for a disk.
///
/// What cannot be written waits and is tried again. What finds no room to wait is dropped, counted,
/// told by dropped(), and stands in the database as a gap as soon as writing works again. What an
/// end by SIGKILL loses is the last batch; an orderly end loses nothing.
///
/// A database that is damaged is moved aside to NAME.corrupt-TIME and a new one is begun. One of a
/// newer version, or of another program, is refused and stays as it is. Several hosts may write to
/// one store at once.
///
/// Use it from the thread it lives in, the evaluator's. Signals come in that thread.
class REKINDLE_TELEMETRY_EXPORT TelemetryStore : public QObject
{
    Q_OBJECT

public:
    /// Begins to open the database; opened() or failed() tells what came of it. The application
    /// object must exist. Where no thread can be begun, failed() tells so and all is dropped.
    explicit TelemetryStore(const TelemetryOptions &options, QObject *parent = nullptr);

    /// Writes what waits, for `closeTimeout` at the most.
    ~TelemetryStore() override;

    /// Keeps what this evaluator tells from here on, for as long as both live; but no AgentOutput:
    /// retention removes what is oldest, and lines would push out all else. Who wants them appends
    /// them to a store of their own.
    void attach(RestartPolicyEvaluator &evaluator);

    /// Keeps one event. Never blocks; about a microsecond. Thread-safe.
    void append(const LifecycleEvent &event);

    /// Keeps one call of a tool (ToolCaller::callFinished()), as an event `tool.finished` that this
    /// store numbers itself. As append().
    void appendToolCall(const ToolCallFinished &call);

    /// `done` is called once everything that was told before is on the disk (true), or could not
    /// be written (false) and goes on waiting. Not called any more once the store is deleted.
    void flush(std::function<void(bool written)> done);

    /// Writes what waits, for `closeTimeout` at the most, and ends the store: nothing is kept any
    /// more. Signals that are due are emitted before it returns; droppedCount() is final then,
    /// but for what is told later; what a disk that hangs may still take counts as dropped.
    void close();

    /// Events, calls and decisions that were dropped since the beginning. Thread-safe.
    [[nodiscard]] quint64 droppedCount() const;

    /// Whether what could not be written waits and is tried again: not where the database was
    /// refused, or after close(). Thread-safe.
    [[nodiscard]] bool isTriedAgain() const;

    /// The id of this host's run in the database: what tells the events of two hosts apart.
    [[nodiscard]] QString runId() const;

Q_SIGNALS:
    /// The database is open, for the first time or again.
    void opened();

    /// Nothing can be written at present; told once until opened() or resumed(). `reason` is a
    /// sentence without an end.
    void failed(const QString &reason);

    /// Writing works again.
    void resumed();

    /// What was found was damaged; it is now at `path`.
    void movedAside(const QString &path);

    /// More was dropped; `total` counts since the beginning.
    void dropped(quint64 total);

private:
    void tellNews();

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
