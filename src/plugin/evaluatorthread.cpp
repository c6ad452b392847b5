// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluatorthread_p.h"

#include "base/signalblock_p.h"
#include "plugin/internal/plugincrash.h"

#include <chrono>
#include <utility>

namespace Rekindle {

EvaluatorThread::EvaluatorThread(const QString &file, quint64 started)
    : m_shared(std::make_shared<Shared>())
{
    m_shared->file = file.toLocal8Bit();
    m_shared->started = started;
    m_thread = startThreadWithBlockedSignals([shared = m_shared] { work(shared); });
}

EvaluatorThread::~EvaluatorThread()
{
    if (!m_thread.joinable())
        return;
    std::unique_lock lock(m_shared->mutex);
    m_shared->quit = true;
    m_shared->changed.notify_all();
    constexpr std::chrono::milliseconds limit{200};
    const bool ended = m_shared->changed.wait_for(lock, limit, [this] { return m_shared->ended; });
    lock.unlock();
    if (ended)
        m_thread.join();
    else
        m_thread.detach();
}

void EvaluatorThread::post(Job job)
{
    const std::lock_guard lock(m_shared->mutex);
    m_shared->jobs.push_back(std::move(job));
    m_shared->changed.notify_all();
}

std::optional<QUuid> EvaluatorThread::busyWith() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->busyWith;
}

quint64 EvaluatorThread::startedJobs() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->started;
}

std::deque<EvaluatorThread::Job> EvaluatorThread::abandon()
{
    std::deque<Job> pending;
    {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->quit = true;
        m_shared->changed.notify_all();
        pending.swap(m_shared->jobs);
    }
    m_thread.detach();
    return pending;
}

void EvaluatorThread::work(const std::shared_ptr<Shared> &shared)
{
    PluginCrash::markThread(shared->file.constData());
    std::unique_lock lock(shared->mutex);
    for (;;) {
        shared->changed.wait(lock, [&] { return shared->quit || !shared->jobs.empty(); });
        if (shared->jobs.empty())
            break;
        Job job = std::move(shared->jobs.front());
        shared->jobs.pop_front();
        shared->busyWith = job.instanceId;
        ++shared->started;
        lock.unlock();
        job.run();
        job.run = nullptr; // it may hold objects of the plug-in
        lock.lock();
        shared->busyWith.reset();
    }
    shared->ended = true;
    shared->changed.notify_all();
}

} // namespace Rekindle
