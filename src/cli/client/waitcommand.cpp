// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentchoice_p.h"
#include "hostcommand_p.h"

namespace Rekindle {

namespace {

class WaitCommand final : public HostCommand
{
protected:
    void addOwnOptions(CLI::App &command) override
    {
        m_choice.addTo(command, "The agents", AgentChoice::Default::None);
        command.add_option("--for", m_state, "The state to wait for")
            ->required()
            ->check(CLI::IsMember({"ready", "stable", "stopped", "idle"}).description(""))
            ->type_name("ready|stable|stopped|idle");
        addDuration(command, "--timeout", m_timeout, "Wait at most this long (default: no limit)");
    }

    int executeOn(HostConnection &host, Messages & /*messages*/) override
    {
        host.waitForState(QString::fromStdString(m_state), m_choice.names(host), m_timeout);
        return ExitCode::fine;
    }

private:
    AgentChoice m_choice;
    std::string m_state;
    std::optional<Duration> m_timeout;
};

} // namespace

const CommandRow waitCommand{
    .name = "wait",
    .summary = "Wait until agents of a running host are in a state",
    .help = R"(Waits until all of these agents are in the state of --for at the same time:

  ready    the agent runs and is ready
  stable   it has also been ready for the time stableAfter of its policy
  stopped  it does not run, and no start is planned
  idle     no start or stop is planned or in progress: ready or stopped

Exits with 1 if an agent was removed. For ready and stable, also exits with 1 if an agent was given
up, has failed permanently, was stopped or has finished, if it is down and its circuit breaker is
isolated, or if the license does not permit its restart.

Examples:
  rekindle wait web --for ready --timeout 30s
  rekindle stop web && rekindle wait web --for stopped
  rekindle wait --tag backend --for stable
)",
    .exitCodes =
        hostCodes({{1, "an agent was removed, or cannot reach the state without a command"},
                   {124, "the timeout has passed"}}),
    .make = makeCommand<WaitCommand>,
};

} // namespace Rekindle
