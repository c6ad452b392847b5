// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "policy/internal/words.h"

#include <rekindle/control/controlmessages.h>
#include <rekindle/control/export.h>

// What an agent does now and what happens next, in the words that all tables, messages and
// responses use. The agent is one of this host or of another one.

namespace Rekindle {

class AgentSupervisor;

/// An agent of this host.
[[nodiscard]] REKINDLE_CONTROL_EXPORT AgentStatus statusOf(const AgentSupervisor &supervisor,
                                                           const QUuid &id);
/// The same with the last lines on stderr. Those of all agents would be too much for one response.
[[nodiscard]] AgentStatus detailsOf(const AgentSupervisor &supervisor, const QUuid &id);

/// Nothing for a state of a newer host.
[[nodiscard]] inline std::optional<InstanceState> knownState(const AgentStatus &agent)
{
    return valueOf(instanceStates, agent.state);
}

/// "ProcessCrash: exit code 1"
[[nodiscard]] inline QString lastFailureText(const AgentStatus &agent)
{
    return agent.lastFailure ? Words::ofData(agent.lastFailure->text) : QString();
}

[[nodiscard]] inline bool isIsolated(const AgentStatus &agent)
{
    return agent.breaker && agent.breaker->isolated;
}

[[nodiscard]] REKINDLE_CONTROL_EXPORT bool isHeldByGroup(const AgentStatus &agent);

/// "next start in 5s", "trial in 4m"; empty if none is planned.
[[nodiscard]] REKINDLE_CONTROL_EXPORT QString nextStartText(const AgentStatus &agent);

/// Why it stops, has stopped, was given up or is not restarted: "stopped by an operator". Empty if
/// it runs or can be started without a command.
[[nodiscard]] REKINDLE_CONTROL_EXPORT QString whyDown(const AgentStatus &agent);

/// Whether it is not started without a command.
[[nodiscard]] REKINDLE_CONTROL_EXPORT bool staysDown(const AgentStatus &agent);

/// "to release it: rekindle release web", of an agent that is isolated.
[[nodiscard]] QString releaseHint(const AgentStatus &agent);

/// What a text about an agent that stays down or is isolated ends with. `rekindle` prints the
/// command that starts or releases it; a window has actions for this.
enum class Hints { None, Commands };

/// Of an agent that stays down, with the failure and with a license tier that permits no restarts:
/// "given up (ProcessCrash: exit code 1)", with hints "...; to start it: rekindle start web".
[[nodiscard]] REKINDLE_CONTROL_EXPORT QString downText(const AgentStatus &agent, Hints hints);

/// Everything on one line, as in `rekindle status`: the next start, what it waits for, the cause of
/// the state, the failure of a probe and the status text of the agent.
[[nodiscard]] REKINDLE_CONTROL_EXPORT QString detailText(const AgentStatus &agent,
                                                         Hints hints = Hints::None);

/// Whether it has a process whose health is known. The health of an earlier process is ignored.
[[nodiscard]] REKINDLE_CONTROL_EXPORT bool hasHealth(const AgentStatus &agent);
[[nodiscard]] REKINDLE_CONTROL_EXPORT bool isUnhealthy(const AgentStatus &agent);

} // namespace Rekindle
