// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/internal/agentwords.h"

#include "base/processes/processstat_p.h"
#include "policy/internal/texthelpers.h"
#include "policy/internal/words.h"

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <algorithm>

namespace Rekindle {

namespace {

// "to start it: rekindle start web"
QString startHint(const AgentStatus &agent)
{
    if (knownState(agent) == InstanceState::CircuitOpen)
        return releaseHint(agent);
    return QLatin1String("to start it: rekindle start ")
        + (isHeldByGroup(agent) ? QLatin1String("--group ") + agent.group : agent.agent);
}

// Why it does not run, or is started again. A start without an attempt is not a restart, so the
// last failure is not its cause.
QString causeOf(const AgentStatus &agent)
{
    if (agent.stoppedByOperator)
        return Words::ofData(stoppedByOperatorText);
    const auto state = knownState(agent);
    const bool isStart = state == InstanceState::Starting && agent.attempt == 0;
    return !agent.stopReason.isEmpty() || isStart || state == InstanceState::Running
            || state == InstanceState::Stopping || state == InstanceState::Stopped
        ? Words::ofData(agent.stopReason)
        : lastFailureText(agent);
}

} // namespace

AgentStatus statusOf(const AgentSupervisor &supervisor, const QUuid &id)
{
    const AgentSnapshot agent = supervisor.snapshot(id).value_or(AgentSnapshot());
    const Instant now = supervisor.scheduler().now();
    AgentStatus status{
        .agent = agent.name,
        .instanceId = agent.instanceId,
        .state = toText(agent.state),
        .stoppedByOperator = agent.stoppedByOperator,
        .stopReason = agent.stopReason,
        .generation = agent.generation,
        .attempt = agent.attempt,
        .maxRetries = agent.maxRetries,
        .holds = toTexts(agent.holds),
        .holdTexts = toTexts(agent.holdCauses),
        .health = {.state = toText(agent.health.state),
                   .consecutiveFailures = agent.health.consecutiveMisses,
                   .detail = agent.health.detail},
        .tags = supervisor.tags(id),
        .group = supervisor.group(id),
        .start = QLatin1String(supervisor.hasManualStart(id) ? "manual" : "auto"),
    };
    if (agent.nextStartAt)
        status.nextStartIn = *agent.nextStartAt - now;
    if (agent.startedAt)
        status.uptime = now - *agent.startedAt;
    if (agent.processId > 0) {
        status.processId = agent.processId;
        if (const auto process = ProcessStat::of(static_cast<pid_t>(agent.processId))) {
            status.cpuTime = process->cpuTime;
            status.memoryBytes = process->residentBytes;
        }
    }
    if (supervisor.policyEvaluator().policy(id).circuitBreaker) {
        const CircuitBreakerInfo &breaker = agent.circuitBreaker;
        status.breaker = {.state = toText(breaker.state),
                          .isolated = breaker.isolated,
                          .failures = breaker.failureCount};
        if (breaker.resetAt)
            status.breaker->resetIn = *breaker.resetAt - supervisor.scheduler().clock().utcNow();
    }
    if (agent.lastFailure)
        status.lastFailure = {
            .reason = toText(agent.lastFailure->reason),
            .text = failureText(agent.lastFailure->reason, agent.lastFailure->detail)};
    if (const Agent *const known = supervisor.agent(id))
        status.statusText = known->statusText();
    return status;
}

AgentStatus detailsOf(const AgentSupervisor &supervisor, const QUuid &id)
{
    AgentStatus agent = statusOf(supervisor, id);
    const auto failure = supervisor.snapshot(id).value_or(AgentSnapshot()).lastFailure;
    if (failure && agent.lastFailure)
        agent.lastFailure->stderrTail = failure->detail.stderrTail;
    return agent;
}

bool isHeldByGroup(const AgentStatus &agent)
{
    return agent.holds.contains(toTexts(Hold::Group).front());
}

QString nextStartText(const AgentStatus &agent)
{
    if (!agent.nextStartIn)
        return {};
    const bool isTrial = knownState(agent) == InstanceState::CircuitOpen;
    return (isTrial ? Words::tr("trial in %1") : Words::tr("next start in %1"))
        .arg(readable(std::max(*agent.nextStartIn, Duration{0})));
}

QString whyDown(const AgentStatus &agent)
{
    const auto state = knownState(agent);
    if (state == InstanceState::Exhausted)
        return isHeldByGroup(agent) ? Words::tr("given up with its group") : Words::tr("given up");
    if (state == InstanceState::Failed || state == InstanceState::Gated)
        return Words::tr("failed");
    if (state == InstanceState::CircuitOpen && isIsolated(agent))
        return Words::tr("isolated");
    return Words::ofData(agent.stoppedByOperator ? QString(stoppedByOperatorText)
                                                 : agent.stopReason);
}

bool staysDown(const AgentStatus &agent)
{
    const auto state = knownState(agent);
    if (state == InstanceState::Exhausted)
        return !agent.nextStartIn;
    return state && (isTerminal(*state) || state == InstanceState::CircuitOpen)
        && !whyDown(agent).isEmpty();
}

QString downText(const AgentStatus &agent, Hints hints)
{
    QString why = whyDown(agent);
    if (why == Words::ofData(finishedText)) // another start would end as well
        return why;
    const auto state = knownState(agent);
    const QString failure = state == InstanceState::Stopped || isHeldByGroup(agent)
        ? QString()
        : lastFailureText(agent);
    QStringList parts{failure.isEmpty() ? why : QStringLiteral("%1 (%2)").arg(why, failure)};
    if (state == InstanceState::Gated)
        parts.append(Words::tr("the license tier permits no restarts"));
    if (hints == Hints::Commands)
        parts.append(startHint(agent));
    return parts.join(QLatin1String("; "));
}

QString releaseHint(const AgentStatus &agent)
{
    return QLatin1String("to release it: rekindle release ") + agent.agent;
}

QString detailText(const AgentStatus &agent, Hints hints)
{
    const bool hasHints = hints == Hints::Commands;
    const bool isExhausted = knownState(agent) == InstanceState::Exhausted;
    const bool isGivenUp = isExhausted && staysDown(agent);
    // An exhausted agent does not wait: its group was given up.
    QStringList parts{nextStartText(agent),
                      isExhausted ? agent.holdTexts.join(QLatin1String("; "))
                                  : waitText(agent.holdTexts)};
    if (isGivenUp && !isHeldByGroup(agent))
        parts.append(downText(agent, hints));
    else if (isGivenUp && hasHints)
        parts.append(startHint(agent));
    if (isIsolated(agent))
        parts.append({Words::tr("isolated"), hasHints ? releaseHint(agent) : QString()});
    if (!isGivenUp || isHeldByGroup(agent))
        parts.append(causeOf(agent));
    if (isUnhealthy(agent))
        parts.append(agent.health.detail);
    if (agent.placement && agent.placement->state == QLatin1String("running"))
        parts.append(Words::tr("placed on %1").arg(agent.placement->node));
    parts.append(agent.statusText);
    parts.removeAll(QString());
    return parts.join(QLatin1String("; "));
}

bool hasHealth(const AgentStatus &agent)
{
    const auto state = knownState(agent);
    const auto health = valueOf(agentHealthStates, agent.health.state);
    return health && health != AgentHealthStatus::State::Unknown
        && (state == InstanceState::Running || state == InstanceState::Starting
            || state == InstanceState::Stopping);
}

bool isUnhealthy(const AgentStatus &agent)
{
    return hasHealth(agent) && agent.health.state == toText(AgentHealthStatus::State::Unhealthy);
}

} // namespace Rekindle
