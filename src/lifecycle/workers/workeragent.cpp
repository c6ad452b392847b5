// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/workeragent.h>

#include "liveworkers_p.h"
#include "workerheartbeat_p.h"

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
    constexpr Duration none = Duration::zero();
    constexpr Duration day = std::chrono::hours(24);
    options.heartbeatInterval = std::clamp(options.heartbeatInterval, none, day);
    options.heartbeatTimeout =
        std::clamp<Duration>(options.heartbeatTimeout, std::chrono::milliseconds(1), day);
    options.misses = std::clamp(options.misses, 1, 1000);
    options.lastChance = std::clamp(options.lastChance, none, day);
    options.stopTimeout = std::clamp(options.stopTimeout, none, day);
    options.killTimeout = std::clamp(options.killTimeout, none, day);
    return options;
}

// Gets the wake-ups of the thread, in the agent's.
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
    void lookWhetherReady();
    void found(const WorkerHeartbeat::Finding &finding);
    void endWithin(Duration limit);
    void fail(FailureReason reason, const QString &message);
    void setAside(const QString &reason);
    void finish();

    WorkerAgent *const q;
    const WorkerFactory factory;
    const WorkerOptions options;
    Scheduler &scheduler;
    const WorkerRun::LateCount late = std::make_shared<std::atomic<quint64>>(0);
    Inbox inbox;
    WorkerHeartbeat heartbeat;
    Deadline patience;

    // Of the start that is not over yet.
    std::unique_ptr<WorkerThread> thread;
    std::shared_ptr<WorkerRun> run;
    std::deque<WorkerReport> reports; ///< that nobody has been told of yet
    std::optional<Failure> failure;
    Duration patienceLimit{};
    bool constructed = false;
    bool saidReady = false;
    bool toldReady = false;
    bool stopping = false;
};

WorkerAgent::Private::Private(WorkerAgent *agent, WorkerFactory theFactory,
                              const WorkerOptions &theOptions, Scheduler &theScheduler)
    : q(agent)
    , factory(std::move(theFactory))
    , options(withinRange(theOptions))
    , scheduler(theScheduler)
    , inbox([this] { takeReports(); })
    , heartbeat(scheduler, options,
                {[this] { run->ping(); }, [this] { return run->pingIsAnswered(); },
                 [this](const WorkerHeartbeat::Finding &finding) { found(finding); }})
    , patience(scheduler, [this] {
        setAside(QStringLiteral("it did not end within %1").arg(durationToString(patienceLimit)));
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
    constructed = saidReady = toldReady = stopping = false;
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
    // A slot may destroy the agent; one that has been told of the end may start it anew.
    const QPointer<WorkerAgent> alive(q);
    const std::shared_ptr<WorkerRun> current = run;
    if (!current)
        return;
    // In their order also where a slot runs an event loop, which comes here again.
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
        lookWhetherReady();
        return;
    case WorkerReport::Kind::Ready:
        saidReady = true;
        lookWhetherReady();
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

void WorkerAgent::Private::lookWhetherReady()
{
    const bool isReady = constructed && (saidReady || options.ready == WorkerReady::Constructed);
    if (!isReady || stopping || failure || std::exchange(toldReady, true))
        return;
    heartbeat.begin();
    Q_EMIT q->ready();
}

void WorkerAgent::Private::found(const WorkerHeartbeat::Finding &finding)
{
    const QPointer<WorkerAgent> alive(q);
    const std::shared_ptr<WorkerRun> current = run;
    const QString took = durationToString(finding.took);
    const QString text = finding.ok
        ? QStringLiteral("its event loop answers")
        : QStringLiteral("its event loop has not answered for %1").arg(took);
    Q_EMIT q->probed(
        {scheduler.clock().utcNow(), finding.ok, finding.took, text, QStringLiteral("heartbeat")},
        finding.misses);
    if (!finding.isHung || !alive || run != current || stopping)
        return;
    fail(FailureReason::HealthCheckFailed, {});
    setAside(QStringLiteral("its event loop does not answer"));
}

void WorkerAgent::Private::endWithin(Duration limit)
{
    heartbeat.end();
    patienceLimit = limit;
    patience.armIn(limit);
}

void WorkerAgent::Private::fail(FailureReason reason, const QString &message)
{
    if (stopping || failure)
        return;
    failure = Failure{reason, {.message = message}};
    endWithin(options.stopTimeout);
}

void WorkerAgent::Private::setAside(const QString &reason)
{
    heartbeat.end();
    patience.disarm();
    const std::shared_ptr<WorkerRun> current = run;
    run->requestStop();
    if (run->abandon()) {
        LiveWorkers::all().setAside(std::move(thread), run, true);
        qCWarning(log).noquote().nospace()
            << "Worker thread \"" << options.threadName << "\" set aside: " << reason;
        if (failure) {
            QString &message = failure->detail.message;
            message += (message.isEmpty() ? QString() : QStringLiteral("; ")) + reason
                + QStringLiteral("; its thread is set aside");
        }
        const QPointer<WorkerAgent> alive(q);
        Q_EMIT q->threadSetAside(reason);
        if (!alive || run != current)
            return;
    }
    finish();
}

void WorkerAgent::Private::finish()
{
    heartbeat.end();
    patience.disarm();
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
    // While threadSetAside() is emitted there is a run and no thread any more.
    if (!d->thread)
        return;
    d->run->requestStop();
    if (d->run->abandon())
        LiveWorkers::all().setAside(std::move(d->thread), d->run, false);
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
    if (!d->thread) // threadSetAside() is being emitted
        return;
    // One that ends because of a failure has its limit already.
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

quint64 WorkerAgent::lateReports() const { return d->late->load(); }

int WorkerAgent::strandedThreads() { return LiveWorkers::all().setAsideCount(); }

} // namespace Rekindle
