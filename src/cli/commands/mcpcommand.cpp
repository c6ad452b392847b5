// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/options/evaluatoroptions_p.h"
#include "cli/options/optiontypes_p.h"
#include "cli/options/policyoptions_p.h"
#include "cli/options/retryoption_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "cli/runs/mcpgatewaysession_p.h"
#include "cli/runs/mcpserversession_p.h"
#include "commandline_p.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace Rekindle {

namespace {

constexpr char examples[] =
    "An editor starts this command instead of its MCP server. If the server exits, it is "
    "restarted\n"
    "and the editor's handshake is replayed. The session stays open; calls wait for the new "
    "server,\n"
    "and each gets exactly one response. A call that was in flight is repeated if that is safe: "
    "its\n"
    "tool is read-only or idempotent, or the server has not read it. Otherwise the response is an\n"
    "error with the reason of the exit. Exit code 42 of the server requests a restart. Messages "
    "of\n"
    "rekindle and the server's stderr go to stderr.\n"
    "\n"
    "Adds two tools to those of the server, except with --no-inject: restart_server (input: "
    "reason)\n"
    "and verify_server_restarted (input: since_timestamp, ISO 8601).\n"
    "\n"
    "With --config, serves several servers as one. A tool keeps its name for the first server of\n"
    "the file that has it, and is SERVER__TOOL for the others. A slow or failed server does not\n"
    "delay the others: calls of its tools are answered with the reason until it is ready again.\n"
    "\n"
    "Examples:\n"
    "  rekindle mcp -- npx -y @modelcontextprotocol/server-everything\n"
    "  rekindle mcp --no-inject --call-timeout 2m -- python3 server.py\n"
    "  rekindle mcp --watch 'src/**/*.py' --watch config.json -- python3 src/server.py\n"
    "  rekindle mcp --config .mcp.json\n"
    "  rekindle mcp --policy watchdog --events events.jsonl -- ./server --stdio\n"
    "\n"
    "Exit codes:\n"
    "  0   the editor closed stdin or stdout, a stop was requested, or the server exited with 0\n"
    "      and its policy does not restart it\n"
    "  1   stdout cannot be written\n"
    "  64  usage\n"
    "  78  invalid policy or file\n"
    "If a server cannot be started, the command keeps running and answers calls with the reason.\n";

// The C library would return the memory of every large message to the system, and getting it back
// takes longer than processing the message. The limit keeps the unused memory at about a request
// and a response of 1 MiB.
void retainFreedMemory()
{
#ifdef __GLIBC__
    constexpr int mebibyte = 1024 * 1024;
    ::mallopt(M_MMAP_THRESHOLD, 8 * mebibyte);
    ::mallopt(M_TRIM_THRESHOLD, 3 * mebibyte);
#endif
}

class McpCommand final : public Command
{
public:
    explicit McpCommand(const ProgramArguments &program)
        : m_program(program)
    {
    }

    void addTo(CLI::App &parser) override
    {
        CLI::App *command =
            parser.add_subcommand("mcp", "Keep MCP sessions open while servers are restarted");
        expectProgram(*command, m_program,
                      "rekindle mcp [OPTIONS] -- SERVER [ARG...]\n"
                      "       rekindle mcp [OPTIONS] --config FILE",
                      "server", [this] { return !m_config.isNull(); });
        command->parse_complete_callback([this] { checkConfig(); });
        command->footer(examples);
        addText(*command, "--config", m_config,
                "Serve all MCP servers of this file as one: mcpServers of Claude and Cursor, "
                "servers of VS Code. Their base policy is stdio-backend",
                "FILE");
        addDuration(
            *command, "--list-wait", m_listWait,
            "With --config: time that the first lists wait for starting servers (default: 2s)");
        m_policy.addTo(*command);
        command->add_flag_callback(
            "--no-inject", [this] { m_request.watchdog.inject = false; },
            "Do not add restart_server and verify_server_restarted");
        addText(*command, "--marker", m_request.watchdog.markerFile,
                "Record each restart in FILE; not with --config (default: .mcp_restart_marker)",
                "FILE");
        addRetryOption(*command, m_request.watchdog.retry,
                       "Which calls are repeated after their server exited (default: safe)");
        addTimeLimit(*command, "--call-timeout", m_request.watchdog.callTimeout,
                     "Answer a request with an error after this time (default: none)");
        addText(*command, "--events", m_request.common.events,
                "Append every event as a line of JSON to FILE in an existing folder; - is stderr",
                "FILE|-");
        addText(*command, "--store", m_request.common.store,
                "Record events and decisions in FILE (default: mcp-SERVER-HASH.sqlite, or "
                "FILE-HASH.sqlite with --config, in ${XDG_STATE_HOME:-~/.local/state}/rekindle)",
                "FILE|off");
        command
            ->add_option_function<std::vector<std::string>>(
                "--watch",
                [this](const std::vector<std::string> &globs) {
                    for (const std::string &glob : globs)
                        m_request.globs.append(QString::fromStdString(glob));
                },
                "Restart the server when a matching file changes: * ? [...] within a name, ** for "
                "any "
                "folders; can be repeated; not with --config")
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
            ->allow_extra_args(false) // otherwise the parser reads [ab] as a list
            ->type_name("GLOB");
        m_request.common.license.addTo(*command);
        addEvaluatorOption(*command, m_request.common.pluginFolders);
        command->add_flag("--quiet", m_request.common.quiet,
                          "Print no messages about failures and restarts");
    }

    int execute(Messages &messages) override
    {
        retainFreedMemory();
        if (!m_config.isNull())
            return serveConfiguration(messages);
        auto policy = m_policy.resolve(false, messages);
        if (const int *code = std::get_if<int>(&policy))
            return *code;
        m_request.policy = std::get<RestartPolicy>(policy);
        const QList<Fault> faults =
            evaluatorFaults(m_request.policy, m_request.common.pluginFolders);
        for (const Fault &fault : faults)
            messages.say(QLatin1String("policy: ") + fault.toString());
        if (hasErrors(faults))
            return ExitCode::configuration;
        m_request.program = m_program->front();
        m_request.arguments = m_program->mid(1);
        return McpServerSession(std::move(m_request), messages).run();
    }

private:
    int serveConfiguration(Messages &messages)
    {
        Parsed<McpServers> parsed = loadMcpServers(m_config);
        const bool reportsWarnings = !parsed || !m_request.common.quiet;
        messages.sayFaults(reportsWarnings ? parsed.faults + parsed.warnings : parsed.faults,
                           parsed.file);
        if (!parsed)
            return ExitCode::configuration;
        m_policy.setPreset(QStringLiteral("stdio-backend"));
        auto policy = m_policy.resolve(false, messages);
        if (const int *code = std::get_if<int>(&policy))
            return *code;
        McpGatewayRequest request;
        request.policy = std::get<RestartPolicy>(policy);
        request.servers = parsed.value->servers;
        if (!areEvaluatorsValid(request, parsed.file, messages))
            return ExitCode::configuration;
        request.common = m_request.common;
        request.configuration = m_config;
        request.retry = m_request.watchdog.retry;
        request.callTimeout = m_request.watchdog.callTimeout;
        request.gateway.inject = m_request.watchdog.inject;
        request.gateway.listTime = m_listWait.value_or(request.gateway.listTime);
        return McpGatewaySession(std::move(request), messages).run();
    }

    [[nodiscard]] bool areEvaluatorsValid(const McpGatewayRequest &request, const QString &file,
                                          Messages &messages) const
    {
        QList<Fault> faults = evaluatorFaults(request.policy, m_request.common.pluginFolders);
        for (const Fault &fault : std::as_const(faults))
            messages.say(QLatin1String("policy: ") + fault.toString());
        for (const McpServerDefinition &server : request.servers) {
            if (!server.policy)
                continue;
            QList<Fault> own = evaluatorFaults(*server.policy, m_request.common.pluginFolders);
            for (Fault &fault : own) {
                fault.path.prepend(server.pointer + QLatin1String("/policy"));
                fault.line = server.line;
                fault.column = server.column;
            }
            messages.sayFaults(own, file);
            faults += own;
        }
        return !hasErrors(faults);
    }

    void checkConfig() const
    {
        if (m_config.isNull()) {
            if (m_listWait)
                throw CLI::ValidationError("--list-wait", "requires --config");
            return;
        }
        if (m_program)
            throw CLI::ValidationError("--config excludes a server after --");
        const auto refuse = [](bool isGiven, const char *option) {
            if (isGiven)
                throw CLI::ValidationError(option, "not valid with --config");
        };
        refuse(m_request.watchdog.markerFile != WatchdogOptions().markerFile, "--marker");
        refuse(!m_request.globs.isEmpty(), "--watch");
    }

    const ProgramArguments &m_program;
    PolicyOptions m_policy{QStringLiteral("mcp-proxy")};
    McpServerRequest m_request;
    QString m_config; ///< null: not given
    std::optional<Duration> m_listWait;
};

} // namespace

std::unique_ptr<Command> makeMcpCommand(const ProgramArguments &program)
{
    return std::make_unique<McpCommand>(program);
}

} // namespace Rekindle
