// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commands/command_p.h"
#include "cli/options/evaluatoroptions_p.h"
#include "cli/options/policyoptions_p.h"
#include "cli/options/storechoice_p.h"
#include "host/internal/watchedagents.h"
#include "hostsession_p.h"
#include "memoryrelease_p.h"

#include <rekindle/config/mcpservers.h>
#include <rekindle/mcp/mcpgateway.h>
#include <rekindle/mcp/watchdogproxy.h>
#include <rekindle/metrics/metricscollector.h>
#include <rekindle/policy/presets.h>
#include <rekindle/process/processagent.h>

#include <QCoreApplication>

#include <csignal>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace Rekindle {

namespace {

// The C library would return the memory of every large message to the system, and getting it back
// takes longer than processing the message. McpSession returns it after a pause.
void retainFreedMemory()
{
#ifdef __GLIBC__
    constexpr int mebibyte = 1024 * 1024;
    // NOLINTBEGIN(concurrency-mt-unsafe): no other thread runs yet
    ::mallopt(M_MMAP_THRESHOLD, 8 * mebibyte);
    ::mallopt(M_TRIM_THRESHOLD, 8 * mebibyte);
    // NOLINTEND(concurrency-mt-unsafe)
#endif
}

struct McpRequest
{
    HostOptions host;
    RestartPolicy policy; ///< of servers without their own
    WatchdogOptions watchdog;

    QString program{};
    QStringList arguments{};
    QStringList globs{}; ///< files whose change restarts the server

    QString configuration{}; ///< the file with the servers; null: `program` is the only one
    QList<McpServerDefinition> servers{};
    std::optional<Duration> listTime{}; ///< replaces the default of McpGatewayOptions
};

// One program, such as npx or python3, can start several servers.
QString usualStoreOf(const McpRequest &request)
{
    return request.configuration.isNull()
        ? storeOfProgram(QLatin1String("mcp-") + agentNameOf(request.program),
                         QStringList(request.program) + request.arguments)
        : storeOf(request.configuration);
}

/// Connects an MCP client, on stdin and stdout of this process, with one server behind the watchdog
/// proxy, or with several servers through the gateway.
class McpSession final : public HostSession
{
public:
    McpSession(McpRequest request, Messages &messages)
        : HostSession(request.host, usualStoreOf(request), messages)
        , m_request(std::move(request))
        , m_name(agentNameOf(m_request.program))
        , m_heapRelease(m_supervision.scheduler(), MemoryRelease::releaseHeap)
    {
    }

    /// Runs the event loop; returns the exit code.
    int run()
    {
        m_supervision.host().setLicense(
            m_options.license.provider(m_supervision.scheduler(), m_messages));
        checkFiles(filesWith(ownFiles()), m_messages);
        warnWithoutStateFolder();
        openEvents();
        // Several editor windows may start the same command. Only one of them can listen on the
        // port.
        static_cast<void>(openMetrics(QStringLiteral("; continuing without metrics")));
        openStore();
        const bool isGateway = !m_request.configuration.isNull();
        isGateway ? addServers() : addServer();
        watchSignals({SIGINT, SIGTERM, SIGHUP});
        narrate();
        if (m_narrator)
            m_narrator->reportProcesses();
        isGateway ? m_gateway->begin() : m_proxy->begin();
        execute();
        return m_hasOutputFailed ? ExitCode::outputFailed : ExitCode::fine;
    }

private:
    // Those in use, except events, store and license.
    [[nodiscard]] QList<UsedFile> ownFiles() const
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
    void connectHost(const Host &host)
    {
        connect(&host, &Host::ended, this, [] { QCoreApplication::exit(); });
        connect(&host, &Host::callFinished, this, &McpSession::recordCall);
        connect(&host, &Host::outputFailed, this, [this](const QString &reason) {
            m_hasOutputFailed = true;
            m_messages.say(QStringLiteral("stdout: %1; cannot respond to the client").arg(reason));
        });
    }

    void addServer()
    {
        ProcessAgent *agent = m_supervision.add(
            m_name, ProcessDefinition::stdioServer(m_request.program, m_request.arguments),
            m_request.policy);
        if (!agent)
            throw CommandFailure{ExitCode::usage};
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
        watchFiles();
    }

    void watchFiles()
    {
        if (m_request.globs.isEmpty())
            return;
        const auto report = [this](const QString &text) {
            m_messages.say(QLatin1String("--watch: ") + text);
        };
        for (const QString &glob : std::as_const(m_request.globs)) {
            if (const QString fault = FileGlob::faultOf(glob); !fault.isEmpty()) {
                report(glob.isEmpty() ? fault : glob + QLatin1String(": ") + fault);
                throw CommandFailure{ExitCode::usage};
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
    }

    void addServers()
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
            else if (!server.policy)
                policy.startTimeout = m_request.policy.startTimeout;
            ProcessAgent *const agent = m_supervision.add(server.name, server.process, policy);
            if (!agent)
                throw CommandFailure{};
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
                        m_messages.say(server.isEmpty() ? text
                                                        : server + QLatin1String(": ") + text);
                    });
    }

    void onSignal(int number) override
    {
        if (m_narrator)
            m_narrator->mute();
        HostSession::onSignal(number);
    }

    void stop(int) override { m_gateway ? m_gateway->end() : m_proxy->end(); }

    void recordCall(const ToolCallFinished &call)
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

    McpRequest m_request;
    const QString m_name; ///< of the only server
    bool m_hasOutputFailed = false;
    Deadline m_heapRelease; ///< armed by a call
    std::unique_ptr<WatchdogProxy> m_proxy;
    std::unique_ptr<McpGateway> m_gateway; ///< instead of the proxy
    std::unique_ptr<WatchedAgents> m_watched;
};

class McpCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        expectProgram(command,
                      "rekindle mcp [OPTIONS] [--] SERVER [ARG...]\n"
                      "       rekindle mcp [OPTIONS] --config FILE",
                      "server", [this] { return isGateway(); });
        command.parse_complete_callback([this] {
            if (program() && isGateway())
                throw CLI::ValidationError("--config excludes a server: "
                                           + program()->value(0).toStdString());
        });
        CLI::Option *const config =
            addText(command, "--config", m_request.configuration,
                    "Serve all MCP servers of this file as one: mcpServers of Claude and Cursor, "
                    "servers of VS Code. Their base policy is stdio-backend",
                    "FILE");
        addDuration(
            command, "--list-wait", m_request.listTime,
            "With --config: time that the first list requests wait for servers (default: 2s)")
            ->needs(config);
        // As long as the common clients wait: a first start may download the server.
        m_policy.setStartTimeout(std::chrono::seconds(60));
        m_policy.addTo(command);
        command.add_flag_callback(
            "--no-inject", [this] { m_request.watchdog.inject = false; },
            "Do not add restart_server and verify_server_restarted");
        addText(command, "--marker", m_request.watchdog.markerFile,
                "Record each restart in FILE; not with --config (default: .mcp_restart_marker)",
                "FILE")
            ->excludes(config);
        addRetry(command, "--retry", m_request.watchdog.retry,
                 "Which calls in flight are retried after the server has exited (default: safe)");
        addRetry(command, "--tool-retry", m_request.watchdog.toolRetry,
                 "Which tool calls are retried after a response that reports a failure: up to 3 "
                 "times within 50s (default: safe)");
        command.add_flag_callback(
            "--no-tool-breaker", [this] { m_request.watchdog.toolBreaker = false; },
            "Do not reject calls of a tool after five failed ones in a row");
        addTimeLimit(command, "--call-timeout", m_request.watchdog.callTimeout,
                     "Answer a request with an error after this time (default: none)");
        addText(command, "--store", m_request.host.store,
                "Record events and decisions in FILE (default: mcp-SERVER-HASH.sqlite, or "
                "FILE-HASH.sqlite with --config, in ${XDG_STATE_HOME:-~/.local/state}/rekindle)",
                "FILE|off");
        addTexts(command, "--watch", m_request.globs,
                 "Restart the server when a matching file changes: * ? [...] within a name, ** for "
                 "any folders; can be repeated; not with --config",
                 "GLOB")
            ->excludes(config);
        m_request.host.addTo(command);
        m_request.host.addMetricsTo(command);
    }

    int execute(Messages &messages) override
    {
        retainFreedMemory();
        if (isGateway())
            m_policy.setPreset(QStringLiteral("stdio-backend"));
        m_request.policy = m_policy.resolve(false, messages);
        if (isGateway()) {
            const Parsed<McpServers> parsed =
                loadForGateway(m_request.configuration, m_request.host.pluginFolders,
                               m_request.policy.startTimeout);
            const bool reportsWarnings = !parsed || !m_request.host.quiet;
            messages.sayFaults(reportsWarnings ? parsed.faults + parsed.warnings : parsed.faults,
                               parsed.file);
            if (!parsed)
                return ExitCode::configuration;
            m_request.servers = parsed.value->servers;
        }
        checkEvaluator(m_request.policy, m_request.host.pluginFolders, messages);
        if (!isGateway()) {
            m_request.program = program()->front();
            m_request.arguments = program()->mid(1);
        }
        return McpSession(m_request, messages).run();
    }

private:
    [[nodiscard]] bool isGateway() const { return !m_request.configuration.isNull(); }

    PolicyOptions m_policy{QStringLiteral("mcp-proxy")};
    McpRequest m_request;
};

} // namespace

const CommandRow mcpCommand{
    .name = "mcp",
    .summary = "Keep MCP sessions open while servers are restarted",
    .help =
        R"(An editor starts this command instead of its MCP server. If the server exits, it is restarted
and the editor's handshake is replayed. The session stays open. Calls wait for the new server,
and each call gets exactly one response. A call in flight is retried if that is safe: its tool
is read-only or idempotent, or the server has not read it. Otherwise, its response is an error
that states how the server exited. Exit code 42 of the server requests a restart. Messages of
rekindle and the server's stderr go to stderr.

Without --, the server begins at the first argument that is neither an option nor the value of
an option.

Adds two tools to those of the server, except with --no-inject: restart_server (input: reason)
and verify_server_restarted (input: since_timestamp, ISO 8601).

With --config, serves several servers as one. If several servers have a tool of the same name,
that of the first server in the file has this name; the others are named SERVER__TOOL. A slow or
failed server does not delay the others: calls of its tools are answered with the reason until
it is ready again.

Examples:
  rekindle mcp -- npx -y @modelcontextprotocol/server-everything
  rekindle mcp --no-inject --call-timeout 2m -- python3 server.py
  rekindle mcp --watch 'src/**/*.py' --watch config.json -- python3 src/server.py
  rekindle mcp --config .mcp.json
  rekindle mcp --config .mcp.json --metrics 127.0.0.1:9464
  rekindle mcp --policy watchdog --events events.jsonl -- ./server --stdio
)",
    .exitCodes = {{0,
                   "the editor closed stdin or stdout, a stop was requested, or the server exited "
                   "with 0\nand its policy does not restart it"},
                  {78,
                   "invalid policy, server file or license key, no state folder for --license, or "
                   "an output\nfile exists that rekindle did not write"}},
    .note = "If a server cannot be started, the command keeps running and answers calls with the "
            "reason.\n",
    .make = makeCommand<McpCommand>,
};

} // namespace Rekindle
