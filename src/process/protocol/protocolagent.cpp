// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/process/exitcodetable.h>
#include <rekindle/process/healthchecks.h>
#include <rekindle/process/processagent.h>
#include <rekindle/process/protocolagent.h>

#include "process/internal/processpipes.h"

#include <QPointer>

#include <utility>

namespace Rekindle {

namespace {

ProcessDefinition piped(ProcessDefinition definition)
{
    definition.standardInput = ProcessDefinition::StandardInput::Pipe;
    definition.standardOutput.kind = OutputTarget::Kind::Pipe;
    definition.readiness = {};
    definition.readiness.kind = Readiness::Kind::Reported; // after the handshake
    return definition;
}

} // namespace

class ProtocolAgent::Private
{
public:
    Private(ProtocolAgent &agent, QString protocolName, ProcessDefinition definition,
            Scheduler &theScheduler)
        : q(agent)
        , protocol(std::move(protocolName))
        , scheduler(theScheduler)
        , process(piped(std::move(definition)), scheduler)
        , pipes(process, scheduler)
    {
    }

    void started();
    void stopped();

    ProtocolAgent &q;
    const QString protocol;
    Scheduler &scheduler;
    ProcessAgent process;
    ProcessPipes pipes;
    std::optional<Failure> fault; // why this object has killed the process
    qint64 startedId = 0;         // of the process that was started last
    bool isStopRequested = false;
    bool wasReady = false;
};

void ProtocolAgent::Private::started()
{
    fault.reset();
    wasReady = false;
    startedId = process.processId();
    const QPointer<ProtocolAgent> alive(&q);
    Q_EMIT q.started();
    if (alive && pipes.isOpen())
        q.handshake();
}

void ProtocolAgent::Private::stopped()
{
    if (!fault && !isStopRequested && !wasReady) {
        const QString message =
            QStringLiteral("The server exited before the %1 handshake was complete").arg(protocol);
        fault = {FailureReason::InitializationFailed,
                 {.message = message, .exitCode = ExitCodeTable::clean, .processId = startedId}};
    }
    if (!fault) {
        Q_EMIT q.stopped();
        return;
    }
    Failure failure = *std::exchange(fault, std::nullopt);
    failure.detail.stderrTail = process.stderrTail();
    Q_EMIT q.failed(failure.reason, failure.detail);
}

ProtocolAgent::ProtocolAgent(QString protocol, ProcessDefinition definition, Scheduler &scheduler,
                             QObject *parent)
    : Agent(parent)
    , d(std::make_unique<Private>(*this, std::move(protocol), std::move(definition), scheduler))
{
    // The pipes are connected first: pending requests are answered before the agent reports its
    // failure.
    connect(&d->process, &Agent::started, this, [this] { d->started(); });
    connect(&d->process, &Agent::stopped, this, [this] { d->stopped(); });
    connect(&d->process, &Agent::failed, this,
            [this](FailureReason reason, const FailureDetail &detail) {
                if (d->isStopRequested)
                    d->stopped();
                else
                    Q_EMIT failed(reason, detail);
            });
    connect(&d->process, &Agent::restartRequested, this, [this](const QString &reason) {
        if (d->isStopRequested && !isAlive())
            d->stopped();
        else
            Q_EMIT restartRequested(reason);
    });
    connect(&d->process, &Agent::heartbeat, this, &Agent::heartbeat);
    connect(&d->process, &Agent::reportedUnhealthy, this, &Agent::reportedUnhealthy);
    connect(&d->process, &Agent::stopping, this, &Agent::stopping);
    connect(&d->process, &Agent::startExtended, this, &Agent::startExtended);
    connect(&d->process, &Agent::limitExceeded, this, &Agent::limitExceeded);
    connect(&d->process, &ProcessAgent::stuck, this, &ProtocolAgent::stuck);
    connect(&d->process, &Agent::output, this,
            [this](AgentOutput::Stream, const QByteArray &line) { Q_EMIT errorLine(line); });
    connect(&d->process, &Agent::output, this, &Agent::output);
}

ProtocolAgent::~ProtocolAgent() = default;

const ProcessDefinition &ProtocolAgent::definition() const { return d->process.definition(); }

void ProtocolAgent::setDefinition(ProcessDefinition definition)
{
    d->process.setDefinition(piped(std::move(definition)));
}

void ProtocolAgent::start()
{
    if (!isAlive())
        d->isStopRequested = false;
    d->process.start();
}

QList<Fault> ProtocolAgent::faults() const { return d->process.faults(); }

void ProtocolAgent::stop()
{
    expectStop();
    d->process.stop();
}

void ProtocolAgent::kill()
{
    expectStop();
    d->process.kill();
}

bool ProtocolAgent::isAlive() const { return d->process.isAlive(); }

qint64 ProtocolAgent::processId() const { return d->process.processId(); }

QString ProtocolAgent::statusText() const { return d->process.statusText(); }

QStringList ProtocolAgent::stderrTail() const { return d->process.stderrTail(); }

std::optional<Instant> ProtocolAgent::recyclingAt() const { return d->process.recyclingAt(); }

QStringList ProtocolAgent::storedDescriptors() const { return d->process.storedDescriptors(); }

void ProtocolAgent::discardStored() { d->process.discardStored(); }

bool ProtocolAgent::setKillDeadlineBound(bool bound)
{
    return d->process.setKillDeadlineBound(bound);
}

void ProtocolAgent::setFencingToken(qint64 token) { d->process.setFencingToken(token); }

QList<OutputFile> ProtocolAgent::outputFiles() const { return d->process.outputFiles(); }

bool ProtocolAgent::signalGroup(int signalNumber) { return d->process.signalGroup(signalNumber); }

std::vector<HealthCheck> ProtocolAgent::ownHealthChecks()
{
    const ProcessDefinition &definition = d->process.definition();
    return makeHealthChecks(definition.health, *this, definition, d->scheduler);
}

void ProtocolAgent::reportReady()
{
    d->wasReady = true;
    d->process.reportReady();
    Q_EMIT ready();
}

// A process that exits reports its own failure, and a requested stop is not one.
void ProtocolAgent::fail(FailureReason reason, const QString &message)
{
    if (!d->process.isAlive() || d->isStopRequested || d->fault)
        return;
    d->fault = {reason, {.message = message, .processId = d->process.processId()}};
    d->process.kill();
}

void ProtocolAgent::failDisconnected()
{
    fail(FailureReason::ProcessCrash,
         QStringLiteral("The server closed its stdin or stdout, kept running, and was killed"));
}

void ProtocolAgent::expectStop() { d->isStopRequested = true; }

ProcessPipes &ProtocolAgent::pipes() const { return d->pipes; }

} // namespace Rekindle
