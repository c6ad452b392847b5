// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/workercontext.h>

#include <QString>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

class QThread;

namespace Rekindle {

/// A report from a worker's thread to its agent.
struct WorkerReport
{
    enum class Kind { Constructed, Ready, Heartbeat, RestartRequested, Failed, Ended };
    Kind kind = Kind::Ended;
    QString text{};
    FailureReason reason = FailureReason::Unknown;
};

/// The connection between an agent and the thread of one start. All data passes through it, under
/// one mutex; Qt events only wake the other side. Thread-safe.
///
/// Ownership:
/// - The agent owns the thread until it has ended. LiveWorkers owns an abandoned thread, and
///   destroys it after its end.
/// - The thread owns the factory until it has returned, and then the worker.
/// - The agent, the thread and every copy of the WorkerContext share the run. The run owns only
///   data, and resets its pointers before their targets are destroyed.
class WorkerRun
{
public:
    using LateCount = std::shared_ptr<std::atomic<quint64>>;

    /// `receiver` lives in the agent's thread. It gets a custom event when reports are available.
    WorkerRun(QObject *receiver, LateCount late);
    Q_DISABLE_COPY_MOVE(WorkerRun)
    ~WorkerRun() = default;

    // Called by the agent.
    void setThread(QThread *thread);
    [[nodiscard]] std::vector<WorkerReport> takeReports();
    void requestStop();
    /// Posts an event to the worker's event loop, which answers with a report of kind Heartbeat.
    /// Does nothing while an answer is pending.
    void requestHeartbeat();
    /// Reports are only counted from now on. Returns false if the thread has already ended.
    bool abandon();
    [[nodiscard]] bool hasEnded() const;
    /// Blocks until `end` at most; returns whether the thread has ended.
    bool waitUntilEnded(std::chrono::steady_clock::time_point end);

    // Called by the worker's thread.
    [[nodiscard]] bool stopRequested() const noexcept { return m_stopRequested.load(); }
    /// Dropped if the agent has not yet taken a report of the same kind.
    void report(WorkerReport report);
    void fail(FailureReason reason, const QString &text);
    /// Sets the receiver of heartbeat requests; it lives in the worker's thread.
    void setPulse(QObject *pulse);
    void answerHeartbeat();
    /// The last call of the thread.
    void threadEnds();

private:
    void post(WorkerReport report); // the mutex is held

    std::atomic<bool> m_stopRequested = false;
    std::atomic<bool> m_heartbeatPending = false;

    mutable std::mutex m_mutex;
    std::condition_variable m_endedCondition;
    LateCount m_late;
    QObject *m_receiver;
    QObject *m_pulse = nullptr;
    QThread *m_thread = nullptr;
    std::vector<WorkerReport> m_reports;
    bool m_failed = false;
    bool m_ended = false;
};

} // namespace Rekindle
