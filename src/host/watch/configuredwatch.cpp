// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "configuredwatch_p.h"
#include "lifecycle/internal/evaluatorport.h"

namespace Rekindle {

ConfiguredWatch::ConfiguredWatch(AgentSupervisor &supervisor)
    : m_supervisor(supervisor)
    , m_agents(supervisor.scheduler(), [this](const QString &agent, const QString &reason) {
        return restart(agent, reason);
    })
{
    connect(&m_agents, &WatchedAgents::faulted, this,
            [this](const QString &text) { Q_EMIT noted(QLatin1String("watch: ") + text); });
    connect(&m_agents, &WatchedAgents::delayed, this, &ConfiguredWatch::noted);
}

void ConfiguredWatch::apply(const Configuration &configuration, const QStringList &ignored)
{
    QMap<QString, QStringList> globs;
    for (const AgentDefinition &each : configuration.agents) {
        if (!each.watch.isEmpty())
            globs.insert(each.name, each.watch);
    }
    m_agents.watch(globs, ignored);
    m_restarts.removeIf([this](const auto &each) { return !m_agents.contains(each.key()); });
}

bool ConfiguredWatch::canStart(const QUuid &agent) const
{
    const auto snapshot = m_supervisor.snapshot(agent);
    return snapshot && m_agents.contains(snapshot->name)
        && (snapshot->state == InstanceState::Exhausted || snapshot->state == InstanceState::Failed)
        && !snapshot->circuitBreaker.isolated;
}

// Returns false if the limit of the policy rejects the restart now.
bool ConfiguredWatch::restart(const QString &agent, const QString &reason)
{
    if (m_supervisor.isStopping())
        return true;
    const QUuid id = m_supervisor.idOf(agent);
    const auto snapshot = m_supervisor.snapshot(id);
    // Other agents run, were given up, or have a pending restart.
    if (!snapshot || snapshot->state == InstanceState::Stopped
        || snapshot->state == InstanceState::Stopping || snapshot->state == InstanceState::Gated)
        return true;
    if (snapshot->circuitBreaker.isolated) {
        Q_EMIT noted(QStringLiteral("%1: %2; not restarted: its circuit breaker is isolated")
                         .arg(agent, reason));
        return true;
    }
    RestartPolicyEvaluator &evaluator = m_supervisor.policyEvaluator();
    const auto &limit = evaluator.policy(id).requestLimit;
    const Instant now = m_supervisor.scheduler().now();
    SlidingWindow &restarts = m_restarts[agent];
    restarts.resize(limit.count, limit.period);
    if (restarts.isFull(now))
        return false;
    if (snapshot->state != InstanceState::Starting && snapshot->state != InstanceState::Running)
        m_supervisor.restart(id, reason, true);
    else if (!EvaluatorPort(evaluator).reportRestartRequested(id, snapshot->generation, reason,
                                                              true))
        return false;
    m_restarts[agent].add(now);
    return true;
}

} // namespace Rekindle
