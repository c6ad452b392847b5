// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/agentnow.h"

#include "policy/internal/texthelpers.h"

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <algorithm>

namespace Rekindle {

AgentNow AgentNow::of(const AgentSupervisor &supervisor, const QUuid &id)
{
    const AgentSnapshot agent = supervisor.snapshot(id).value_or(AgentSnapshot());
    AgentNow now{.name = agent.name,
                 .group = supervisor.group(id),
                 .state = agent.state,
                 .stoppedByOperator = agent.stoppedByOperator,
                 .stopReason = agent.stopReason,
                 .attempt = agent.attempt,
                 .maxRetries = agent.maxRetries,
                 .holdTexts = toTexts(agent.holdCauses),
                 .isHeldByGroup = agent.holds.testFlag(Hold::Group),
                 .isIsolated = agent.circuitBreaker.isolated,
                 .health = agent.health.state,
                 .healthDetail = agent.health.detail};
    if (agent.nextStartAt)
        now.nextStart = *agent.nextStartAt - supervisor.scheduler().now();
    if (agent.lastFailure)
        now.lastFailure = failureText(agent.lastFailure->reason, agent.lastFailure->detail);
    if (const Agent *const known = supervisor.agent(id))
        now.statusText = known->statusText();
    return now;
}

QString AgentNow::nextText() const
{
    if (!nextStart)
        return {};
    const bool isTrial = state == InstanceState::CircuitOpen;
    return (isTrial ? QLatin1String("trial in ") : QLatin1String("next start in "))
        + readable(std::max(*nextStart, Duration{0}));
}

QString AgentNow::whyDown() const
{
    switch (state) {
    case InstanceState::Exhausted:
        return isHeldByGroup ? QStringLiteral("given up with its group")
                             : QStringLiteral("given up");
    case InstanceState::Failed:
    case InstanceState::Gated:
        return QStringLiteral("failed");
    default:
        return stoppedByOperator ? stoppedByOperatorText : stopReason;
    }
}

QString AgentNow::downText() const
{
    const bool isByFailure = isTerminal(state) && state != InstanceState::Stopped;
    const bool hasFailure = isByFailure && !isHeldByGroup && !lastFailure.isEmpty();
    const bool isGated = state == InstanceState::Gated;
    return whyDown() + (hasFailure ? QStringLiteral(" (%1)").arg(lastFailure) : QString())
        + (isGated ? QLatin1String("; the license tier permits no restarts") : QLatin1String());
}

bool AgentNow::staysDown() const
{
    if (state == InstanceState::Exhausted)
        return !nextStart;
    return isTerminal(state) && !whyDown().isEmpty();
}

QString AgentNow::startHint() const
{
    return QLatin1String("to start it: rekindle start ")
        + (isHeldByGroup ? QLatin1String("--group ") + group : name);
}

bool AgentNow::hasHealth() const
{
    return health != AgentHealthStatus::State::Unknown
        && (state == InstanceState::Running || state == InstanceState::Starting
            || state == InstanceState::Stopping);
}

// Why it does not run, or is started again. A start without an attempt is not a restart, so the
// last failure is not its cause.
QString AgentNow::cause() const
{
    const bool isStart = state == InstanceState::Starting && attempt == 0;
    if (stoppedByOperator || !stopReason.isEmpty())
        return stoppedByOperator ? stoppedByOperatorText : stopReason;
    return isStart || state == InstanceState::Running || state == InstanceState::Stopping
            || state == InstanceState::Stopped
        ? QString()
        : lastFailure;
}

QString AgentNow::text() const
{
    const bool isGivenUp = state == InstanceState::Exhausted && staysDown();
    // An exhausted agent does not wait: its group was given up.
    const QString held = state == InstanceState::Exhausted ? holdTexts.join(QLatin1String("; "))
                                                           : waitText(holdTexts);
    QStringList parts{nextText(), held};
    if (isGivenUp && !isHeldByGroup)
        parts.append(downText());
    if (isGivenUp)
        parts.append(startHint());
    if (isIsolated)
        parts.append(QLatin1String("isolated; to release it: rekindle release ") + name);
    if (!isGivenUp || isHeldByGroup)
        parts.append(cause());
    if (isUnhealthy())
        parts.append(healthDetail);
    parts.append(statusText);
    parts.removeAll(QString());
    return parts.join(QLatin1String("; "));
}

} // namespace Rekindle
