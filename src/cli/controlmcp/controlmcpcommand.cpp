// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commands/command_p.h"
#include "controlmcpsession_p.h"

namespace Rekindle {

namespace {

class ControlMcpCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        m_choice.addTo(command);
        addText(command, "--allow", m_allowed, "operate: also offer the tools that operate agents",
                "operate")
            ->check(CLI::IsMember({"operate"}).description(""));
    }

    int execute(Messages &messages) override
    {
        return ControlMcpSession(m_choice, !m_allowed.isEmpty(), messages).run();
    }

private:
    HostChoice m_choice;
    QString m_allowed;
};

} // namespace

const CommandRow controlMcpCommand{
    .name = "control-mcp",
    .summary = "Serve the agents of a running host to an MCP client",
    .help =
        R"(Runs an MCP server on stdin and stdout. Its tools show the agents of a running host: list_agents,
explain_agent, read_logs, recent_events and wait_for. With --allow operate, it also has the tools
restart, stop, start, retry and reset.

Each call opens a new connection, so the host can be started and restarted at any time.

Examples:
  rekindle control-mcp --config agents.json
  rekindle control-mcp --config agents.json --allow operate
  rekindle control-mcp --host ssh://machine/web
)",
    .exitCodes = {{0, "the client has closed stdin or stdout, or SIGINT or SIGTERM was received"}},
    .make = makeCommand<ControlMcpCommand>,
};

} // namespace Rekindle
