// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "storeitem_p.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace Rekindle {

/// What lies between the engine's thread and the writer's: items one way, news the other way. The
/// standard's mutex, so that ThreadSanitizer sees what is ordered by it.
class StoreQueue
{
public:
    using Items = std::deque<StoreItem>;

    /// How it stands; what counts only grows.
    struct Status
    {
        quint64 accepted = 0; ///< items that were given a place
        quint64 settled = 0;  ///< of these: written, or lost for good
        quint64 dropped = 0;  ///< events, calls and decisions that were not kept
        quint64 lost = 0;     ///< of these: had a place, but could not be written
        bool refused = false; ///< nothing will ever be written
        quint64 failures = 0; ///< of writing
        quint64 openings = 0;
        QString failure{}; ///< while writing fails
        QString movedAside{};
    };

    /// `news` is called, in either thread, when there may be something to tell; it must not block.
    StoreQueue(std::size_t capacity, std::size_t batchRows, std::function<void()> news);

    // The engine's side: never waits for more than a swap.
    void push(const LifecycleEvent &event);
    void push(DecisionRecord &&record);
    void push(const ToolCallFinished &call);
    /// Hurries the writer; how it stood at that moment.
    Status hurry();
    void close();
    /// False if the writer has not finished in time.
    bool waitUntilFinished(std::chrono::milliseconds most);
    /// Nobody waits for the writer any more: what it has not told of as written counts as lost, and
    /// what it tells from now on counts for nothing.
    void abandon();
    /// No more news, from now on for certain.
    void forgetListener();
    [[nodiscard]] Status status() const;

    // The writer's side.
    /// Waits for something to do: a full batch, one old enough, a hurry or the close. Takes all.
    [[nodiscard]] Items take(std::chrono::milliseconds age);
    /// Waits before another try; the close and a hurry end it early.
    void pause(std::chrono::milliseconds most);
    [[nodiscard]] bool isClosing() const;
    /// Nothing waits, and no end is near.
    [[nodiscard]] bool isIdle() const;
    void tellOpened();
    void tellMovedAside(const QString &path);
    void tellFailed(const QString &reason);
    /// So many of what was taken, from its front, are written.
    void tellWritten(const Items &items, std::size_t count);
    /// They are lost for good.
    void tellLost(const Items &items);
    /// Nothing will ever be written: what comes is dropped at once.
    void refuse();
    void tellFinished();

private:
    /// `kind`: where it is counted if there is no room for it.
    template<typename Item>
    void add(Item &&item, quint64 StoreGap::*kind, quint64 sequence, Instant monotonicTime,
             UtcTime time);
    void tellNews();

    mutable std::mutex m_mutex;
    std::condition_variable m_work;
    std::condition_variable m_end;
    Items m_items;
    quint64 m_countWaiting = 0; ///< of these, what counts where it is lost
    std::size_t m_inHand = 0;   ///< taken and not settled
    quint64 m_countInHand = 0;  ///< of these, what counts where it is lost
    Status m_status;
    bool m_hurry = false;
    bool m_closing = false;
    bool m_refusing = false;
    bool m_finished = false;
    bool m_abandoned = false;
    const std::size_t m_capacity;
    const std::size_t m_batchRows;

    std::mutex m_newsMutex; ///< held while the listener is called
    std::function<void()> m_news;
};

} // namespace Rekindle
