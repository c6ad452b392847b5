// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "storeitem_p.h"

#include <QHash>
#include <QString>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace Rekindle {

/// Passes items from the engine's thread to the writer's thread, and the writer's status back. Uses
/// std::mutex instead of QMutex because ThreadSanitizer supports it.
///
/// An item is dropped if the items of its agent use at least as much of the capacity as is free.
/// One agent therefore uses at most half of the capacity, and n agents at most n / (n + 1). Inputs
/// have their own capacity of the same size, so that they displace no events. A dropped input needs
/// no gap, because its number is missing.
class StoreQueue
{
public:
    using Items = std::deque<StoreItem>;

    /// The counters only increase.
    struct Status
    {
        quint64 accepted = 0; ///< queued items
        quint64 settled = 0;  ///< queued items that were written or lost
        quint64 dropped = 0;  ///< rows that are not recorded
        quint64 lost = 0;     ///< of these: queued, but not written
        bool refused = false; ///< nothing more will be written
        quint64 failures = 0; ///< failed writes
        quint64 openings = 0;
        QString failure{}; ///< the last error; empty after a successful write
        QString movedAside{};
    };

    /// `notify` is called in either thread when the status has changed. It must not block.
    StoreQueue(std::size_t capacity, std::size_t batchRows, std::function<void()> notify);

    // The engine's thread. These functions never wait for the disk.
    /// Sets the run to which further rows belong.
    void setRun(const QString &run);
    void push(const LifecycleEvent &event);
    void push(DecisionRecord &&record);
    void push(CommandRecord &&record);
    void push(const ToolCallFinished &call);
    void push(InputRecord &&record);
    /// Makes the writer write at once. Returns the status at the time of the call.
    Status requestWrite();
    /// Also waits until all items are written. Returns false after `timeout` and while writing
    /// fails.
    [[nodiscard]] bool writeNow(std::chrono::milliseconds timeout);
    void close();
    /// Returns false if the writer has not finished in time.
    bool waitUntilFinished(std::chrono::milliseconds timeout);
    /// Counts all items that were not reported as written as lost, and ignores further reports of
    /// the writer.
    void abandon();
    [[nodiscard]] Status status() const;
    [[nodiscard]] QString run() const; ///< thread-safe

    // The writer's thread.
    /// Waits for a full batch, for `age` since its first item, for requestWrite() or for close().
    /// Returns all items.
    [[nodiscard]] Items take(std::chrono::milliseconds age);
    /// Waits before the next attempt. requestWrite() and close() end the wait early.
    void pause(std::chrono::milliseconds time);
    [[nodiscard]] bool isClosing() const;
    /// Returns true if no item is queued and the queue is not closing.
    [[nodiscard]] bool isIdle() const;
    void reportOpened();
    void reportMovedAside(const QString &path);
    void reportFailed(const QString &reason);
    /// Reports the first `count` of the taken items as written.
    void reportWritten(const Items &items, std::size_t count) { settle(items, count, true); }
    /// Reports that these items can never be written.
    void reportLost(const Items &items) { settle(items, items.size(), false); }
    /// Reports that nothing more will be written: all of `taken` and of the queue is lost. Drops
    /// all further items at once.
    void refuse(const QString &reason, Items taken = {});
    void reportFinished();

private:
    struct Counts
    {
        std::size_t items = 0;
        quint64 rows = 0; ///< without inputs and gaps
        quint64 inputs = 0;
        QHash<QString, quint64> byAgent{}; ///< rows of each agent
    };
    [[nodiscard]] static Counts countOf(const Items &items, std::size_t front);

    /// `kind` is the counter to increase if the item is dropped.
    template<typename Item>
    void add(Item &&item, quint64 StoreGap::*kind);
    template<typename Change>
    void report(Change change);
    void settle(const Items &items, std::size_t count, bool written);
    /// The mutex is locked.
    void settleCounted(const Counts &counts, bool written);

    mutable std::mutex m_mutex;
    std::condition_variable m_work;
    std::condition_variable m_end; ///< of a write, or of the writer
    Items m_items;
    QString m_run;
    // Numbers of queued and taken items that are neither written nor lost, without gaps:
    quint64 m_count = 0;
    QHash<QString, quint64> m_held; ///< of each agent
    quint64 m_inputs = 0;           ///< in addition to m_count
    Status m_status;
    bool m_writeRequested = false;
    bool m_takeAtOnce = false; ///< m_writeRequested has ended a pause; items may have arrived since
    bool m_closing = false;
    bool m_refusing = false;
    bool m_finished = false;
    bool m_abandoned = false;
    const std::size_t m_capacity;
    const std::size_t m_batchRows;
    const std::function<void()> m_notify;
};

} // namespace Rekindle
