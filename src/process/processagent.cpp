// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/process/processagent.h>

#include "exitverdict_p.h"
#include "processrun_p.h"
#include "sigchldcheck_p.h"

#include <QPointer>

#include <utility>

namespace Rekindle {

class ProcessAgent::Private final : public RunListener
{
public:
    Private(ProcessAgent &agent, ProcessDefinition theDefinition, Scheduler &theScheduler)
        : q(agent)
        , definition(std::move(theDefinition))
        , scheduler(theScheduler)
    {
    }

    void runReady() override { Q_EMIT q.ready(); }
    void runHeartbeat() override { Q_EMIT q.heartbeat(); }
    void runGaveUp() override { Q_EMIT q.gaveUp(QStringLiteral("it sent WATCHDOG=trigger")); }
    void runLine(Stream stream, const QByteArray &line) override
    {
        Q_EMIT q.outputLine(stream, line);
    }
    void runInputDrained() override { Q_EMIT q.standardInputDrained(); }
    void runStuck() override { Q_EMIT q.stuck(); }
    void runEnded() override;

    void launchFailed(const LaunchFault &fault);

    ProcessAgent &q;
    const ProcessDefinition definition;
    Scheduler &scheduler;
    std::optional<LaunchPlan> plan;
    GuardSlot slot;
    std::unique_ptr<ProcessRun> run;
    std::optional<int> lastStatus;
};

void ProcessAgent::Private::runEnded()
{
    // The run is over before anybody hears of it.
    const std::unique_ptr<ProcessRun> ended = std::move(run);
    const ExitStatus status = ended->exitStatus().value_or(ExitStatus{});
    if (status.kind == ExitStatus::Kind::Exited)
        lastStatus = status.number;
    else if (status.kind == ExitStatus::Kind::Killed)
        lastStatus = 128 + status.number;

    ExitVerdict verdict = ExitVerdict::of(status, ended->wasAskedToEnd(), definition.exitCodes);
    switch (verdict.kind) {
    case ExitVerdict::Kind::Stopped:
        Q_EMIT q.stopped();
        return;
    case ExitVerdict::Kind::RestartRequested:
        Q_EMIT q.restartRequested(QStringLiteral("exit code 42"));
        return;
    case ExitVerdict::Kind::Failed:
        break;
    }
    verdict.failure.detail.processId = ended->pid();
    verdict.failure.detail.stderrTail = ended->stderrTail().lines();
    Q_EMIT q.failed(verdict.failure.reason, verdict.failure.detail);
}

void ProcessAgent::Private::launchFailed(const LaunchFault &fault)
{
    run.reset();
    lastStatus = fault.exitCode();
    const Failure failure = fault.toFailure(definition.exitCodes);
    Q_EMIT q.failed(failure.reason, failure.detail);
}

ProcessAgent::ProcessAgent(ProcessDefinition definition, Scheduler &scheduler, QObject *parent)
    : Agent(parent)
    , d(std::make_unique<Private>(*this, std::move(definition), scheduler))
{
}

ProcessAgent::~ProcessAgent() = default;

const ProcessDefinition &ProcessAgent::definition() const { return d->definition; }

void ProcessAgent::start()
{
    if (d->run)
        return;
    warnIfChildrenAreTaken();
    d->lastStatus.reset();
    if (!d->plan)
        d->plan.emplace(d->definition);
    d->run = std::make_unique<ProcessRun>(d->definition, *d->plan, d->scheduler, d->slot, *d);
    if (const auto fault = d->run->launch()) {
        d->launchFailed(*fault);
        return;
    }
    const QPointer<ProcessRun> run(d->run.get());
    Q_EMIT started();
    if (run)
        run->begin();
}

void ProcessAgent::stop()
{
    if (d->run)
        d->run->stop();
}

void ProcessAgent::kill()
{
    if (d->run)
        d->run->kill();
}

bool ProcessAgent::isAlive() const { return d->run != nullptr; }

qint64 ProcessAgent::processId() const { return d->run ? d->run->pid() : 0; }

qint64 ProcessAgent::write(const QByteArray &bytes)
{
    return d->run ? d->run->input().write(bytes) : -1;
}

void ProcessAgent::closeStandardInput()
{
    if (d->run)
        d->run->input().close();
}

bool ProcessAgent::signalGroup(int signalNumber)
{
    return d->run && d->run->signalGroup(signalNumber);
}

void ProcessAgent::followJobControl()
{
    if (d->run)
        d->run->followJobControl();
}

std::optional<int> ProcessAgent::lastExitStatus() const { return d->lastStatus; }

} // namespace Rekindle
