// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "storedatabase_p.h"
#include "storequeue_p.h"

#include <rekindle/lifecycle/clock.h>

#include <functional>
#include <memory>

namespace Rekindle {

/// The work of the store's thread: takes items from the queue, writes them in batches and retries
/// failed writes.
class StoreWriter
{
public:
    StoreWriter(const TelemetryOptions &options, std::shared_ptr<StoreQueue> queue);

    /// Runs until the queue is closed and its items are written or lost.
    void run();

private:
    void openDatabase();
    [[nodiscard]] bool writeBatch();
    void endRun();
    /// Returns whether `work` succeeded. Otherwise, reacts to its fault.
    bool attempt(const std::function<void()> &work);
    void fail(const StoreFault &fault);
    [[nodiscard]] bool moveAside();
    [[nodiscard]] bool waitForRetry();

    const TelemetryOptions m_options;
    const std::shared_ptr<StoreQueue> m_queue;
    const SystemClock m_clock;
    StoreDatabase m_database;
    StoreQueue::Items m_items; ///< taken and not written
    std::optional<Instant> m_giveUpAt;
    int m_busyInARow = 0;
    bool m_ended = false; ///< all further rows are lost
    bool m_retryAtOnce = false;
    bool m_movedAside = false; ///< and nothing was written since
};

} // namespace Rekindle
