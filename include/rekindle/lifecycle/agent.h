// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/agenthealthstatus.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/lifecycleevent.h>

#include <QObject>

namespace Rekindle {

/// Something that is supervised. A host derives from it for its own kinds; ten lines will do.
///
/// The contract, for one start after the other:
/// - start() begins a start. Emit started() when it runs, ready() when it can work.
/// - failed() says that it has ended with a failure, and nothing of it runs any more.
/// - stopped() says that it has ended without one: by itself, or because of stop() or kill().
///   Every start ends in exactly one of failed() and stopped().
/// - restartRequested() asks for a restart that costs no attempt. An agent that is still alive
///   goes on until stop() is called; one that has ended (isAlive() is false) is just started anew
///   and emits nothing more.
/// - Signals of a start that is over must not be emitted any more.
///
/// The supervisor calls start(), stop() and kill() from the event loop, never from inside one of
/// the agent's own signals, and never start() before the end of the last start was reported. None
/// of them may block; signals may be emitted from inside them. Use it from the thread it lives in.
class REKINDLE_LIFECYCLE_EXPORT Agent : public QObject
{
    Q_OBJECT

public:
    explicit Agent(QObject *parent = nullptr);
    ~Agent() override;

    virtual void start() = 0;

    /// Ask it to end in order; stopped() or failed() says that it has.
    virtual void stop() = 0;

    /// End it now: it was not ready in time, or wedged, or there is no time left.
    virtual void kill() { stop(); }

    /// Whether it may still be doing something. Asked while restartRequested() is emitted.
    [[nodiscard]] virtual bool isAlive() const { return true; }

    /// Of the running process; 0 where there is none.
    [[nodiscard]] virtual qint64 processId() const { return 0; }

Q_SIGNALS:
    void started();
    void ready();
    void failed(Rekindle::FailureReason reason, const Rekindle::FailureDetail &detail);
    void stopped();
    void restartRequested(const QString &reason);

    /// It works, as far as it can tell; the more often the better (spec 6, heartbeat). Only of
    /// interest to a heartbeat probe.
    void heartbeat();

    /// It is alive and cannot work any more: the opposite of heartbeat(), and acted upon at once.
    void gaveUp(const QString &text);

    /// What an agent that watches itself has found, with its misses in a row: a part of its health
    /// (AgentMonitor::health()), and no more. An agent that takes it for a failure emits failed()
    /// next.
    void probed(const Rekindle::ProbeResult &result, int consecutiveMisses);

    /// A line that it has written, without its end, as it stands there. Between started() and the
    /// end of the start. Only of interest where AgentMonitor::tellOutput() asks for it.
    void output(Rekindle::AgentOutput::Stream stream, const QByteArray &line);
};

} // namespace Rekindle
