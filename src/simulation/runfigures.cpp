// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "runfigures_p.h"

#include <utility>

namespace Rekindle {

std::size_t RunFigures::addAgent(const QString &name)
{
    m_agents.emplace_back(name, m_recordsSpans);
    return m_agents.size() - 1;
}

QStringList RunFigures::names() const
{
    QStringList names;
    for (const Tracked &each : m_agents)
        names.append(each.result.name);
    return names;
}

void RunFigures::onStarted(std::size_t agent, int node)
{
    Tracked &tracked = m_agents[agent];
    ++tracked.result.starts;
    const int before = std::exchange(tracked.lastNode, node);
    if (tracked.result.moves && before != -1 && before != node)
        ++*tracked.result.moves;
}

void RunFigures::onCopies(std::size_t agent, int copies, Duration now)
{
    Tracked &tracked = m_agents[agent];
    if (copies > 1 && !tracked.twoCopiesSince)
        tracked.twoCopiesSince = now;
    else if (copies <= 1 && tracked.twoCopiesSince)
        tracked.result.twoCopies += now - *std::exchange(tracked.twoCopiesSince, std::nullopt);
}

void RunFigures::onFailed(std::size_t agent, Duration now)
{
    SimulationResult::Agent &result = m_agents[agent].result;
    ++result.failures;
    if (m_recordsSpans)
        result.failedAt.append(now);
}

void RunFigures::onRestart(Duration now)
{
    ++m_result.restarts;
    m_inSecond.add(now);
    m_inTenth.add(now);
}

void RunFigures::onViolation(const QString &text, Duration now)
{
    if (!m_result.violatingPrefix)
        m_result.violatingPrefix = {m_result.inputs, m_steps, now};
    constexpr qsizetype most = 100;
    if (m_result.violations.size() < most)
        m_result.violations.append(text);
}

void RunFigures::onOutcome(std::size_t agent, const Outcome &outcome, const Instance &instance,
                           Duration now)
{
    using Kind = InstanceEvent::Kind;
    onInput();
    for (int i = 0; i < outcome.eventCount; ++i) {
        const InstanceEvent &event = outcome.events[static_cast<std::size_t>(i)];
        if (event.kind == Kind::AgentStarted)
            onStarted(agent);
        else if (event.kind == Kind::AgentFailed)
            onFailed(agent, now);
        else if (event.kind == Kind::RestartStarted)
            onRestart(now);
        else if (event.kind == Kind::CircuitBreakerStateChanged)
            onBreaker(agent, event.newState, now);
    }
    onState(agent, instance.state, now);
    setAttempts(agent, instance.policy->maxRetries, instance.attempt);
}

void RunFigures::onRemoved(std::size_t agent, Duration now)
{
    onState(agent, InstanceState::Stopped, now);
    onBreaker(agent, CircuitBreakerState::Closed, now);
}

void RunFigures::setAttempts(std::size_t agent, std::optional<int> maxRetries, int made)
{
    m_agents[agent].result.attemptsLeft =
        maxRetries ? std::optional(*maxRetries - made) : std::nullopt;
}

SimulationResult RunFigures::finish(quint64 seed, Duration length)
{
    m_result.seed = seed;
    m_result.length = length;
    m_result.herdInSecond = m_inSecond.worst();
    m_result.herdInTenth = m_inTenth.worst();
    for (std::size_t i = 0; i < m_agents.size(); ++i)
        onCopies(i, 0, length);
    for (Tracked &each : m_agents) {
        each.phases.finish(length);
        m_result.agents.append(std::move(each.result));
    }
    return std::move(m_result);
}

} // namespace Rekindle
