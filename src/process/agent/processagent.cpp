// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/process/exitverdict.h>
#include <rekindle/process/healthchecks.h>
#include <rekindle/process/processagent.h>

#include "base/randomsource_p.h"
#include "process/cgroup/cgroupremover_p.h"
#include "process/internal/missingfiles.h"
#include "process/perscheduler_p.h"
#include "process/run/processrun_p.h"
#include "process/usage/usagecontrol_p.h"
#include "readinesswatch_p.h"

#include <QFileInfo>
#include <QPointer>

#include <csignal>
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

    void runNotifiedReady() override { readiness->notified(); }
    void runStatus(const QString &text) override;
    void runStopping() override { Q_EMIT q.stopping(); }
    void runExtended(Duration time) override { Q_EMIT q.startExtended(time); }
    void runHeartbeat() override { Q_EMIT q.heartbeat(); }
    void runReportedUnhealthy() override
    {
        Q_EMIT q.reportedUnhealthy(QStringLiteral("it sent WATCHDOG=trigger"));
    }
    void runLine(AgentOutput::Stream stream, const QByteArray &line) override;
    void runUnfinishedLine(const QByteArray &line) override { readiness->unfinishedLineRead(line); }
    void runBytes(const QByteArray &bytes) override { Q_EMIT q.outputBytes(bytes); }
    void runOutputEnded() override { Q_EMIT q.outputEnded(); }
    void runInputDrained() override { Q_EMIT q.standardInputDrained(); }
    void runStuck() override { Q_EMIT q.stuck(); }
    void runEnding() override
    {
        readiness->cancel();
        usage.reset();
    }
    void runEnded() override;

    void launchFailed(const LaunchFault &fault);
    void becameReady();
    void controlUsage();
    void recycle(const QString &reason);

    ProcessAgent &q;
    /// Changes only while nothing runs, because `plan`, `readiness` and `run` refer to it.
    ProcessDefinition definition;
    std::unique_ptr<ProcessDefinition> next; // of setDefinition()
    Scheduler &scheduler;
    std::optional<LaunchPlan> plan; // from the first start on, as `readiness`
    std::optional<ReadinessWatch> readiness;
    GuardSlot slot;
    qint64 fencingToken = 0;
    DescriptorStore descriptors;
    std::shared_ptr<CgroupRemover> cgroups; // between starts, if they have control groups
    std::unique_ptr<ProcessRun> run;
    std::unique_ptr<UsageControl> usage; // while it runs, if there are limits
    Instant launchedAt{};
    bool isReady = false;
    std::optional<int> lastStatus;
    quint64 lastInputTaken = 0;
    QStringList lastTail;
    QString lastNotified; // the STATUS= of the last start
    std::function<QString()> restartReason;
    std::function<void(const QString &)> recycler;
};

void ProcessAgent::Private::runLine(AgentOutput::Stream stream, const QByteArray &line)
{
    const QPointer<ProcessRun> current(run.get());
    Q_EMIT q.output(stream, line);
    if (current && stream == AgentOutput::Stream::Output)
        readiness->lineRead(line);
}

void ProcessAgent::Private::runStatus(const QString &text)
{
    if (lastNotified == text)
        return;
    lastNotified = text;
    Q_EMIT q.statusTextChanged(text);
}

void ProcessAgent::Private::runEnded()
{
    // A slot may start the agent again.
    const std::unique_ptr<ProcessRun> ended = std::move(run);
    const ExitStatus status = ended->exitStatus().value_or(ExitStatus{});
    if (status.kind == ExitStatus::Kind::Exited)
        lastStatus = status.number;
    else if (status.kind == ExitStatus::Kind::Killed)
        lastStatus = 128 + status.number;
    lastInputTaken = ended->inputTaken();

    lastTail = ended->stderrTail().lines();
    ExitVerdict verdict = ExitVerdict::of(status, ended->stopRequested(), definition.exitCodes);
    if (verdict.kind == ExitVerdict::Kind::Stopped) {
        Q_EMIT q.stopped();
        return;
    }
    if (verdict.kind == ExitVerdict::Kind::RestartRequested) {
        QString reason = restartReason ? restartReason() : QString();
        if (reason.isEmpty())
            reason = QStringLiteral("exit code %1").arg(ExitCodeTable::restartRequested);
        Q_EMIT q.restartRequested(reason);
        return;
    }
    if (const auto cause = ended->killCause()) { // SIGKILL is not the cause
        const bool isHung = *cause == ProcessRun::KillCause::HungStop;
        if (isHung)
            verdict.failure.reason = FailureReason::Timeout;
        verdict.failure.detail.signal.reset();
        verdict.failure.detail.message = isHung
            ? QStringLiteral("Process did not exit in time after STOPPING=1 and was killed")
            : QStringLiteral("Process closed its stdout, kept running and was killed");
    } else if (verdict.failure.detail.signal == SIGKILL && slot.isKillTimePassed()) {
        verdict.failure.detail.message =
            QStringLiteral("Process was killed by SIGKILL at the kill deadline");
    } else if (verdict.failure.detail.signal == SIGKILL) {
        if (const auto source = ended->oomKillReport()) {
            verdict.failure.reason = FailureReason::ResourceExhaustion;
            verdict.failure.detail.message =
                QStringLiteral("Process was killed by SIGKILL, and the kernel has killed a process "
                               "because memory was short (%1)")
                    .arg(*source);
        }
    }
    verdict.failure.detail.processId = ended->pid();
    verdict.failure.detail.stderrTail = lastTail;
    Q_EMIT q.failed(verdict.failure.reason, verdict.failure.detail);
}

void ProcessAgent::Private::becameReady()
{
    isReady = true;
    if (usage)
        usage->ready();
    Q_EMIT q.ready();
}

void ProcessAgent::Private::controlUsage()
{
    const ProcessDefinition &wanted = q.definition();
    usage.reset();
    if (wanted.usage.isEmpty() && wanted.recycling.isEmpty())
        return;
    usage = std::make_unique<UsageControl>(
        wanted.usage, wanted.recycling, run->pid(), launchedAt, systemRandom()(), scheduler,
        UsageControl::Callbacks{[this](const QString &text) {
                                    Q_EMIT q.limitExceeded(QLatin1String("Process group ") + text);
                                },
                                [this](const QString &reason) { recycle(reason); }});
    if (isReady)
        usage->ready();
}

void ProcessAgent::Private::recycle(const QString &reason)
{
    if (recycler)
        recycler(reason);
    else
        Q_EMIT q.restartRequested(reason);
}

void ProcessAgent::Private::launchFailed(const LaunchFault &fault)
{
    run.reset();
    lastStatus = fault.exitCode();
    lastInputTaken = 0;
    const Failure failure = fault.toFailure(definition.exitCodes);
    Q_EMIT q.failed(failure.reason, failure.detail);
}

ProcessAgent::ProcessAgent(ProcessDefinition definition, Scheduler &scheduler, QObject *parent)
    : Agent(parent)
    , d(std::make_unique<Private>(*this, std::move(definition), scheduler))
{
}

ProcessAgent::~ProcessAgent() = default;

std::vector<HealthCheck> ProcessAgent::ownHealthChecks()
{
    return makeHealthChecks(definition().health, *this, definition(), d->scheduler);
}

QList<Fault> ProcessAgent::faults() const
{
    return validate(definition()) + missingFiles(definition());
}

const ProcessDefinition &ProcessAgent::definition() const
{
    return d->next ? *d->next : d->definition;
}

void ProcessAgent::setDefinition(ProcessDefinition definition)
{
    const ProcessDefinition &before = this->definition();
    const bool changesUsage =
        before.usage != definition.usage || before.recycling != definition.recycling;
    d->next = std::make_unique<ProcessDefinition>(std::move(definition));
    if (changesUsage && d->run && !d->run->isEnding())
        d->controlUsage();
}

void ProcessAgent::setRestartReason(std::function<QString()> reason)
{
    d->restartReason = std::move(reason);
}

void ProcessAgent::setRecycler(std::function<void(const QString &)> recycler)
{
    d->recycler = std::move(recycler);
}

void ProcessAgent::start()
{
    if (d->run)
        return;
    warnIfSigchldIgnored();
    d->lastStatus.reset();
    d->lastTail.clear();
    d->lastNotified.clear();
    if (d->next) {
        d->readiness.reset();
        d->plan.reset();
        d->definition = *std::exchange(d->next, nullptr);
    }
    if (!d->plan) {
        d->plan.emplace(d->definition);
        d->cgroups = d->definition.cgroup ? perScheduler<CgroupRemover>(d->scheduler) : nullptr;
        d->readiness.emplace(*this, d->definition, d->scheduler, [this] { d->becameReady(); });
    }
    if (const auto fault = d->readiness->prepare()) {
        d->launchFailed(*fault);
        return;
    }
    d->run = std::make_unique<ProcessRun>(d->definition, *d->plan, d->scheduler, d->slot, *d,
                                          &d->descriptors);
    if (const auto fault = d->run->launch(d->fencingToken)) {
        d->launchFailed(*fault);
        return;
    }
    d->launchedAt = d->scheduler.now();
    d->isReady = false;
    d->controlUsage();
    const QPointer<ProcessRun> run(d->run.get());
    Q_EMIT started();
    if (run)
        d->readiness->begin();
}

void ProcessAgent::stop()
{
    d->usage.reset();
    if (d->run)
        d->run->stop();
}

void ProcessAgent::kill()
{
    d->usage.reset();
    if (d->run)
        d->run->kill();
}

void ProcessAgent::reopenOutputFiles() { RotatedFile::reopenAll(); }

void ProcessAgent::reportReady()
{
    if (d->run)
        d->readiness->reported();
}

bool ProcessAgent::isAlive() const { return d->run != nullptr; }

qint64 ProcessAgent::processId() const { return d->run ? d->run->pid() : 0; }

qint64 ProcessAgent::write(const QByteArray &bytes)
{
    return d->run ? d->run->input().write(bytes) : -1;
}

qint64 ProcessAgent::pendingInput() const { return d->run ? d->run->input().pendingSize() : 0; }

void ProcessAgent::closeStandardInput()
{
    if (d->run)
        d->run->input().close();
}

void ProcessAgent::setOutputPaused(bool paused)
{
    if (d->run)
        d->run->setOutputPaused(paused);
}

bool ProcessAgent::isOutputPaused() const { return d->run && d->run->isOutputPaused(); }

QStringList ProcessAgent::stderrTail() const
{
    return d->run ? d->run->stderrTail().lines() : d->lastTail;
}

QList<OutputFile> ProcessAgent::outputFiles() const
{
    QList<OutputFile> files;
    const auto add = [&files](AgentOutput::Stream stream, const OutputTarget &target) {
        if (target.kind == OutputTarget::Kind::File)
            files.append({stream, QFileInfo(target.file).absoluteFilePath()});
    };
    add(AgentOutput::Stream::Output, definition().standardOutput);
    add(AgentOutput::Stream::Error, definition().standardError);
    return files;
}

QString ProcessAgent::statusText() const { return d->run ? d->lastNotified : QString(); }

std::optional<Instant> ProcessAgent::recyclingAt() const
{
    return d->usage ? d->usage->recyclingAt() : std::nullopt;
}

QStringList ProcessAgent::storedDescriptors() const { return d->descriptors.names(); }

void ProcessAgent::discardStored() { d->descriptors.clear(); }

bool ProcessAgent::setKillDeadlineBound(bool bound)
{
    d->slot.setBound(bound);
    return true;
}

void ProcessAgent::setFencingToken(qint64 token) { d->fencingToken = token; }

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

quint64 ProcessAgent::lastInputTaken() const
{
    return d->run ? d->run->input().bytesTaken() : d->lastInputTaken;
}

} // namespace Rekindle
