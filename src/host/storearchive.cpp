// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storearchive_p.h"

#include "base/processes/threadpriority_p.h"
#include "base/signalblock_p.h"

#include <rekindle/telemetry/historyreader.h>
#include <rekindle/telemetry/telemetrystore.h>

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPointer>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <utility>

namespace Rekindle {

namespace {

constexpr int eventsPerPage = 256;
constexpr std::chrono::seconds patience{1};

// A gap without events is skipped: only decisions or tool calls are missing.
std::optional<EventArchive::Event> eventOf(const StoredEvent &stored)
{
    EventArchive::Event event{.run = stored.run,
                              .sequence = static_cast<quint64>(stored.sequence),
                              .type = stored.type,
                              .agent = stored.agent};
    if (stored.type != QLatin1String("events.gap")) {
        event.json = stored.toCloudEvent();
        return event;
    }
    const QJsonObject gap = QJsonDocument::fromJson(stored.data).object();
    event.missing = static_cast<quint64>(gap[QLatin1String("events")].toInteger());
    event.sequence += event.missing - 1;
    return event.missing > 0 ? std::optional(event) : std::nullopt;
}

EventArchive::Page pageAt(const QString &path, const QString &run,
                          const EventArchive::Position &position)
{
    EventArchive::Page page{.isLast = true};
    HistoryReader reader(path);
    qint64 row = position.next;
    if (reader.error().isEmpty() && row == 0 && !position.run.isEmpty()) {
        const std::optional<qint64> found = reader.rowAfter(position.run, position.sequence);
        page.isGone = !found;
        row = found.value_or(0);
    }
    StoredEventPage stored;
    if (reader.error().isEmpty())
        stored = reader.eventsFrom(row, run, eventsPerPage);
    page.error = reader.error();
    if (!page.error.isEmpty())
        return page;
    for (const StoredEvent &each : std::as_const(stored.events)) {
        if (auto event = eventOf(each))
            page.events.push_back(*std::move(event));
    }
    page.next = stored.nextRow;
    page.isLast = stored.isLast;
    page.removed = static_cast<quint64>(stored.removedRows);
    return page;
}

} // namespace

/// Executes tasks in a thread, in order.
class StoreArchive::Worker
{
public:
    // The thread may outlive the archive if the disk hangs, so it shares this object.
    [[nodiscard]] static std::shared_ptr<Worker> start()
    {
        auto worker = std::make_shared<Worker>();
        startThreadWithBlockedSignals([worker] { worker->run(); }).detach();
        return worker;
    }

    void add(std::function<void()> task)
    {
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back(std::move(task));
        m_changed.notify_all();
    }

    void stop()
    {
        std::unique_lock lock(m_mutex);
        m_isStopping = true;
        m_tasks.clear();
        m_changed.notify_all();
        m_changed.wait_for(lock, patience, [this] { return m_hasEnded; });
    }

private:
    void run()
    {
        lowerPriorityOfThisThread();
        std::unique_lock lock(m_mutex);
        for (;;) {
            m_changed.wait(lock, [this] { return m_isStopping || !m_tasks.empty(); });
            if (m_isStopping)
                break;
            const std::function<void()> task = std::move(m_tasks.front());
            m_tasks.pop_front();
            lock.unlock();
            task();
            lock.lock();
        }
        m_hasEnded = true;
        m_changed.notify_all();
    }

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::function<void()>> m_tasks;
    bool m_isStopping = false;
    bool m_hasEnded = false;
};

StoreArchive::StoreArchive(TelemetryStore &store, const QString &path)
    : m_store(store)
    , m_path(QFileInfo(path).absoluteFilePath()) // the host may change its folder
{
    QObject::connect(&store, &TelemetryStore::failed, &m_context,
                     [this](const QString &reason) { m_writeFailure = reason; });
    QObject::connect(&store, &TelemetryStore::resumed, &m_context,
                     [this] { m_writeFailure.clear(); });
}

StoreArchive::~StoreArchive()
{
    m_mailbox->close();
    if (m_worker)
        m_worker->stop();
}

void StoreArchive::read(const Position &position, Done done)
{
    readPage(position, std::move(done), {});
}

quint64 StoreArchive::droppedRows() const { return m_store.droppedCount(); }

// At the end, the rows that the store has queued are written first. `isWritten` is the result.
void StoreArchive::readPage(const Position &position, Done done, std::optional<bool> isWritten)
{
    const auto receive = [this, position, done = std::move(done), isWritten](Page page) {
        const bool isAtEnd = page.isLast || page.isGone || !page.error.isEmpty();
        page.isComplete = isWritten.value_or(false);
        if (!isAtEnd || isWritten) {
            done(std::move(page));
            return;
        }
        m_store.flush([this, position, done, alive = QPointer(&m_context)](bool written) {
            if (alive)
                readPage(position, done, written);
        });
    };
    try {
        if (!m_worker)
            m_worker = Worker::start();
    } catch (const std::system_error &error) {
        m_mailbox->post([receive, text = QString::fromLocal8Bit(error.what())] {
            receive({.isLast = true, .error = text});
        });
        return;
    }
    m_worker->add([mailbox = m_mailbox, receive, path = m_path, run = m_store.runId(), position] {
        mailbox->post([receive, page = pageAt(path, run, position)] { receive(page); });
    });
}

} // namespace Rekindle
