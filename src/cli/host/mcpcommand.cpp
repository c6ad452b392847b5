// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commands/command_p.h"
#include "cli/options/evaluatoroptions_p.h"
#include "cli/options/policyoptions_p.h"
#include "mcpsession_p.h"

#include <cstdlib>
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
        if (isGateway()) {
            const Parsed<McpServers> parsed =
                loadForGateway(m_request.configuration, m_request.host.pluginFolders);
            const bool reportsWarnings = !parsed || !m_request.host.quiet;
            messages.sayFaults(reportsWarnings ? parsed.faults + parsed.warnings : parsed.faults,
                               parsed.file);
            if (!parsed)
                return ExitCode::configuration;
            m_request.servers = parsed.value->servers;
            m_policy.setPreset(QStringLiteral("stdio-backend"));
        }
        if (const int code = m_policy.resolve(m_request.policy, false, messages))
            return code;
        if (!isEvaluatorValid(m_request.policy, m_request.host.pluginFolders, messages))
            return ExitCode::configuration;
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
