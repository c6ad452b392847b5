// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/lifecycle/workercontext.h>

#include <memory>

namespace Rekindle {

/// Options of a worker. Values outside their range are replaced with the nearest value in range.
struct WorkerOptions
{
    Q_GADGET_EXPORT(REKINDLE_LIFECYCLE_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    /// When a worker is ready.
    enum class Ready {
        Constructed, ///< when its factory has returned
        Reported,    ///< when it calls WorkerContext::ready()
    };
    Q_ENUM(Ready)
    Ready ready = Ready::Constructed;

    /// Time between two heartbeat requests through the worker's event loop (spec 6), 10 ms to 24 h.
    /// The first one follows between one and two intervals after ready. 0 disables the heartbeat.
    Duration heartbeatInterval = std::chrono::seconds(10);
    /// Time allowed for the answer, 1 ms to 1 h. A later answer is a probe failure.
    Duration heartbeatTimeout = std::chrono::seconds(2);
    /// Consecutive probe failures before the last probe; 1 to 1000.
    int misses = 3;
    /// Timeout of the last probe, so that a busy worker does not count as hung; `heartbeatTimeout`
    /// to 1 h.
    Duration lastChance = std::chrono::seconds(10);

    /// Time allowed for the thread to end after stop() or after a failure, 0 to 24 h. After that,
    /// the thread is abandoned.
    Duration stopTimeout = std::chrono::seconds(5);
    /// The same after kill(), 0 to 24 h.
    Duration killTimeout = std::chrono::seconds(1);

    /// Name of the thread, for debuggers (Linux shows 15 bytes); may be empty.
    QString threadName{};
    /// Stack size of the thread in bytes; 0 is the default of the system.
    uint stackSize = 0;
};

/// Runs a QObject in its own thread as an agent (spec 6). Each start creates a thread with an event
/// loop, in which the factory creates a new object.
///
/// If an exception leaves an event handler or a slot, the event loop ends, the object is destroyed
/// in its thread, and the agent emits failed() with UnhandledException and the text of the
/// exception. If the worker quits its event loop, the agent emits stopped(). Both signals follow
/// the end of the thread.
///
/// The event loop is monitored by a heartbeat probe, which AgentMonitor runs (ownHealthChecks()). A
/// worker that does not answer is a failure HealthCheckFailed, and the supervisor calls kill().
///
/// A thread is never killed. A thread that does not end in time is abandoned: threadAbandoned() is
/// emitted, its reports are ignored, and the agent counts as stopped, so that a replacement may
/// start. An abandoned thread ends if its event loop ever runs again.
///
/// Nothing blocks: the destructor abandons a running thread. What the worker uses must live as long
/// as the thread; docs/workers.md describes the end of the host. Use the object from its own
/// thread, which needs a Qt event loop.
class REKINDLE_LIFECYCLE_EXPORT WorkerAgent : public Agent
{
    Q_OBJECT

public:
    /// `scheduler` must outlive the agent.
    WorkerAgent(WorkerFactory factory, const WorkerOptions &options, Scheduler &scheduler,
                QObject *parent = nullptr);
    ~WorkerAgent() override;

    [[nodiscard]] const WorkerOptions &options() const;

    void start() override;
    void stop() override;
    void kill() override;
    /// WorkerOptions limits the stop: a thread that does not end is abandoned.
    [[nodiscard]] std::optional<Duration> defaultStopTimeout() const override { return {}; }
    [[nodiscard]] bool isAlive() const override;
    [[nodiscard]] std::vector<HealthCheck> ownHealthChecks() override;
    [[nodiscard]] bool requestHeartbeat() const override;

    /// Returns the number of reports from starts that had already ended.
    [[nodiscard]] quint64 lateReports() const;

    /// Returns the number of abandoned threads of this process that have not ended. Thread-safe.
    [[nodiscard]] static int abandonedThreads();

Q_SIGNALS:
    /// The thread did not end in time and was abandoned. failed() or stopped() follows. Not emitted
    /// by the destructor.
    void threadAbandoned(const QString &reason);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
