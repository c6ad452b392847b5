// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/heartbeatprobe.h>
#include <rekindle/lifecycle/workeragent.h>

#include "liveworkers_p.h"

#include <QEvent>
#include <QLoggingCategory>
#include <QPointer>

#include <algorithm>
#include <deque>

namespace Rekindle {

namespace {
Q_LOGGING_CATEGORY(log, "rekindle.worker")

WorkerOptions withinRange(WorkerOptions options)
{
    using namespace std::chrono_literals;
    constexpr Duration none = Duration::zero();
    constexpr Duration hour = 1h;
    constexpr Duration day = 24h;
    if (options.heartbeatInterval > none)
        options.heartbeatInterval = std::clamp<Duration>(options.heartbeatInterval, 10ms, day);
    else
        options.heartbeatInterval = none;
    options.heartbeatTimeout = std::clamp<Duration>(options.heartbeatTimeout, 1ms, hour);
    options.misses = std::clamp(options.misses, 1, 1000);
    options.lastChance = std::clamp(options.lastChance, options.heartbeatTimeout, hour);
    options.stopTimeout = std::clamp(options.stopTimeout, none, day);
    options.killTimeout = std::clamp(options.killTimeout, none, day);
    return options;
}

// Receives the wake-up events of the thread in the agent's thread.
class Inbox : public QObject
{
public:
    explicit Inbox(std::function<void()> onReports)
        : m_onReports(std::move(onReports))
    {
    }

protected:
    void customEvent(QEvent *) override { m_onReports(); }

private:
    std::function<void()> m_onReports;
};
} // namespace

class WorkerAgent::Private
{
public:
    Private(WorkerAgent *agent, WorkerFactory theFactory, const WorkerOptions &theOptions,
            Scheduler &theScheduler);

    void begin();
    void takeReports();
    void handle(const WorkerReport &report);
    void emitReadyIfDue();
    void endWithin(Duration limit);
    void fail(FailureReason reason, const QString &message);
    void abandon(const QString &reason);
    void finish();

    WorkerAgent *const q;
    const WorkerFactory factory;
    const WorkerOptions options;
    const WorkerRun::LateCount late = std::make_shared<std::atomic<quint64>>(0);
    Inbox inbox;
    Deadline endDeadline; ///< of a thread that should end

    // Data of the current start.
    std::unique_ptr<WorkerThread> thread;
    std::shared_ptr<WorkerRun> run;
    std::deque<WorkerReport> reports; ///< taken from the run and not handled yet
    std::optional<Failure> failure;
    Duration endLimit{};
    bool constructed = false;
    bool reportedReady = false;
    bool emittedReady = false;
    bool stopping = false;
};

WorkerAgent::Private::Private(WorkerAgent *agent, WorkerFactory theFactory,
                              const WorkerOptions &theOptions, Scheduler &theScheduler)
    : q(agent)
    , factory(std::move(theFactory))
    , options(withinRange(theOptions))
    , inbox([this] { takeReports(); })
    , endDeadline(theScheduler, [this] {
        abandon(QStringLiteral("it did not end within %1").arg(durationToString(endLimit)));
    })
{
}

void WorkerAgent::Private::begin()
{
    run = std::make_shared<WorkerRun>(&inbox, late);
    thread = std::make_unique<WorkerThread>(factory, run);
    thread->setObjectName(options.threadName);
    thread->setStackSize(options.stackSize);
    run->setThread(thread.get());
    reports.clear();
    failure.reset();
    constructed = reportedReady = emittedReady = stopping = false;
    thread->start();
    if (!thread->isRunning() && !thread->isFinished()) {
        thread.reset();
        run.reset();
        Q_EMIT q->failed(FailureReason::ResourceExhaustion,
                         {.message = QStringLiteral("no thread could be started")});
        return;
    }
    LiveWorkers::all().add(run);
    Q_EMIT q->started();
}

void WorkerAgent::Private::takeReports()
{
    // A slot may destroy the agent, or start it again after the end of this run.
    const QPointer<WorkerAgent> alive(q);
    const std::shared_ptr<WorkerRun> current = run;
    if (!current)
        return;
    // Queued, so that the order is kept if a slot runs a nested event loop that calls this again.
    for (WorkerReport &report : current->takeReports())
        reports.push_back(std::move(report));
    while (!reports.empty()) {
        const WorkerReport report = std::move(reports.front());
        reports.pop_front();
        handle(report);
        if (!alive || run != current)
            return;
    }
}

void WorkerAgent::Private::handle(const WorkerReport &report)
{
    const bool ending = stopping || failure;
    switch (report.kind) {
    case WorkerReport::Kind::Constructed:
        constructed = true;
        emitReadyIfDue();
        return;
    case WorkerReport::Kind::Ready:
        reportedReady = true;
        emitReadyIfDue();
        return;
    case WorkerReport::Kind::Heartbeat:
        if (!ending)
            Q_EMIT q->heartbeat();
        return;
    case WorkerReport::Kind::RestartRequested:
        if (!ending)
            Q_EMIT q->restartRequested(report.text);
        return;
    case WorkerReport::Kind::Failed:
        fail(report.reason, report.text);
        return;
    case WorkerReport::Kind::Ended:
        finish();
        return;
    }
}

void WorkerAgent::Private::emitReadyIfDue()
{
    const bool isReady =
        constructed && (reportedReady || options.ready == WorkerOptions::Ready::Constructed);
    if (!isReady || stopping || failure || std::exchange(emittedReady, true))
        return;
    Q_EMIT q->ready();
}

void WorkerAgent::Private::endWithin(Duration limit)
{
    endLimit = limit;
    endDeadline.armIn(limit);
}

void WorkerAgent::Private::fail(FailureReason reason, const QString &message)
{
    if (stopping || failure)
        return;
    failure = Failure{reason, {.message = message}};
    endWithin(options.stopTimeout);
}

void WorkerAgent::Private::abandon(const QString &reason)
{
    endDeadline.disarm();
    const std::shared_ptr<WorkerRun> current = run;
    run->requestStop();
    if (run->abandon()) {
        LiveWorkers::all().adopt(std::move(thread), run, true);
        qCWarning(log).noquote().nospace()
            << "Worker thread \"" << options.threadName << "\" abandoned: " << reason;
        if (failure) {
            QString &message = failure->detail.message;
            message += (message.isEmpty() ? QString() : QStringLiteral("; ")) + reason
                + QStringLiteral("; its thread was abandoned");
        }
        const QPointer<WorkerAgent> alive(q);
        Q_EMIT q->threadAbandoned(reason);
        if (!alive || run != current)
            return;
    }
    finish();
}

void WorkerAgent::Private::finish()
{
    endDeadline.disarm();
    thread.reset();
    run.reset();
    const std::optional<Failure> how = std::exchange(failure, std::nullopt);
    if (how && !stopping)
        Q_EMIT q->failed(how->reason, how->detail);
    else
        Q_EMIT q->stopped();
}

WorkerAgent::WorkerAgent(WorkerFactory factory, const WorkerOptions &options, Scheduler &scheduler,
                         QObject *parent)
    : Agent(parent)
    , d(std::make_unique<Private>(this, std::move(factory), options, scheduler))
{
}

WorkerAgent::~WorkerAgent()
{
    // While threadAbandoned() is emitted, there is a run without a thread.
    if (!d->thread)
        return;
    d->run->requestStop();
    if (d->run->abandon())
        LiveWorkers::all().adopt(std::move(d->thread), d->run, false);
}

const WorkerOptions &WorkerAgent::options() const { return d->options; }

void WorkerAgent::start()
{
    if (!d->run)
        d->begin();
}

void WorkerAgent::stop()
{
    if (!d->run || d->stopping)
        return;
    d->stopping = true;
    if (!d->thread) // threadAbandoned() is being emitted
        return;
    // After a failure, the deadline is already armed.
    if (!d->failure)
        d->endWithin(d->options.stopTimeout);
    d->run->requestStop();
}

void WorkerAgent::kill()
{
    if (!d->run)
        return;
    d->stopping = true;
    if (!d->thread)
        return;
    d->endWithin(d->options.killTimeout);
    d->run->requestStop();
}

bool WorkerAgent::isAlive() const { return d->run != nullptr; }

std::vector<HealthCheck> WorkerAgent::ownHealthChecks()
{
    std::vector<HealthCheck> checks;
    if (d->options.heartbeatInterval > Duration::zero()) {
        const HealthSchedule schedule{.interval = d->options.heartbeatInterval,
                                      .timeout = d->options.heartbeatTimeout,
                                      .misses = d->options.misses,
                                      .grace = d->options.heartbeatInterval,
                                      .lastChance = d->options.lastChance};
        checks.push_back(
            {QStringLiteral("heartbeat"), schedule, std::make_unique<HeartbeatProbe>(*this)});
    }
    return checks;
}

bool WorkerAgent::requestHeartbeat() const
{
    if (d->run)
        d->run->requestHeartbeat();
    return true;
}

quint64 WorkerAgent::lateReports() const { return d->late->load(); }

int WorkerAgent::abandonedThreads() { return LiveWorkers::all().abandonedCount(); }

} // namespace Rekindle
