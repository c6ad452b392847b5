// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/mailbox_p.h"
#include "base/restartcategory_p.h"
#include "base/signalblock_p.h"
#include "lifecycle/internal/decisionrecorder.h"
#include "lifecycle/internal/evaluatorport.h"
#include "storequeue_p.h"
#include "storewriter_p.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/telemetry/telemetrystore.h>

#include <QFileInfo>
#include <QPointer>
#include <QUuid>

#include <algorithm>
#include <atomic>
#include <list>
#include <system_error>
#include <thread>
#include <utility>

namespace Rekindle {

namespace {

using std::chrono::milliseconds;

TelemetryOptions inRange(TelemetryOptions options)
{
    using namespace std::chrono_literals;
    constexpr std::chrono::minutes tenYears = std::chrono::days(3650);
    constexpr qint64 minBytes = qint64{256} * 1024;
    options.path = QFileInfo(options.path).absoluteFilePath(); // the host may change its folder
    options.capacity = std::clamp<std::size_t>(options.capacity, 1, 10'000'000);
    options.batchRows = std::clamp<std::size_t>(options.batchRows, 1, 100'000);
    options.batchAge = std::clamp<milliseconds>(options.batchAge, 0ms, 1min);
    options.retryDelay = std::clamp<milliseconds>(options.retryDelay, 10ms, 1min);
    options.closeTimeout = std::clamp<milliseconds>(options.closeTimeout, 0ms, 1min);
    options.maxAge = std::clamp<std::chrono::minutes>(options.maxAge, 0min, tenYears);
    if (options.maxBytes != 0)
        options.maxBytes = std::max(options.maxBytes, minBytes);
    options.maxPages = std::max(options.maxPages, 0);
    return options;
}

// The time that the last statement may take after closeTimeout.
constexpr milliseconds lastStatement{1'000};

} // namespace

class TelemetryStore::Private
{
public:
    struct Flush
    {
        StoreQueue::Status requested;
        std::function<void(bool)> done;
    };

    void close();
    void recordCommand(const RestartPolicyEvaluator &evaluator, const QUuid &id,
                       OperatorCommand command, InstanceState state);

    bool isAttached = false;
    bool recordsInputs = false;
    QPointer<RestartPolicyEvaluator> recorded; ///< whose inputs are recorded
    milliseconds closeTimeout{0};
    std::shared_ptr<StoreQueue> queue;
    std::shared_ptr<Mailbox> mailbox;
    std::shared_ptr<std::atomic<bool>> isPosted = std::make_shared<std::atomic<bool>>(false);
    std::atomic<quint64> calls = 0; ///< numbers the calls of all callers
    std::thread thread;
    std::atomic<bool> closed = false;
    std::list<Flush> flushes;
    StoreQueue::Status reported;
};

TelemetryStore::TelemetryStore(const TelemetryOptions &options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    const TelemetryOptions good = inRange(options);
    d->closeTimeout = good.closeTimeout;
    d->recordsInputs = good.recordInputs;
    d->mailbox = std::make_shared<Mailbox>(this);
    // The event loop only learns that the status has changed, and reads it from the queue.
    const auto notify = [this, mailbox = d->mailbox, isPosted = d->isPosted] {
        if (!isPosted->exchange(true))
            mailbox->post([this] { emitChanges(); });
    };
    d->queue = std::make_shared<StoreQueue>(good.capacity, good.batchRows, notify);
    d->queue->setRun(QUuid::createUuid().toString(QUuid::WithoutBraces));
    // The thread may outlive this object if the disk hangs, so it shares what it uses.
    try {
        d->thread = startThreadWithBlockedSignals(
            [queue = d->queue, good] { StoreWriter(good, queue).run(); });
    } catch (const std::system_error &error) {
        d->queue->refuse(QStringLiteral("cannot start the writer thread: ")
                         + QString::fromLocal8Bit(error.what()));
    }
}

TelemetryStore::~TelemetryStore()
{
    if (d->recorded)
        EvaluatorPort(*d->recorded).setInputJournal({});
    d->close();
}

void TelemetryStore::close()
{
    d->close();
    emitChanges();
}

void TelemetryStore::Private::recordCommand(const RestartPolicyEvaluator &evaluator,
                                            const QUuid &id, OperatorCommand command,
                                            InstanceState state)
{
    // A RestartRequested follows, which has a row of its own.
    if (command == OperatorCommand::Restart)
        return;
    const Scheduler &scheduler = evaluator.scheduler();
    queue->push(CommandRecord{{.instanceId = id,
                               .agent = evaluator.name(id),
                               .monotonicTime = scheduler.now(),
                               .time = scheduler.clock().utcNow()},
                              command,
                              state});
}

void TelemetryStore::Private::close()
{
    closed = true;
    mailbox->close();
    queue->close();
    if (!thread.joinable())
        return;
    if (queue->waitUntilFinished(closeTimeout + lastStatement))
        thread.join();
    else
        thread.detach(); // the disk hangs
    queue->abandon();
}

// The events of each evaluator are numbered from 1, so two of them cannot share a run.
void TelemetryStore::attach(RestartPolicyEvaluator &evaluator)
{
    if (std::exchange(d->isAttached, true)) {
        qCCritical(restartCategory) << "[RST] TelemetryStore::attach() was ignored: the store "
                                       "already records another evaluator";
        return;
    }
    d->queue->setRun(evaluator.run());
    if (d->recordsInputs) {
        d->recorded = &evaluator;
        EvaluatorPort(evaluator).setInputJournal(
            [queue = d->queue, &evaluator](JournalEntry &&entry) {
                queue->push(InputRecord{std::move(entry), evaluator.scheduler().clock().utcNow()});
            });
    }
    connect(&evaluator, &RestartPolicyEvaluator::lifecycleEvent, this,
            [this](const LifecycleEvent &event) {
                if (!std::holds_alternative<AgentOutput>(event))
                    append(event);
            });
    connect(&evaluator, &RestartPolicyEvaluator::operatorCommanded, this,
            [this, &evaluator](const QUuid &id, OperatorCommand command, InstanceState state,
                               bool byHost) {
                if (!byHost || command != OperatorCommand::Stop)
                    d->recordCommand(evaluator, id, command, state);
            });
    recordDecisions(evaluator, this,
                    [this](DecisionRecord record) { d->queue->push(std::move(record)); });
}

void TelemetryStore::append(const LifecycleEvent &event) { d->queue->push(event); }

void TelemetryStore::appendToolCall(const ToolCallFinished &call)
{
    ToolCallFinished numbered = call;
    numbered.sequence = ++d->calls;
    d->queue->push(numbered);
}

void TelemetryStore::flush(std::function<void(bool written)> done)
{
    d->flushes.push_back({d->queue->requestWrite(), std::move(done)});
    QMetaObject::invokeMethod(this, [this] { emitChanges(); }, Qt::QueuedConnection);
}

bool TelemetryStore::writeNow(milliseconds limit) { return d->queue->writeNow(limit); }

quint64 TelemetryStore::droppedCount() const { return d->queue->status().dropped; }

bool TelemetryStore::retriesWrites() const { return !d->closed && !d->queue->status().refused; }

QString TelemetryStore::runId() const { return d->queue->run(); }

// A slot may delete the store.
void TelemetryStore::emitChanges()
{
    *d->isPosted = false;
    const StoreQueue::Status now = d->queue->status();
    const StoreQueue::Status before = std::exchange(d->reported, now);
    const QPointer<TelemetryStore> alive(this);
    if (now.movedAside != before.movedAside)
        Q_EMIT movedAside(now.movedAside);
    if (alive && now.openings != before.openings)
        Q_EMIT opened();
    if (alive && !now.failure.isEmpty()
        && (before.failure.isEmpty() || now.refused != before.refused))
        Q_EMIT failed(now.failure);
    if (alive && now.failure.isEmpty() && !before.failure.isEmpty())
        Q_EMIT resumed();
    if (alive && now.dropped != before.dropped)
        Q_EMIT dropped(now.dropped);

    while (alive && !d->flushes.empty()) {
        const StoreQueue::Status &requested = d->flushes.front().requested;
        const bool settled = now.settled >= requested.accepted;
        const bool failing = now.failures > requested.failures;
        if (!settled && !failing)
            return;
        const bool written = settled && now.lost == requested.lost && !now.refused;
        const auto done = std::move(d->flushes.front().done);
        d->flushes.pop_front();
        done(written);
    }
}

} // namespace Rekindle
