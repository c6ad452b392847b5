// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>
#include <QUuid>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace Rekindle {

/// A thread for the code of one plug-in. It runs jobs one after the other. If a job does not
/// return, the thread can only be abandoned; it keeps what it uses alive.
class EvaluatorThread
{
public:
    struct Job
    {
        QUuid instanceId;
        /// Called and destroyed on the thread, with everything that it holds. Must not throw.
        std::function<void()> run;
    };

    /// `file` is the path of the plug-in. `started` is the initial value of startedJobs().
    explicit EvaluatorThread(const QString &file, quint64 started = 0);
    /// Runs the pending jobs for at most 200 ms, then abandons the thread.
    ~EvaluatorThread();
    Q_DISABLE_COPY_MOVE(EvaluatorThread)

    void post(Job job);

    /// The instance whose job runs; nothing while the thread is idle.
    [[nodiscard]] std::optional<QUuid> busyWith() const;

    /// Number of jobs that were started.
    [[nodiscard]] quint64 startedJobs() const;

    /// Expires when an abandoned thread has ended.
    using Traces = std::weak_ptr<const void>;
    [[nodiscard]] Traces traces() const { return m_shared; }

    /// Returns the pending jobs. The thread ends if its current job ever returns.
    [[nodiscard]] std::deque<Job> abandon();

private:
    struct Shared
    {
        std::mutex mutex;
        std::condition_variable changed;
        std::deque<Job> jobs;
        std::optional<QUuid> busyWith;
        QByteArray file;
        quint64 started = 0;
        bool quit = false;
        bool ended = false;
    };
    static void work(const std::shared_ptr<Shared> &shared);

    std::shared_ptr<Shared> m_shared;
    std::thread m_thread;
};

} // namespace Rekindle
