// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpsession_p.h"

#include "cli/options/storechoice_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "memoryrelease_p.h"

#include <rekindle/metrics/metricscollector.h>
#include <rekindle/policy/presets.h>
#include <rekindle/process/processagent.h>

#include <QCoreApplication>

#include <csignal>
#include <utility>

namespace Rekindle {

namespace {

// One program, such as npx or python3, can start several servers.
QString usualStoreOf(const McpRequest &request)
{
    return request.configuration.isNull()
        ? storeOfProgram(QLatin1String("mcp-") + agentNameOf(request.program),
                         QStringList(request.program) + request.arguments)
        : storeOf(request.configuration);
}

} // namespace

McpSession::McpSession(McpRequest request, Messages &messages)
    : HostSession(request.host, usualStoreOf(request), messages)
    , m_request(std::move(request))
    , m_name(agentNameOf(m_request.program))
    , m_heapRelease(m_supervision.scheduler(), MemoryRelease::releaseHeap)
{
}

int McpSession::run()
{
    if (!m_supervision.setLicense(
            m_options.license.provider(m_supervision.scheduler(), m_messages)))
        return ExitCode::configuration;
    if (const int code = checkFiles(filesWith(ownFiles()), m_messages); code != ExitCode::fine)
        return code;
    warnWithoutStateFolder();
    if (!openEvents())
        return ExitCode::usage;
    // Several editor windows may start the same command. Only one of them can listen on the port.
    static_cast<void>(openMetrics(QStringLiteral("; continuing without metrics")));
    if (!openStore())
        return ExitCode::usage;
    const bool isGateway = !m_request.configuration.isNull();
    if (const int code = isGateway ? addServers() : addServer(); code != ExitCode::fine)
        return code;
    watchSignals({SIGINT, SIGTERM, SIGHUP});
    narrate();
    if (m_narrator)
        m_narrator->reportProcesses();
    isGateway ? m_gateway->begin() : m_proxy->begin();
    execute();
    return m_hasOutputFailed ? ExitCode::outputFailed : ExitCode::fine;
}

// Those in use, except events, store and license.
QList<UsedFile> McpSession::ownFiles() const
{
    if (!m_request.configuration.isNull())
        return filesRead({m_request.configuration}, QStringLiteral("the server file"));
    const QString &path = m_request.watchdog.markerFile;
    if (path.isEmpty())
        return {};
    return {{path, QStringLiteral("the restart marker"), QStringLiteral("--marker"),
             WrittenFile::Marker, path == WatchdogOptions().markerFile}};
}

template<typename Host>
void McpSession::connectHost(const Host &host)
{
    connect(&host, &Host::ended, this, [] { QCoreApplication::exit(); });
    connect(&host, &Host::callFinished, this, &McpSession::recordCall);
    connect(&host, &Host::outputFailed, this, [this](const QString &reason) {
        m_hasOutputFailed = true;
        m_messages.say(QStringLiteral("stdout: %1; cannot respond to the client").arg(reason));
    });
}

int McpSession::addServer()
{
    ProcessAgent *agent = m_supervision.add(
        m_name, ProcessDefinition::stdioServer(m_request.program, m_request.arguments),
        m_request.policy);
    if (!agent)
        return ExitCode::usage;
    AgentSupervisor &supervisor = m_supervision.supervisor();
    m_proxy = std::make_unique<WatchdogProxy>(supervisor, supervisor.idOf(m_name), *agent,
                                              m_request.watchdog);
    connectHost(*m_proxy);
    connect(m_proxy.get(), &WatchdogProxy::errorLine, this,
            [this](const QByteArray &line) { m_messages.write(line + '\n'); });
    if (!m_options.quiet)
        connect(m_proxy.get(), &WatchdogProxy::noted, this, [this](const QString &text) {
            m_messages.say(m_name + QLatin1String(": ") + text);
        });
    return watchFiles() ? ExitCode::fine : ExitCode::usage;
}

bool McpSession::watchFiles()
{
    if (m_request.globs.isEmpty())
        return true;
    const auto report = [this](const QString &text) {
        m_messages.say(QLatin1String("--watch: ") + text);
    };
    for (const QString &glob : std::as_const(m_request.globs)) {
        if (const QString fault = FileGlob::faultOf(glob); !fault.isEmpty()) {
            report(glob.isEmpty() ? fault : glob + QLatin1String(": ") + fault);
            return false;
        }
        if (!FileGlob(glob).matchesAny())
            report(QStringLiteral("%1 matches no file yet").arg(glob));
    }
    m_watched = std::make_unique<WatchedAgents>(
        m_supervision.scheduler(), [this](const QString &, const QString &reason) {
            return isStopRequested() || m_proxy->restart(reason, QStringLiteral("watch"));
        });
    connect(m_watched.get(), &WatchedAgents::faulted, this, report);
    connect(m_watched.get(), &WatchedAgents::delayed, this,
            [this](const QString &text) { m_messages.say(text); });
    QStringList own;
    for (const UsedFile &each : filesWith(ownFiles()))
        own.append(each.path);
    m_watched->watch({{m_name, m_request.globs}}, own);
    return true;
}

int McpSession::addServers()
{
    AgentSupervisor &supervisor = m_supervision.supervisor();
    McpGatewayOptions options;
    options.inject = m_request.watchdog.inject;
    options.listTime = m_request.listTime.value_or(options.listTime);
    m_gateway = std::make_unique<McpGateway>(supervisor, options);
    for (const McpServerDefinition &server : std::as_const(m_request.servers)) {
        RestartPolicy policy =
            server.policy.value_or(server.restartOnExit ? *preset(u"spawn") : m_request.policy);
        if (server.startTimeout)
            policy.startTimeout = *server.startTimeout;
        else if (policy.startTimeout == RestartPolicy().startTimeout)
            policy.startTimeout = m_request.policy.startTimeout;
        ProcessAgent *const agent = m_supervision.add(server.name, server.process, policy);
        if (!agent)
            return ExitCode::configuration;
        McpGatewayServer treatment;
        treatment.name = server.name;
        treatment.retry = server.retry.value_or(m_request.watchdog.retry);
        treatment.toolRetry = m_request.watchdog.toolRetry;
        treatment.tools = server.tools;
        treatment.toolBreaker = m_request.watchdog.toolBreaker;
        treatment.callTimeout =
            server.callTimeout ? server.callTimeout : m_request.watchdog.callTimeout;
        const QUuid id = supervisor.idOf(server.name);
        if (server.restartOnExit) {
            treatment.onDemand = policy;
            m_onDemand.insert(id);
        }
        m_gateway->add(treatment, id, *agent);
    }
    connectHost(*m_gateway);
    connect(m_gateway.get(), &McpGateway::errorLine, this,
            [this](const QString &server, const QByteArray &line) {
                m_messages.write('[' + server.toUtf8() + "] " + line + '\n');
            });
    if (!m_options.quiet)
        connect(m_gateway.get(), &McpGateway::noted, this,
                [this](const QString &server, const QString &text) {
                    m_messages.say(server.isEmpty() ? text : server + QLatin1String(": ") + text);
                });
    return ExitCode::fine;
}

void McpSession::onSignal(int number)
{
    if (m_narrator)
        m_narrator->mute();
    HostSession::onSignal(number);
}

void McpSession::stop(int) { m_gateway ? m_gateway->end() : m_proxy->end(); }

void McpSession::recordCall(const ToolCallFinished &call)
{
    if (m_store)
        m_store->appendToolCall(call);
    if (MetricsCollector *const collector = m_supervision.host().metrics())
        collector->count(call);
    // Between the calls of a burst, the memory of large messages is used again.
    constexpr Duration pause = std::chrono::seconds(5);
    if (!m_heapRelease.isArmed())
        m_heapRelease.armIn(pause);
}

} // namespace Rekindle
