// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/lifecycle/workeragent.h>

#include <QCoreApplication>
#include <QEvent>
#include <QPointer>
#include <QStringList>
#include <QThread>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace Rekindle {

/// Blocks a thread until the test opens it. The thread has a copy, because it may wake after the
/// test has returned.
class Gate
{
public:
    void open() const
    {
        const std::scoped_lock lock(m_state->mutex);
        m_state->open = true;
        m_state->changed.notify_all();
    }
    void pass() const
    {
        std::unique_lock lock(m_state->mutex);
        m_state->reached = true;
        m_state->changed.wait(lock, [&] { return m_state->open; });
    }
    [[nodiscard]] bool isReached() const
    {
        const std::scoped_lock lock(m_state->mutex);
        return m_state->reached;
    }

private:
    struct State
    {
        std::mutex mutex;
        std::condition_variable changed;
        bool open = false;
        bool reached = false;
    };

    std::shared_ptr<State> m_state = std::make_shared<State>();
};

/// Sends jobs to the current worker and counts created and destroyed workers. Data passes through
/// its mutex, because ThreadSanitizer does not see the synchronization inside Qt.
class WorkerChannel
{
public:
    using Job = std::function<void(QObject &worker)>;

    /// The worker runs the job in its event loop.
    void send(Job job)
    {
        const std::scoped_lock lock(m_mutex);
        m_jobs.push_back(std::move(job));
        if (m_worker)
            QCoreApplication::postEvent(m_worker, new QEvent(QEvent::User));
    }

    /// Returns the next job.
    [[nodiscard]] std::optional<Job> next()
    {
        const std::scoped_lock lock(m_mutex);
        if (m_jobs.empty())
            return std::nullopt;
        Job job = std::move(m_jobs.front());
        m_jobs.pop_front();
        return job;
    }

    void made(QObject *worker)
    {
        const std::scoped_lock lock(m_mutex);
        ++m_made;
        m_worker = worker;
        for (std::size_t i = 0; i < m_jobs.size(); ++i)
            QCoreApplication::postEvent(worker, new QEvent(QEvent::User));
    }
    void destroyed(QObject *worker, bool inItsThread)
    {
        const std::scoped_lock lock(m_mutex);
        if (m_worker == worker)
            m_worker = nullptr;
        ++m_destroyed;
        m_alwaysInItsThread = m_alwaysInItsThread && inItsThread;
    }
    void keep(const WorkerContext &context)
    {
        const std::scoped_lock lock(m_mutex);
        m_contexts.push_back(context);
    }
    [[nodiscard]] WorkerContext context(std::size_t start)
    {
        const std::scoped_lock lock(m_mutex);
        return m_contexts.at(start);
    }

    [[nodiscard]] int madeCount() { return locked(m_made); }
    [[nodiscard]] int destroyedCount() { return locked(m_destroyed); }
    [[nodiscard]] bool alwaysInItsThread() { return locked(m_alwaysInItsThread); }

private:
    template<typename T>
    T locked(const T &value)
    {
        const std::scoped_lock lock(m_mutex);
        return value;
    }

    std::mutex m_mutex;
    std::deque<Job> m_jobs;
    std::vector<WorkerContext> m_contexts;
    QObject *m_worker = nullptr;
    int m_made = 0;
    int m_destroyed = 0;
    bool m_alwaysInItsThread = true;
};

using Channel = std::shared_ptr<WorkerChannel>;

/// A worker that runs the jobs of its channel.
class ChannelWorker : public QObject
{
    Q_OBJECT

public:
    explicit ChannelWorker(Channel channel)
        : m_channel(std::move(channel))
        , m_home(QThread::currentThread())
    {
        m_channel->made(this);
    }
    ~ChannelWorker() override
    {
        m_channel->destroyed(
            this, QThread::currentThread() == m_home && thread() == QThread::currentThread());
    }
    Q_DISABLE_COPY_MOVE(ChannelWorker)

    Q_SLOT void throwFromSlot() { throw std::runtime_error("from a slot"); }

protected:
    void customEvent(QEvent *) override
    {
        if (const std::optional<WorkerChannel::Job> job = m_channel->next())
            (*job)(*this);
    }

private:
    const Channel m_channel;
    QThread *const m_home;
};

/// Creates workers for a channel, which stores the context of each start.
inline WorkerFactory channelFactory(const Channel &channel)
{
    return [channel](const WorkerContext &context) {
        channel->keep(context);
        return std::make_unique<ChannelWorker>(channel);
    };
}

/// The signals of an agent as words: "started ready requested:why failed:Reason(text) abandoned
/// stopped".
class WorkerLog : public QObject
{
public:
    explicit WorkerLog(WorkerAgent &agent)
    {
        connect(&agent, &Agent::started, this, [this] { write(QStringLiteral("started")); });
        connect(&agent, &Agent::ready, this, [this] { write(QStringLiteral("ready")); });
        connect(&agent, &Agent::stopped, this, [this] { write(QStringLiteral("stopped")); });
        connect(&agent, &Agent::restartRequested, this,
                [this](const QString &why) { write(QStringLiteral("requested:") + why); });
        connect(&agent, &WorkerAgent::threadAbandoned, this,
                [this] { write(QStringLiteral("abandoned")); });
        connect(&agent, &Agent::failed, this,
                [this](FailureReason reason, const FailureDetail &detail) {
                    write(QStringLiteral("failed:%1(%2)").arg(toText(reason), detail.message));
                });
    }
    [[nodiscard]] QString text() const { return m_words.join(u' '); }

private:
    void write(const QString &word) { m_words.append(word); }
    QStringList m_words;
};

/// A worker agent in virtual time, its channel and its log. The thread is a real one.
class WorkerStage
{
public:
    explicit WorkerStage(const WorkerOptions &options = {})
        : WorkerStage(options, {})
    {
    }
    WorkerStage(const WorkerOptions &options, const WorkerFactory &factory)
        : agent(std::make_unique<WorkerAgent>(factory ? factory : channelFactory(channel), options,
                                              scheduler))
        , log(*agent)
    {
    }

    [[nodiscard]] QString text() const { return log.text(); }

    VirtualClock clock;
    VirtualScheduler scheduler{clock};
    Channel channel = std::make_shared<WorkerChannel>();
    std::unique_ptr<WorkerAgent> agent;
    WorkerLog log;
};

/// In milliseconds; long enough for a slow machine.
constexpr int longWait = 30'000;

} // namespace Rekindle
