// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/output/terminal_p.h"
#include "hostcommand_p.h"
#include "topsession_p.h"

#include <unistd.h>

namespace Rekindle {

namespace {

class TopCommand final : public HostCommand
{
protected:
    void addOwnOptions(CLI::App &command) override
    {
        addTimeLimit(command, "--interval", m_interval, "Time between two updates (default: 1s)");
    }

    int executeOn(HostConnection &host, Messages &messages) override
    {
        if (!Terminal::isLive() || !Terminal::isTerminal(STDIN_FILENO))
            return messages.fail(ExitCode::usage,
                                 QStringLiteral("top: stdin or stdout is not a terminal; use "
                                                "`rekindle status` or `rekindle status --watch`"));
        const int code =
            TopSession(host.client(), messages, m_interval.value_or(std::chrono::seconds(1))).run();
        return host.exitCode() != ExitCode::fine ? host.exitCode() : code;
    }

private:
    std::optional<Duration> m_interval;
};

} // namespace

const CommandRow topCommand{
    .name = "top",
    .summary = "Show and operate the agents of a running host in full screen",
    .help = R"(Shows the agents of a running host in full screen. Keys:

  Up, Down, PageUp, PageDown, Home, End, j, k   select an agent
  r          restart the selected agent, without a confirmation
  s          stop it, after a confirmation with y
  t          start it
  b          reset its circuit breaker
  l          show its output
  e, Enter   show its state and its last failure
  Escape     close the lower part of the screen, or clear the filter
  /          show only the agents whose names contain a text
  q, Ctrl-C  quit

The lower part of the screen follows the selection. The first line also shows the groups that do not
run or in which members have failed, and the shared breakers that are not closed.

Examples:
  rekindle top
  rekindle top --config agents.json
  rekindle top --interval 5s
)",
    .exitCodes = hostCodes({{1, "stdout cannot be written"}}, Names::NoAgents),
    .make = makeCommand<TopCommand>,
};

} // namespace Rekindle
