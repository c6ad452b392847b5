// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/options/evaluatoroptions_p.h"
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
    "An editor starts this instead of its MCP server. When the server dies it is started anew and\n"
    "taken through the editor's own handshake: the session stays up, calls made meanwhile wait,\n"
    "and each gets exactly one answer. A call that was under way is made again where that is safe\n"
    "(its tool says it is read-only or idempotent, or the server has not read it); else it is\n"
    "answered with an error that says how the server ended. Exit 42 of the server asks for a\n"
    "restart. rekindle and the server's stderr speak on stderr.\n"
    "\n"
    "Unless --no-inject is given the server's tools are joined by restart_server (input: reason)\n"
    "and verify_server_restarted (input: since_timestamp, ISO 8601).\n"
    "\n"
    "With --config many servers are one to the editor. A tool keeps its name with the first "
    "server\n"
    "of the file that has it, and is SERVER__TOOL with the others. A server that is slow or dead\n"
    "delays nobody: its tools are answered with the reason until it is back.\n"
    "\n"
    "Examples:\n"
    "  rekindle mcp -- npx -y @modelcontextprotocol/server-everything\n"
    "  rekindle mcp --no-inject --call-timeout 2m -- python3 server.py\n"
    "  rekindle mcp --watch 'src/**/*.py' --watch config.json -- python3 src/server.py\n"
    "  rekindle mcp --config .mcp.json\n"
    "  rekindle mcp --policy watchdog --events events.jsonl -- ./server --stdio\n"
    "\n"
    "Exit codes: 0 the editor has closed stdin, a stop was asked for, or the server has ended "
    "with\n"
    "0 under a policy that does not restart it then; 1 stdout cannot be written, for another\n"
    "reason than that nobody reads it; 64 usage; 78 the policy or the file has a fault. A server\n"
    "that cannot be started does not end it: the editor is told why, call by call.\n";

// Large messages come and go: without this the C library gives their memory back to the system
// each time, and fetching it again page by page takes longer than all that is done with them. What
// is kept unused counts as this process's size, though: little more than a question and an answer
// of 1 MiB.
void keepMemory()
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
            parser.add_subcommand("mcp", "Keep an MCP server running under a session that stays");
        expectProgram(*command, m_program,
                      "rekindle mcp [OPTIONS] -- SERVER [ARG...]\n"
                      "       rekindle mcp [OPTIONS] --config FILE",
                      "server", [this] { return !m_config.isNull(); });
        command->parse_complete_callback([this] { checkConfig(); });
        command->footer(examples);
        addText(*command, "--config", m_config,
                "Serve all MCP servers of this file as one: mcpServers of Claude and Cursor, "
                "servers of VS Code. Their policy begins with stdio-backend",
                "FILE");
        addDuration(*command, "--list-wait", m_listWait,
                    "With --config: how long the first lists wait for servers that are still "
                    "coming up (default: 2s)");
        m_policy.addTo(*command);
        command->add_flag_callback(
            "--no-inject", [this] { m_request.watchdog.inject = false; },
            "Do not offer restart_server and verify_server_restarted");
        addText(*command, "--marker", m_request.watchdog.markerFile,
                "Where each restart is recorded; not with --config (default: .mcp_restart_marker)",
                "FILE");
        addRetryOption(*command, m_request.watchdog.retry,
                       "Whether a call is made again whose server died (default: safe)");
        addTimeLimit(*command, "--call-timeout", m_request.watchdog.callTimeout,
                     "Answer a request with an error after this time (default: never)");
        addText(*command, "--events", m_request.common.events,
                "Append every event as a line of JSON; - is stderr. The folder must be there",
                "FILE|-");
        addText(*command, "--store", m_request.common.store,
                "Where events and decisions are kept (default: mcp-SERVER-HASH.sqlite, or "
                "FILE-HASH.sqlite with --config, in ${XDG_STATE_HOME:-~/.local/state}/rekindle)",
                "FILE|off");
        command
            ->add_option_function<std::vector<std::string>>(
                "--watch",
                [this](const std::vector<std::string> &globs) {
                    for (const std::string &glob : globs)
                        m_request.globs.append(QString::fromStdString(glob));
                },
                "Restart the server when such a file changes: * ? [...] within a name, ** for any "
                "folders; may be given several times; not with --config")
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
            ->allow_extra_args(false) // else [ab] is a list of the parser's
            ->type_name("GLOB");
        m_request.common.license.addTo(*command);
        addEvaluatorOption(*command, m_request.common.pluginFolders);
        command->add_flag("--quiet", m_request.common.quiet,
                          "Say nothing about failures and restarts");
    }

    int execute(Messages &messages) override
    {
        keepMemory();
        if (!m_config.isNull())
            return serveMany(messages);
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
    int serveMany(Messages &messages)
    {
        Parsed<McpServers> parsed = loadMcpServers(m_config);
        const bool saysAll = !parsed || !m_request.common.quiet;
        messages.sayFaults(saysAll ? parsed.faults + parsed.warnings : parsed.faults, parsed.file);
        if (!parsed)
            return ExitCode::configuration;
        m_policy.setPreset(QStringLiteral("stdio-backend"));
        auto policy = m_policy.resolve(false, messages);
        if (const int *code = std::get_if<int>(&policy))
            return *code;
        McpGatewayRequest request;
        request.policy = std::get<RestartPolicy>(policy);
        request.servers = parsed.value->servers;
        if (!areEvaluatorsThere(request, parsed.file, messages))
            return ExitCode::configuration;
        request.common = m_request.common;
        request.configuration = m_config;
        request.retry = m_request.watchdog.retry;
        request.callTimeout = m_request.watchdog.callTimeout;
        request.gateway.inject = m_request.watchdog.inject;
        request.gateway.listTime = m_listWait.value_or(request.gateway.listTime);
        return McpGatewaySession(std::move(request), messages).run();
    }

    [[nodiscard]] bool areEvaluatorsThere(const McpGatewayRequest &request, const QString &file,
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
                throw CLI::ValidationError("--list-wait", "only with --config");
            return;
        }
        if (m_program)
            throw CLI::ValidationError("found --config and a server after --, allowed one of them");
        const auto refuse = [](bool isGiven, const char *option) {
            if (isGiven)
                throw CLI::ValidationError(option, "not with --config: it is for one server");
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
