// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QUuid>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace Rekindle {

/// A thread for the code of one plug-in, which does its jobs one after the other. It cannot be made
/// to come back from a job; then it is left behind, with nothing but what it holds itself.
class EvaluatorThread
{
public:
    struct Job
    {
        QUuid instanceId;
        /// Called, and destroyed with all it holds, on the thread. Throws nothing.
        std::function<void()> run;
    };

    /// `begun` is where the count of jobs goes on.
    explicit EvaluatorThread(quint64 begun = 0);
    /// Does what still waits, in 200 ms at the most; then the thread is left behind.
    ~EvaluatorThread();
    Q_DISABLE_COPY_MOVE(EvaluatorThread)

    void post(Job job);

    /// Whose job it is at; nothing if it waits for one.
    [[nodiscard]] std::optional<QUuid> busyWith() const;

    /// How many jobs it has come to.
    [[nodiscard]] quint64 begunJobs() const;

    /// What a thread that was left behind still holds; expires when it has ended.
    using Traces = std::weak_ptr<const void>;
    [[nodiscard]] Traces traces() const { return m_shared; }

    /// Takes the jobs that wait out of it. It ends by itself if it ever comes back.
    [[nodiscard]] std::deque<Job> leaveBehind();

private:
    struct Shared
    {
        std::mutex mutex;
        std::condition_variable changed;
        std::deque<Job> jobs;
        std::optional<QUuid> busyWith;
        quint64 begun = 0;
        bool quit = false;
        bool ended = false;
    };
    static void work(const std::shared_ptr<Shared> &shared);

    std::shared_ptr<Shared> m_shared;
    std::thread m_thread;
};

} // namespace Rekindle
