// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/lifecycle/workercontext.h>

#include <memory>

namespace Rekindle {

/// When a worker counts as ready.
enum class WorkerReady {
    Constructed, ///< as soon as its factory has returned
    Reported,    ///< when it calls WorkerContext::ready()
};

/// How a worker is run and watched. Numbers out of range are taken as the nearest in range.
struct WorkerOptions
{
    WorkerReady ready = WorkerReady::Constructed;

    /// From one ping through the worker's event loop to the next (spec 6); 0 switches them off.
    Duration heartbeatInterval = std::chrono::seconds(10);
    /// A ping that was not answered in this time is missed; more than 0.
    Duration heartbeatTimeout = std::chrono::seconds(2);
    /// Misses in a row before the last chance; 1 to 1000.
    int misses = 3;
    /// The last, longer wait before the worker is called hung, for one that is only busy; 0 or
    /// more.
    Duration lastChance = std::chrono::seconds(10);

    /// How long a thread may take to end after stop(), or after a failure; then it is set aside.
    Duration stopTimeout = std::chrono::seconds(5);
    /// The same after kill(): it was not ready in time, or nobody wants to wait.
    Duration killTimeout = std::chrono::seconds(1);

    /// Of the thread, for debuggers (15 bytes are seen on Linux); may be empty.
    QString threadName{};
    /// Of the thread, in bytes; 0 is the system's default.
    uint stackSize = 0;
};

/// An agent that is a QObject in a thread of its own (spec 6). Each start is a new thread with an
/// event loop, in which the factory makes a new object.
///
/// An exception that leaves one of its event handlers or slots ends the event loop; the object is
/// destroyed in its thread, and the failure is UnhandledException with the exception's text. A
/// worker whose event loop does not answer is a failure HealthCheckFailed. An event loop that the
/// worker itself quits is stopped(). stopped() and failed() come after the thread has ended.
///
/// A thread is never killed. One that hangs is set aside: it keeps what it uses, its reports change
/// nothing any more, threadSetAside() tells of it, and for the supervisor it has ended, so that a
/// replacement may start. It ends by itself if it ever comes back.
///
/// Nothing blocks: a thread that still runs when the agent is destroyed is set aside, too. What the
/// worker uses of the host must live as long as the thread; docs/workers.md says what that means
/// at the end of the host. Use it from the thread it lives in, which needs a Qt event loop.
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
    [[nodiscard]] bool isAlive() const override;

    /// What was said by starts of this agent that were over by then.
    [[nodiscard]] quint64 lateReports() const;

    /// How many threads of this process were set aside and have not ended. Thread-safe.
    [[nodiscard]] static int strandedThreads();

Q_SIGNALS:
    /// The thread did not answer or did not end, and is not waited for any more. failed() or
    /// stopped() follows. Not emitted by the destructor.
    void threadSetAside(const QString &reason);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
