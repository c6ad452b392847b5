// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QtGlobal>

#include <chrono>
#include <cstddef>

namespace Rekindle {

/// How a telemetry store keeps what it is told. A value beyond its range is moved into it.
struct TelemetryOptions
{
    /// The database's file. Its folder is made where it is not there (0700), the file is 0600.
    QString path{};

    /// Events and decisions that wait for the disk, at most; beyond it they are dropped and
    /// counted. One takes about half a KiB. 1 .. 10,000,000
    std::size_t capacity = 50'000;

    /// Rows of one transaction, at most: 1 .. 100,000. A batch is what SIGKILL may lose.
    std::size_t batchRows = 1'000;

    /// A row waits no longer than this for its batch to fill: 0 .. 1 min.
    std::chrono::milliseconds batchAge{200};

    /// From a failed write to the next try: 10 ms .. 1 min.
    std::chrono::milliseconds retryDelay{1'000};

    /// How long the destructor waits for the rest to be written: 0 .. 1 min.
    std::chrono::milliseconds closeTimeout{5'000};

    /// Rows older than this are removed; 0 keeps them for ever, else 1 min .. 10 years.
    std::chrono::minutes maxAge = std::chrono::days(30);

    /// Oldest rows are removed beyond this size of the database, in bytes; 0 is no limit, else
    /// 256 KiB and more.
    qint64 maxBytes = 256LL * 1024 * 1024;

    /// SQLite's own limit in pages of 4 KiB: beyond it writing fails as on a full disk. 0 is none.
    int maxPages = 0;
};

} // namespace Rekindle
