// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "storedatabase_p.h"
#include "storequeue_p.h"

#include <rekindle/lifecycle/clock.h>

#include <memory>

namespace Rekindle {

/// What the store's thread does: takes what waits, writes it in batches, and tries again where that
/// fails.
class StoreWriter
{
public:
    StoreWriter(const TelemetryOptions &options, QString run, std::shared_ptr<StoreQueue> queue);

    /// The whole life of the thread.
    void run();

private:
    [[nodiscard]] bool openDatabase();
    [[nodiscard]] bool writeBatch();
    void endRun();
    void fail(const StoreFault &fault);
    void tidyUp();
    [[nodiscard]] bool setAside();
    [[nodiscard]] bool mayGoOn();

    const TelemetryOptions m_options;
    const std::shared_ptr<StoreQueue> m_queue;
    const SystemClock m_clock;
    StoreDatabase m_database;
    StoreQueue::Items m_items; ///< taken and not written yet
    std::optional<Instant> m_giveUpAt;
    int m_busyInARow = 0;
    bool m_refused = false;
    bool m_isNew = false;  ///< to be begun in the place of a damaged one
    bool m_wasNew = false; ///< the same, and nothing was written since
};

} // namespace Rekindle
