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

/// What a worker's thread says to its agent.
struct WorkerReport
{
    enum class Kind { Constructed, Ready, RestartRequested, Failed, Ended };
    Kind kind = Kind::Ended;
    QString text{};
    FailureReason reason = FailureReason::Unknown;
};

/// What an agent and the thread of one start share. Everything that goes from one to the other goes
/// through here, under one mutex; Qt's events only wake the other side. Thread-safe.
///
/// Who owns what:
/// - The agent owns the thread until it has ended; one that is set aside belongs to LiveWorkers,
///   which destroys it after its end.
/// - The thread owns the factory until it has returned, and then the worker.
/// - The run is held by all who may speak or listen: the agent, the thread, and every copy of the
///   WorkerContext, wherever the host keeps them. It owns nothing but words and lets its pointers
///   go before what they point to dies. So whatever holds a run, a run never holds that in turn.
class WorkerRun
{
public:
    using LateCount = std::shared_ptr<std::atomic<quint64>>;

    /// `receiver` gets a custom event whenever reports have come; it lives in the agent's thread.
    WorkerRun(QObject *receiver, LateCount late);
    Q_DISABLE_COPY_MOVE(WorkerRun)
    ~WorkerRun() = default;

    // The agent's side.
    void setThread(QThread *thread);
    [[nodiscard]] std::vector<WorkerReport> takeReports();
    void requestStop();
    /// Posts one event to the worker's event loop; pingIsAnswered() tells when it has come by.
    void ping();
    [[nodiscard]] bool pingIsAnswered() const { return !m_pingPending.load(); }
    /// From now on reports are only counted. False if the thread has ended already.
    bool abandon();
    [[nodiscard]] bool hasEnded() const;
    /// Blocks; false if the thread has not ended by then.
    bool waitUntilEnded(std::chrono::steady_clock::time_point end);

    // The worker's side.
    [[nodiscard]] bool stopRequested() const noexcept { return m_stopRequested.load(); }
    /// The same kind again, before the agent has taken it, says nothing new.
    void report(WorkerReport report);
    void fail(FailureReason reason, const QString &text);
    /// Where pings go; it lives in the worker's thread.
    void setPulse(QObject *pulse);
    void answerPing() { m_pingPending = false; }
    /// The last thing that the thread does.
    void threadEnds();

private:
    void post(WorkerReport report); // the mutex is held

    std::atomic<bool> m_stopRequested = false;
    std::atomic<bool> m_pingPending = false;

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
