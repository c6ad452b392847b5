// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QtGlobal>

#include <chrono>
#include <cstddef>

namespace Rekindle {

/// The options of a TelemetryStore. A value out of range is replaced by the nearest valid value.
struct TelemetryOptions
{
    /// The database file, created with mode 0600. A missing folder is created with mode 0700.
    QString path{};

    /// Maximum number of queued rows, about half a KiB each, 1 .. 10,000,000. Further rows are
    /// dropped and counted. One agent uses at most half of the queue.
    std::size_t capacity = 50'000;

    /// Whether attach() also records the journal of inputs (JournalEntry), from which JournalReplay
    /// makes all decisions of the run again. Call attach() before the first agent is added. About
    /// twice as many rows are written. In the queue, inputs have their own `capacity`.
    bool recordInputs = false;

    /// Maximum rows per transaction, 1 .. 100,000. SIGKILL loses at most one batch.
    std::size_t batchRows = 1'000;

    /// Maximum time that a row waits for its batch, 0 .. 1 min.
    std::chrono::milliseconds batchAge{200};

    /// Time from a failed write to the next attempt, 10 ms .. 1 min.
    std::chrono::milliseconds retryDelay{1'000};

    /// Maximum time that close() and the destructor wait for the disk, 0 .. 1 min.
    std::chrono::milliseconds closeTimeout{5'000};

    /// Age at which rows are removed, 1 min .. 10 years; 0: never.
    std::chrono::minutes maxAge = std::chrono::days(30);

    /// Database size in bytes above which the oldest rows are removed, at least 256 KiB; 0: no
    /// limit.
    qint64 maxBytes = 256LL * 1024 * 1024;

    /// SQLite's limit in pages of 4 KiB, above which writes fail as on a full disk; 0: no limit.
    int maxPages = 0;
};

} // namespace Rekindle
