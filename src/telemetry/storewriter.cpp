// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storewriter_p.h"

#include "base/processes/threadpriority_p.h"
#include "base/writtenfile_p.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// Between attempts while closing or while another process has locked the database.
constexpr std::chrono::milliseconds shortDelay{50};
// A lock is reported after this many attempts, each of a quarter of a second.
constexpr int reportedBusyAttempts = 4;

QString stamp(UtcTime time)
{
    return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count())
        .toUTC()
        .toString(QStringLiteral("yyyyMMddTHHmmssZ"));
}

} // namespace

StoreWriter::StoreWriter(const TelemetryOptions &options, std::shared_ptr<StoreQueue> queue)
    : m_options(options)
    , m_queue(std::move(queue))
    , m_database(options)
{
}

void StoreWriter::run()
{
    // In a storm, restarts have priority. The queue holds the rows until they are written.
    lowerPriorityOfThisThread();
    attempt([this] { openDatabase(); });
    for (;;) {
        if (m_items.empty()) {
            m_items = m_queue->take(m_options.batchAge);
            if (m_items.empty() && m_queue->isClosing())
                break;
        }
        while (!m_items.empty() && !m_ended) {
            if (!writeBatch() && (m_ended || !waitForRetry()))
                m_ended = true; // a later row would follow a gap that no row reports
        }
        if (m_ended && !m_items.empty())
            m_queue->reportLost(std::exchange(m_items, {}));
    }
    endRun();
    m_database.close();
    m_queue->reportFinished();
}

// Another host may have locked the database.
void StoreWriter::endRun()
{
    do {
        try {
            m_database.endRun(m_clock.utcNow());
            return;
        } catch (const StoreFault &fault) {
            if (fault.kind == StoreFault::Kind::Refused)
                fail(fault);
            if (fault.kind != StoreFault::Kind::Busy)
                return;
            ++m_busyInARow;
        }
    } while (waitForRetry());
}

void StoreWriter::openDatabase()
{
    try {
        m_database.open();
    } catch (const StoreFault &fault) {
        if (fault.kind != StoreFault::Kind::Damaged)
            throw;
        const QString refusal = refusalOf(m_options.path, WrittenFile::Store);
        if (!refusal.isEmpty())
            throw StoreFault{StoreFault::Kind::Refused, refusal};
        static_cast<void>(moveAside());
        m_database.open();
    }
    m_queue->reportOpened();
}

bool StoreWriter::moveAside()
{
    const QString name = m_database.moveAside(stamp(m_clock.utcNow()));
    if (!name.isEmpty())
        m_queue->reportMovedAside(name);
    return !name.isEmpty();
}

// Returns true if something was written.
bool StoreWriter::writeBatch()
{
    const std::size_t count = std::min(m_items.size(), m_options.batchRows);
    const bool written = attempt([this, count] {
        if (!m_database.isOpen())
            openDatabase();
        m_database.setRun(m_queue->run());
        m_database.write(m_items, count);
    });
    if (!written)
        return false;
    m_queue->reportWritten(m_items, count);
    m_items.erase(m_items.begin(), m_items.begin() + static_cast<std::ptrdiff_t>(count));
    m_busyInARow = 0;
    m_movedAside = false;
    attempt([this] {
        while (m_database.retain() && m_queue->isIdle()) {
            // Writing has priority over removing.
        }
    });
    return true;
}

bool StoreWriter::attempt(const std::function<void()> &work)
{
    try {
        work();
        return true;
    } catch (const StoreFault &fault) {
        fail(fault);
        return false;
    }
}

void StoreWriter::fail(const StoreFault &fault)
{
    switch (fault.kind) {
    case StoreFault::Kind::Busy:
        if (++m_busyInARow < reportedBusyAttempts)
            return;
        break;
    case StoreFault::Kind::Broken:
        m_busyInARow = 0;
        m_database.close();
        break;
    case StoreFault::Kind::Damaged:
        // The items are written to a new file, so nothing has failed. Only once in a row.
        m_retryAtOnce = moveAside() && !std::exchange(m_movedAside, true);
        if (m_retryAtOnce)
            return;
        break;
    case StoreFault::Kind::Refused:
        m_ended = true;
        m_database.close();
        m_queue->refuse(fault.what, std::exchange(m_items, {}));
        return;
    case StoreFault::Kind::TooBig:
        m_queue->reportLost(std::exchange(m_items, {}));
        break;
    }
    m_queue->reportFailed(fault.what);
}

// Waits after a failure. Returns false if no further attempt is to be made.
bool StoreWriter::waitForRetry()
{
    if (std::exchange(m_retryAtOnce, false))
        return true;
    if (!m_queue->isClosing()) {
        const bool isBusy = m_busyInARow > 0;
        m_queue->pause(isBusy ? std::min(shortDelay, m_options.retryDelay) : m_options.retryDelay);
        return true;
    }
    // While closing, only a lock of another host is waited for, because it will be released.
    if (m_busyInARow == 0)
        return false;
    if (!m_giveUpAt)
        m_giveUpAt = m_clock.now() + m_options.closeTimeout;
    if (m_clock.now() >= *m_giveUpAt)
        return false;
    m_queue->pause(shortDelay);
    return true;
}

} // namespace Rekindle
