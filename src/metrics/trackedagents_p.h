// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "agentseries_p.h"
#include "metricsregistry_p.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <QHash>

#include <unordered_map>

namespace Rekindle {

/// The tracked instances with their series, and the series of all instances together.
class TrackedAgents
{
public:
    TrackedAgents(RestartPolicyEvaluator &evaluator, int maxAgents);
    Q_DISABLE_COPY_MOVE(TrackedAgents)

    void track(const QUuid &id);
    void forget(const QUuid &id);

    void count(const LifecycleEvent &event);
    void countDecision(const QUuid &id, const RestartDecision &decision);
    void count(const ToolCallFinished &call);
    void countLateResult(const QUuid &id);
    void setState(const QUuid &id, InstanceState state);

    [[nodiscard]] MetricFamilies &families() { return m_families; }
    [[nodiscard]] const std::shared_ptr<MetricsRegistry> &registry() const { return m_registry; }

private:
    // An instance with its series, and the values that further events need.
    struct Tracked
    {
        std::string name;
        std::shared_ptr<AgentSeries> series;
        bool sharesSeries = false; ///< the series of _other
        InstanceState state = InstanceState::Stopped;
        CircuitBreakerState breaker = CircuitBreakerState::Closed;
        RestartPolicyType policy = RestartPolicyType::None;
        FailureReason lastReason = FailureReason::Unknown;
        ExhaustedBy lastLimit = ExhaustedBy::Attempts;
        bool awaitsDecision = false; ///< it has failed, and the decision is not counted yet
        std::optional<DecisionRule> decidedBy{};
        bool isScheduled = false; ///< the next two members belong to the next attempt
        Duration calculatedDelay{0};
        Duration actualDelay{0};
        bool attemptIsOpen = false;
        int openAttempt = 0;
    };
    struct CountEvent;

    [[nodiscard]] Tracked *find(const QUuid &id);
    [[nodiscard]] Tracked *findOrTrack(const QUuid &id);
    /// Returns nullptr if the agent has no series of its own.
    [[nodiscard]] std::shared_ptr<AgentSeries> seriesFor(const QString &name);
    [[nodiscard]] const std::shared_ptr<AgentSeries> &sharedSeries();

    static constexpr std::size_t policyCount =
        static_cast<std::size_t>(RestartPolicyType::Custom) + 1;
    static constexpr std::size_t ruleCount = static_cast<std::size_t>(DecisionRule::Restart) + 1;
    struct DelaySeries
    {
        prometheus::Histogram *calculated = nullptr;
        prometheus::Histogram *actual = nullptr;
    };
    [[nodiscard]] const DelaySeries &delaysOf(RestartPolicyType policy);

    RestartPolicyEvaluator &m_evaluator;
    const std::size_t m_maxAgents;
    const std::shared_ptr<MetricsRegistry> m_registry;
    MetricFamilies &m_families;

    std::array<DelaySeries, policyCount> m_delays{};
    std::array<prometheus::Counter *, ruleCount> m_decisions{};
    std::array<prometheus::Counter *, std::variant_size_v<LifecycleEvent>> m_events{};
    prometheus::Histogram &m_lateness;
    prometheus::Histogram &m_readyDuration;
    prometheus::Gauge &m_agents;
    prometheus::Gauge &m_sharedAgents;

    std::unordered_map<std::string, std::weak_ptr<AgentSeries>> m_seriesOf; ///< by name
    std::shared_ptr<AgentSeries> m_other;                                   ///< created on demand
    QHash<QUuid, std::shared_ptr<Tracked>> m_tracked;
};

} // namespace Rekindle
