// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/mcpagent.h>
#include <rekindle/process/exitcodetable.h>
#include <rekindle/process/healthchecks.h>
#include <rekindle/process/processagent.h>

#include "mcp/transport/processchannel_p.h"

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

class McpAgent::Private
{
public:
    Private(McpAgent &agent, ProcessDefinition definition, Scheduler &theScheduler,
            McpClientOptions options)
        : q(agent)
        , scheduler(theScheduler)
        , process(piped(std::move(definition)), scheduler)
        , channel(process, scheduler)
        , client(channel, scheduler, std::move(options))
    {
    }

    void started();
    void stopped();
    void fail(FailureReason reason, const QString &message);

    McpAgent &q;
    Scheduler &scheduler;
    ProcessAgent process;
    ProcessChannel channel;
    McpClient client;
    std::optional<Failure> fault; // why this object has killed the process
    qint64 startedId = 0;         // of the process that was started last
    bool isStopRequested = false;
    bool wasReady = false;
};

void McpAgent::Private::started()
{
    fault.reset();
    isStopRequested = false;
    wasReady = false;
    startedId = process.processId();
    const QPointer<McpAgent> alive(&q);
    Q_EMIT q.started();
    if (alive && channel.isOpen())
        client.open();
}

// A process that exits reports its own failure, and a requested stop is not one.
void McpAgent::Private::fail(FailureReason reason, const QString &message)
{
    if (!process.isAlive() || isStopRequested || fault)
        return;
    fault = {reason, {.message = message, .processId = process.processId()}};
    process.kill();
}

void McpAgent::Private::stopped()
{
    if (!fault && !isStopRequested && !wasReady) {
        const QString message =
            QStringLiteral("The server exited before the MCP handshake was complete");
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

McpAgent::McpAgent(ProcessDefinition definition, Scheduler &scheduler, McpClientOptions options,
                   QObject *parent)
    : Agent(parent)
    , d(std::make_unique<Private>(*this, std::move(definition), scheduler, std::move(options)))
{
    // The channel is connected first: pending calls are answered before the agent reports its
    // failure.
    connect(&d->process, &Agent::started, this, [this] { d->started(); });
    connect(&d->process, &Agent::stopped, this, [this] { d->stopped(); });
    connect(&d->process, &Agent::failed, this, &Agent::failed);
    connect(&d->process, &Agent::restartRequested, this, &Agent::restartRequested);
    connect(&d->process, &Agent::heartbeat, this, &Agent::heartbeat);
    connect(&d->process, &Agent::reportedUnhealthy, this, &Agent::reportedUnhealthy);
    connect(&d->process, &Agent::stopping, this, &Agent::stopping);
    connect(&d->process, &Agent::startExtended, this, &Agent::startExtended);
    connect(&d->process, &Agent::limitExceeded, this, &Agent::limitExceeded);
    connect(&d->process, &ProcessAgent::stuck, this, &McpAgent::stuck);
    connect(&d->process, &Agent::output, this,
            [this](AgentOutput::Stream, const QByteArray &line) { Q_EMIT errorLine(line); });
    connect(&d->process, &Agent::output, this, &Agent::output);
    connect(&d->client, &McpClient::ready, this, [this] {
        d->wasReady = true;
        d->process.reportReady();
        Q_EMIT ready();
    });
    connect(&d->client, &McpClient::failed, this, [this](const McpError &error) {
        d->fail(FailureReason::InitializationFailed,
                QStringLiteral("The MCP handshake failed: ") + error.message);
    });
    connect(&d->channel, &MessageChannel::lost, this, [this] {
        d->fail(FailureReason::ProcessCrash,
                QStringLiteral("The server closed its stdin or stdout, kept running, and was "
                               "killed"));
    });
}

McpAgent::~McpAgent() = default;

const ProcessDefinition &McpAgent::definition() const { return d->process.definition(); }

void McpAgent::setDefinition(ProcessDefinition definition)
{
    d->process.setDefinition(piped(std::move(definition)));
}

void McpAgent::start() { d->process.start(); }

void McpAgent::stop()
{
    d->isStopRequested = true;
    d->process.stop();
}

void McpAgent::kill()
{
    d->isStopRequested = true;
    d->process.kill();
}

bool McpAgent::isAlive() const { return d->process.isAlive(); }

qint64 McpAgent::processId() const { return d->process.processId(); }

QString McpAgent::statusText() const { return d->process.statusText(); }

std::optional<Instant> McpAgent::recyclingAt() const { return d->process.recyclingAt(); }

QStringList McpAgent::storedDescriptors() const { return d->process.storedDescriptors(); }

void McpAgent::discardStored() { d->process.discardStored(); }

QList<OutputFile> McpAgent::outputFiles() const { return d->process.outputFiles(); }

std::vector<HealthCheck> McpAgent::ownHealthChecks()
{
    const ProcessDefinition &definition = d->process.definition();
    return makeHealthChecks(definition.health, *this, definition, d->scheduler);
}

McpClient &McpAgent::client() { return d->client; }

} // namespace Rekindle
