// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "hostlock_p.h"
#include "statecontents_p.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace Rekindle {

/// Writes state files in a thread of its own, one after the other, always the newest contents.
class StateWriter
{
public:
    /// How it stands; the numbers only grow.
    struct Status
    {
        quint64 written = 0;
        quint64 failures = 0;
        QString failure{}; ///< of the last try, if it failed
    };

    /// `lock` is held for as long as the thread may write. `news` is called in the writer's thread
    /// after each try; it must not block. Throws std::system_error where no thread can begin.
    StateWriter(QString path, std::shared_ptr<HostLock> lock, std::function<void()> news);
    ~StateWriter();
    Q_DISABLE_COPY_MOVE(StateWriter)

    /// To be written next, instead of what still waits. Never waits for the disk.
    void post(const StateContents &contents);

    /// Writes what waits and ends; false if that has taken too long: a disk hangs, and the thread
    /// is left to it. No news any more.
    bool finish(std::chrono::milliseconds most);

    [[nodiscard]] Status status() const;

private:
    // The thread may outlive this object where a disk hangs.
    struct Shared
    {
        QString path;
        std::shared_ptr<HostLock> lock;
        std::mutex mutex;
        std::condition_variable work;
        std::condition_variable end;
        std::optional<StateContents> waiting;
        Status status;
        bool closing = false;
        bool finished = false;

        std::mutex newsMutex; ///< held while the listener is called
        std::function<void()> news;
    };
    static void run(Shared &shared);

    std::shared_ptr<Shared> m_shared = std::make_shared<Shared>();
    std::thread m_thread;
};

} // namespace Rekindle
