// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/control/statustext_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "hostcommand_p.h"
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
)";

class StatusCommand final : public HostCommand
{
protected:
    void addOwnOptions(CLI::App &command) override
    {
        command.footer(helpOf(statusExamples, "stdout cannot be written"));
        command.add_option("AGENT", m_agents, "Only these agents (default: all)");
        command.add_flag("--json", m_json, "Print one JSON object");
    }

    int executeOn(HostConnection &host, Messages &messages) override
    {
        QJsonObject params;
        if (!m_agents.empty())
            params[QLatin1String("agents")] = namesOf(m_agents);
        const auto result = host.request(QStringLiteral("agents.list"), params);
        if (!result)
            return host.exitCode();
        return print(messages,
                     m_json ? indentedJson(toJson(result->toObject()))
                            : statusText((*result)[QLatin1String("agents")].toArray()));
    }

private:
    std::vector<std::string> m_agents;
    bool m_json = false;
};

} // namespace

std::unique_ptr<Command> makeStatusCommand() { return std::make_unique<StatusCommand>(); }

} // namespace Rekindle
