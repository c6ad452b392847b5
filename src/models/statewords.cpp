// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "models/internal/statewords.h"

#include "control/internal/agentwords.h"

namespace Rekindle {

QString StateWords::ofState(const QString &state)
{
    const std::optional<InstanceState> known = valueOf(instanceStates, state);
    if (!known)
        return state;
    switch (*known) {
    case InstanceState::Stopped:
        return tr("Stopped");
    case InstanceState::Starting:
        return tr("Starting");
    case InstanceState::Running:
        return tr("Running");
    case InstanceState::Waiting:
        return tr("Waiting");
    case InstanceState::CircuitOpen:
        return tr("Circuit open");
    case InstanceState::Evaluating:
        return tr("Evaluating");
    case InstanceState::Stopping:
        return tr("Stopping");
    case InstanceState::Exhausted:
        return tr("Exhausted");
    case InstanceState::Failed:
        return tr("Failed");
    case InstanceState::Gated:
        return tr("Gated");
    }
    return state;
}

QString StateWords::ofBreaker(const QString &state)
{
    const std::optional<CircuitBreakerState> known = valueOf(circuitBreakerStates, state);
    if (!known)
        return state;
    switch (*known) {
    case CircuitBreakerState::Closed:
        return tr("Closed");
    case CircuitBreakerState::Open:
        return tr("Open");
    case CircuitBreakerState::HalfOpen:
        return tr("Half-open");
    }
    return state;
}

QString StateWords::ofHealth(const QString &state)
{
    using Health = AgentHealthStatus::State;
    const std::optional<Health> known = valueOf(agentHealthStates, state);
    if (known == Health::Unknown)
        return tr("Unknown");
    if (known == Health::Healthy)
        return tr("Healthy");
    if (known == Health::Unhealthy)
        return tr("Unhealthy");
    return state;
}

QString StateWords::spoken(const AgentStatus &agent)
{
    QStringList parts{agent.agent, ofState(agent.state).toLower()};
    if (agent.uptime)
        parts.append(tr("for %1").arg(readable(*agent.uptime)));
    if (isUnhealthy(agent))
        parts.append(ofHealth(agent.health.state).toLower());
    parts.append(detailText(agent));
    parts.removeAll(QString());
    return parts.join(QLatin1String(", "));
}

QString StateWords::toolTip(const AgentStatus &agent)
{
    QStringList lines{tr("%1: %2").arg(agent.agent, ofState(agent.state)), detailText(agent)};
    if (agent.uptime)
        lines.append(tr("Uptime: %1").arg(readable(*agent.uptime)));
    if (hasHealth(agent))
        lines.append(tr("Health: %1").arg(ofHealth(agent.health.state)));
    if (agent.breaker)
        lines.append(tr("Circuit breaker: %1").arg(ofBreaker(agent.breaker->state)));
    if (agent.lastFailure)
        lines.append(tr("Last failure: %1").arg(lastFailureText(agent)));
    lines.removeAll(QString());
    for (QString &each : lines)
        each = each.toHtmlEscaped(); // an agent may have written it
    return QLatin1String("<qt>") + lines.join(QLatin1String("<br>")) + QLatin1String("</qt>");
}

} // namespace Rekindle
