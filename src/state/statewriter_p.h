// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/files/hostlock_p.h"
#include "statecontents_p.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace Rekindle {

/// Writes a state file in a separate thread, always with the latest contents.
class StateWriter
{
public:
    struct Status
    {
        quint64 written = 0; ///< completed writes
        QString failure{};   ///< of the last attempt; empty if it succeeded
    };

    /// `lock` is held as long as the thread may write. `notify` is called in the writer's thread
    /// after each attempt and must not block. Throws std::system_error if no thread can be started.
    StateWriter(QString path, std::shared_ptr<HostLock> lock, std::function<void()> notify);
    ~StateWriter();
    Q_DISABLE_COPY_MOVE(StateWriter)

    /// Replaces the pending contents. Never waits for the disk.
    void post(const StateContents &contents);

    /// Waits until nothing is pending. Returns false after `timeout`.
    [[nodiscard]] bool waitUntilWritten(std::chrono::milliseconds timeout);

    /// Writes the pending contents and ends the thread. Returns false after `timeout`: the disk
    /// hangs, and the thread is detached.
    bool finish(std::chrono::milliseconds timeout);

    [[nodiscard]] Status status() const;

private:
    // The thread may outlive this object if the disk hangs.
    struct Shared
    {
        QString path;
        std::shared_ptr<HostLock> lock;
        std::mutex mutex;
        std::condition_variable work;
        std::condition_variable end; ///< of a write, or of the thread
        std::optional<StateContents> pending;
        bool writing = false;
        Status status;
        bool closing = false;
        bool finished = false;
        std::function<void()> notify;
    };
    static void run(Shared &shared);

    std::shared_ptr<Shared> m_shared = std::make_shared<Shared>();
    std::thread m_thread;
};

} // namespace Rekindle
