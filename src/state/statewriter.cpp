// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "statewriter_p.h"

#include "base/durablefile_p.h"
#include "base/signalblock_p.h"

#include <utility>

namespace Rekindle {

StateWriter::StateWriter(QString path, std::shared_ptr<HostLock> lock, std::function<void()> news)
{
    m_shared->path = std::move(path);
    m_shared->lock = std::move(lock);
    m_shared->news = std::move(news);
    m_thread = startThreadWithBlockedSignals([shared = m_shared] { run(*shared); });
}

StateWriter::~StateWriter() { finish(std::chrono::milliseconds{0}); }

void StateWriter::post(const StateContents &contents)
{
    // The thread's own: Qt asks without a fence whether somebody else still reads a shared
    // container.
    StateContents own = contents;
    own.agents.detach();
    {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->waiting = std::move(own);
    }
    m_shared->work.notify_one();
}

bool StateWriter::finish(std::chrono::milliseconds most)
{
    {
        const std::lock_guard lock(m_shared->newsMutex);
        m_shared->news = nullptr;
    }
    bool finished = false;
    {
        std::unique_lock lock(m_shared->mutex);
        m_shared->closing = true;
        m_shared->work.notify_one();
        finished = m_shared->end.wait_for(lock, most, [this] { return m_shared->finished; });
    }
    if (m_thread.joinable() && finished)
        m_thread.join();
    else if (m_thread.joinable())
        m_thread.detach();
    return finished;
}

StateWriter::Status StateWriter::status() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->status;
}

void StateWriter::run(Shared &shared)
{
    std::unique_lock lock(shared.mutex);
    for (;;) {
        shared.work.wait(lock, [&] { return shared.waiting || shared.closing; });
        if (!shared.waiting)
            break;
        const std::optional<StateContents> contents = std::exchange(shared.waiting, std::nullopt);
        lock.unlock();
        const QByteArray text = toText(*contents);
        const QString failure = replaceFile(shared.path, text);
        lock.lock();
        shared.status.failure = failure;
        ++(failure.isEmpty() ? shared.status.written : shared.status.failures);
        lock.unlock();
        {
            const std::lock_guard newsLock(shared.newsMutex);
            if (shared.news)
                shared.news();
        }
        lock.lock();
    }
    shared.finished = true;
    shared.end.notify_one();
}

} // namespace Rekindle
