// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storewriter_p.h"

#include <QDateTime>
#include <QFile>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr std::chrono::milliseconds lastTries{50}; ///< from one to the next at the close
constexpr std::chrono::milliseconds soon{50};      ///< while somebody else has the database
constexpr int busyIsNews = 4; ///< tries in a row, each of a quarter of a second

QString stamp(UtcTime time)
{
    return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count(), Qt::UTC)
        .toString(QStringLiteral("yyyyMMddTHHmmssZ"));
}

// By its name or its beginning; else it is somebody's file, given by mistake.
bool looksLikeAStore(const QString &path)
{
    if (path.endsWith(QLatin1String(".sqlite")))
        return true;
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.read(15) == "SQLite format 3";
}

} // namespace

StoreWriter::StoreWriter(const TelemetryOptions &options, QString run,
                         std::shared_ptr<StoreQueue> queue)
    : m_options(options)
    , m_queue(std::move(queue))
    , m_database(options, std::move(run))
{
}

void StoreWriter::run()
{
    static_cast<void>(openDatabase());
    for (;;) {
        if (m_items.empty()) {
            m_items = m_queue->take(m_options.batchAge);
            if (m_items.empty() && m_queue->isClosing())
                break;
            if (m_refused)
                m_queue->tellLost(std::exchange(m_items, {}));
        }
        while (!m_items.empty() && !m_refused) {
            if (writeBatch())
                tidyUp();
            else if (m_refused || !mayGoOn())
                break;
        }
        if (!m_items.empty())
            m_queue->tellLost(std::exchange(m_items, {}));
    }
    if (m_database.isRemoved()) {
        m_database.letGo(m_clock.utcNow());
    } else {
        endRun();
        m_database.close();
    }
    m_queue->tellFinished();
}

// Another host may have the database just now.
void StoreWriter::endRun()
{
    while (m_database.endRun(m_clock.utcNow()).kind == StoreFault::Kind::Busy) {
        ++m_busyInARow;
        if (!mayGoOn())
            return;
    }
}

bool StoreWriter::openDatabase()
{
    StoreFault fault = m_database.open();
    if (fault.kind == StoreFault::Kind::Damaged && !looksLikeAStore(m_options.path)) {
        fault = {StoreFault::Kind::Refused,
                 QStringLiteral("it is no SQLite database, and stays as it is")};
    } else if (fault.kind == StoreFault::Kind::Damaged) {
        static_cast<void>(setAside());
        fault = m_database.open();
    }
    if (fault) {
        fail(fault);
        return false;
    }
    m_queue->tellOpened();
    return true;
}

bool StoreWriter::setAside()
{
    const QString name = m_database.moveAside(stamp(m_clock.utcNow()));
    if (!name.isEmpty())
        m_queue->tellMovedAside(name);
    return !name.isEmpty();
}

// True if something was written.
bool StoreWriter::writeBatch()
{
    // A new file of that name would share log and index with what another host still has open, and
    // that would be the end of both.
    if (m_database.isRemoved()) {
        m_database.letGo(m_clock.utcNow());
        fail({StoreFault::Kind::Refused,
              QStringLiteral("it was removed or renamed while it was in use")});
        return false;
    }
    if (!m_database.isOpen() && !openDatabase())
        return false;
    const std::size_t count = std::min(m_items.size(), m_options.batchRows);
    if (const StoreFault fault = m_database.write(m_items, count)) {
        fail(fault);
        return false;
    }
    m_queue->tellWritten(m_items, count);
    m_items.erase(m_items.begin(), m_items.begin() + static_cast<std::ptrdiff_t>(count));
    m_busyInARow = 0;
    m_wasNew = false;
    return true;
}

void StoreWriter::fail(const StoreFault &fault)
{
    switch (fault.kind) {
    case StoreFault::Kind::None:
        return;
    case StoreFault::Kind::Busy:
        if (++m_busyInARow < busyIsNews)
            return;
        break;
    case StoreFault::Kind::Broken:
        m_busyInARow = 0;
        m_database.close();
        break;
    case StoreFault::Kind::Damaged:
        // Once: a new one has room for what waits, and nothing has failed.
        m_isNew = setAside() && !std::exchange(m_wasNew, true);
        if (m_isNew)
            return;
        break;
    case StoreFault::Kind::Refused:
        m_refused = true;
        m_queue->refuse();
        break;
    case StoreFault::Kind::TooBig:
        m_queue->tellLost(std::exchange(m_items, {}));
        break;
    }
    m_queue->tellFailed(fault.what);
}

// After a failure: waits, unless it is time to give up.
bool StoreWriter::mayGoOn()
{
    if (std::exchange(m_isNew, false))
        return true;
    if (!m_queue->isClosing()) {
        const bool isBusy = m_busyInARow > 0;
        m_queue->pause(isBusy ? std::min(soon, m_options.retryDelay) : m_options.retryDelay);
        return true;
    }
    // This was the last try, unless it is another host that holds it: that one will let go.
    if (m_busyInARow == 0)
        return false;
    if (!m_giveUpAt)
        m_giveUpAt = m_clock.now() + m_options.closeTimeout;
    if (m_clock.now() >= *m_giveUpAt)
        return false;
    m_queue->pause(lastTries);
    return true;
}

void StoreWriter::tidyUp()
{
    StoreFault fault;
    while (m_database.retain(fault) && m_queue->isIdle()) {
        // What is left to be removed can wait whenever there is something to write.
    }
    if (fault)
        fail(fault);
}

} // namespace Rekindle
