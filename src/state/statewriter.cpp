// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "statewriter_p.h"

#include "base/durablefile_p.h"
#include "base/signalblock_p.h"

#include <utility>

namespace Rekindle {

StateWriter::StateWriter(QString path, std::shared_ptr<HostLock> lock, std::function<void()> notify)
{
    m_shared->path = std::move(path);
    m_shared->lock = std::move(lock);
    m_shared->notify = std::move(notify);
    m_thread = startThreadWithBlockedSignals([shared = m_shared] { run(*shared); });
}

StateWriter::~StateWriter() { finish(std::chrono::milliseconds{0}); }

void StateWriter::post(const StateContents &contents)
{
    // A deep copy: ThreadSanitizer does not see the synchronization of Qt's shared containers.
    StateContents copy = contents;
    copy.agents.detach();
    {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->pending = std::move(copy);
    }
    m_shared->work.notify_one();
}

bool StateWriter::waitUntilWritten(std::chrono::milliseconds timeout)
{
    std::unique_lock lock(m_shared->mutex);
    return m_shared->end.wait_for(lock, timeout,
                                  [this] { return !m_shared->pending && !m_shared->writing; });
}

bool StateWriter::finish(std::chrono::milliseconds timeout)
{
    bool finished = false;
    {
        std::unique_lock lock(m_shared->mutex);
        m_shared->closing = true;
        m_shared->work.notify_one();
        finished = m_shared->end.wait_for(lock, timeout, [this] { return m_shared->finished; });
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
        shared.work.wait(lock, [&] { return shared.pending || shared.closing; });
        if (!shared.pending)
            break;
        const std::optional<StateContents> contents = std::exchange(shared.pending, std::nullopt);
        shared.writing = true;
        lock.unlock();
        const QByteArray text = toText(*contents);
        const QString failure = replaceFile(shared.path, text, WrittenFile::State);
        lock.lock();
        shared.status.failure = failure;
        if (failure.isEmpty())
            ++shared.status.written;
        shared.writing = false;
        shared.end.notify_one();
        lock.unlock();
        if (shared.notify)
            shared.notify();
        lock.lock();
    }
    shared.finished = true;
    shared.end.notify_one();
}

} // namespace Rekindle
