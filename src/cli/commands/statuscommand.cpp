// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/control/hostchoice_p.h"
#include "cli/control/hostconnection_p.h"
#include "cli/control/statustext_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "commandline_p.h"
#include "json/jsontext.h"

#include <CLI/CLI.hpp>

namespace Rekindle {

namespace {

constexpr char statusExamples[] =
    R"(Shows the agents of a running host: state, process, uptime, restarts of this sequence and
their limit, circuit breaker, health, and what happens next.

Examples:
  rekindle status
  rekindle status web worker
  rekindle status --config agents.json
  rekindle status --json | jq -r '.agents[] | select(.state != "Running").agent'

Exit codes:
  0   success
  1   stdout cannot be written
  64  usage, several hosts, or an unknown agent
  69  no running host, or it does not respond
  75  the host has too many clients
  76  the host supports another protocol
  77  no permission
)";

class StatusCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        command.footer(statusExamples);
        command.add_option("AGENT", m_agents, "Only these agents (default: all)");
        command.add_flag("--json", m_json, "Print one JSON object");
        m_choice.addTo(command);
    }

    int execute(Messages &messages) override
    {
        int exitCode = ExitCode::fine;
        const std::optional<QString> socket = m_choice.choose(messages, exitCode);
        if (!socket)
            return exitCode;
        HostConnection host(messages);
        if (!host.open(*socket))
            return host.exitCode();
        QJsonArray names;
        for (const std::string &each : m_agents)
            names.append(QString::fromStdString(each));
        QJsonObject params;
        if (!names.isEmpty())
            params[QLatin1String("agents")] = names;
        const auto result = host.request(QStringLiteral("agents.list"), params);
        if (!result)
            return host.exitCode();
        return print(messages,
                     m_json ? indentedJson(toJson(result->toObject()))
                            : statusText((*result)[QLatin1String("agents")].toArray()));
    }

private:
    HostChoice m_choice;
    std::vector<std::string> m_agents;
    bool m_json = false;
};

} // namespace

std::unique_ptr<Command> makeStatusCommand() { return std::make_unique<StatusCommand>(); }

} // namespace Rekindle
