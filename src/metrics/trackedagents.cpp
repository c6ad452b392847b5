// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "trackedagents_p.h"

#include <rekindle/policy/toolcallfinished.h>
#include <rekindle/version.h>

#include <utility>

namespace Rekindle {

namespace {

constexpr char otherAgent[] = "_other";

// In seconds. The first bucket counts restarts without a delay.
using Buckets = prometheus::Histogram::BucketBoundaries;
Buckets delayBuckets() { return {0, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300}; }
Buckets latenessBuckets() { return {0, 1e-4, 5e-4, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30}; }

double seconds(std::chrono::duration<double> duration) { return duration.count(); }

// In the order of DecisionRule.
constexpr std::array ruleNames = {"policy_none",      "permanent_failure", "attempts_exhausted",
                                  "window_exhausted", "circuit_open",      "evaluator_refused",
                                  "restart"};

} // namespace

/// Counts an event in the series of its instance.
struct TrackedAgents::CountEvent
{
    TrackedAgents &all;
    Tracked &agent;

    void operator()(const AgentStarted &event) const
    {
        agent.series->starts->Increment();
        if (!agent.sharesSeries)
            agent.series->startTime->Set(seconds(event.time.time_since_epoch()));
    }
    void operator()(const AgentReady &event) const
    {
        all.m_readyDuration.Observe(seconds(event.duration));
    }
    void operator()(const AgentStopped &) const { clearStartTime(); }
    void operator()(const AgentFailed &event) const
    {
        clearStartTime();
        agent.lastReason = event.reason;
        agent.awaitsDecision = true;
        agent.series->failures(event.reason).Increment();
    }
    void operator()(const RestartRequested &) const { agent.series->requests->Increment(); }
    void operator()(const PolicyDowngraded &) const { agent.series->downgrades->Increment(); }

    void operator()(const RestartScheduled &event) const
    {
        // The breaker, not the policy, determines the time until a half-open trial.
        agent.isScheduled = !event.trial;
        agent.calculatedDelay = event.calculatedDelay;
        agent.actualDelay = event.delay;
    }
    void operator()(const RestartStarted &event) const
    {
        agent.openAttempt = event.attemptNumber;
        agent.attemptIsOpen = true;
        agent.series->attempts[agent.policy].Increment();
        all.m_lateness.Observe(seconds(event.lateness));
        if (!std::exchange(agent.isScheduled, false))
            return;
        const DelaySeries &delays = all.delaysOf(agent.policy);
        delays.calculated->Observe(seconds(agent.calculatedDelay));
        delays.actual->Observe(seconds(agent.actualDelay));
    }
    void operator()(const RestartSucceeded &) const { attemptEnded(AttemptOutcome::Success); }
    void operator()(const RestartFailed &) const { attemptEnded(AttemptOutcome::Failure); }
    void operator()(const RestartExhausted &) const
    {
        agent.series->exhausted[agent.lastLimit].Increment();
    }
    // A scheduled restart that is cancelled is not an attempt.
    void operator()(const RestartCancelled &event) const
    {
        if (agent.attemptIsOpen && event.attemptNumber == agent.openAttempt)
            attemptEnded(AttemptOutcome::Cancelled);
        else
            agent.isScheduled = false;
    }
    void operator()(const CircuitBreakerStateChanged &event) const
    {
        agent.series->breakers[std::exchange(agent.breaker, event.newState)].Decrement();
        agent.series->breakers[event.newState].Increment();
        if (event.newState != CircuitBreakerState::Open || event.restored)
            return; // counted by the previous host
        if (!event.resetDelay)
            agent.series->trips[TripReason::Manual].Increment();
        else if (event.oldState == CircuitBreakerState::Closed)
            agent.series->trips[TripReason::Consecutive].Increment();
        else if (*event.resetDelay > Duration{0}) // zero: the half-open trial had no result
            agent.series->trips[trialReason()].Increment();
    }
    template<typename Event>
    void operator()(const Event &) const
    {
        // Counted only by its type.
    }

private:
    void clearStartTime() const
    {
        if (!agent.sharesSeries)
            agent.series->startTime->Set(0);
    }
    void attemptEnded(AttemptOutcome outcome) const
    {
        if (std::exchange(agent.attemptIsOpen, false))
            agent.series->outcomes[outcome].Increment();
    }
    [[nodiscard]] TripReason trialReason() const
    {
        return agent.lastReason == FailureReason::Timeout ? TripReason::ProbeTimeout
                                                          : TripReason::ProbeFailed;
    }
};

TrackedAgents::TrackedAgents(RestartPolicyEvaluator &evaluator, int maxAgents)
    : m_evaluator(evaluator)
    , m_maxAgents(static_cast<std::size_t>(maxAgents))
    , m_registry(std::make_shared<MetricsRegistry>())
    , m_families(m_registry->families())
    , m_lateness(m_families.lateness.add({}, latenessBuckets()))
    , m_readyDuration(m_families.agentReadyDuration.add({}, delayBuckets()))
    , m_agents(m_families.agents.add({{"series", "own"}}))
    , m_sharedAgents(m_families.agents.add({{"series", "shared"}}))
{
    static_assert(ruleNames.size() == ruleCount);
    for (std::size_t i = 0; i < ruleCount; ++i)
        m_decisions[i] = &m_families.decisions.add({{"rule", ruleNames[i]}});
    const QStringList types = eventTypes();
    for (std::size_t i = 0; i < m_events.size(); ++i)
        m_events[i] = &m_families.events.add({{"type", types[static_cast<int>(i)].toStdString()}});
    m_families.buildInfo.add({{"version", REKINDLE_VERSION_STR}}).Set(1);
}

const TrackedAgents::DelaySeries &TrackedAgents::delaysOf(RestartPolicyType policy)
{
    DelaySeries &delays = m_delays[static_cast<std::size_t>(policy)];
    if (!delays.calculated) {
        const SeriesLabels labels = {{"policy", labelValue(toText(policy))}};
        delays.calculated = &m_families.calculatedDelay.add(labels, delayBuckets());
        delays.actual = &m_families.actualDelay.add(labels, delayBuckets());
    }
    return delays;
}

std::shared_ptr<AgentSeries> TrackedAgents::seriesFor(const QString &name)
{
    std::string agent = name.toStdString();
    const auto known = m_seriesOf.find(agent);
    if (known != m_seriesOf.end())
        return known->second.lock();
    if (m_seriesOf.size() >= m_maxAgents || agent.empty() || agent == otherAgent)
        return {};
    auto series = std::make_shared<AgentSeries>(m_families, agent);
    m_seriesOf.emplace(std::move(agent), series);
    return series;
}

const std::shared_ptr<AgentSeries> &TrackedAgents::sharedSeries()
{
    if (!m_other)
        m_other = std::make_shared<AgentSeries>(m_families, otherAgent);
    return m_other;
}

TrackedAgents::Tracked *TrackedAgents::find(const QUuid &id)
{
    const auto known = m_tracked.constFind(id);
    return known == m_tracked.cend() ? nullptr : known->get();
}

TrackedAgents::Tracked *TrackedAgents::findOrTrack(const QUuid &id)
{
    if (Tracked *const tracked = find(id))
        return tracked;
    track(id);
    return find(id);
}

void TrackedAgents::track(const QUuid &id)
{
    if (m_tracked.contains(id))
        return;
    const std::optional<AgentSnapshot> snapshot = m_evaluator.snapshot(id);
    if (!snapshot)
        return;
    auto tracked = std::make_shared<Tracked>();
    tracked->name = snapshot->name.toStdString();
    tracked->series = seriesFor(snapshot->name);
    if (!tracked->series) {
        tracked->series = sharedSeries();
        tracked->sharesSeries = true;
    }
    tracked->state = snapshot->state;
    tracked->breaker = snapshot->circuitBreaker.state;
    tracked->policy = m_evaluator.policy(id).effectiveType();
    tracked->series->states[tracked->state].Increment();
    tracked->series->breakers[tracked->breaker].Increment();
    // Starts at 0, because increase() and rate() do not see the first value of a series.
    static_cast<void>(tracked->series->attempts[tracked->policy]);
    if (snapshot->startedAt && !tracked->sharesSeries) {
        const Clock &clock = m_evaluator.scheduler().clock();
        tracked->series->startTime->Set(
            seconds(clock.toUtc(*snapshot->startedAt).time_since_epoch()));
    }
    (tracked->sharesSeries ? m_sharedAgents : m_agents).Increment();
    m_tracked.insert(id, tracked);
}

void TrackedAgents::forget(const QUuid &id)
{
    const std::shared_ptr<Tracked> tracked = m_tracked.take(id);
    if (!tracked)
        return;
    tracked->series->states[tracked->state].Decrement();
    tracked->series->breakers[tracked->breaker].Decrement();
    if (tracked->attemptIsOpen)
        tracked->series->outcomes[AttemptOutcome::Cancelled].Increment();
    (tracked->sharesSeries ? m_sharedAgents : m_agents).Decrement();
    tracked->series.reset();
    const auto named = m_seriesOf.find(tracked->name);
    if (!tracked->sharesSeries && named != m_seriesOf.end() && named->second.expired())
        m_seriesOf.erase(named);
}

void TrackedAgents::count(const LifecycleEvent &event)
{
    m_events[event.index()]->Increment();
    if (Tracked *const tracked = findOrTrack(header(event).instanceId))
        std::visit(CountEvent{*this, *tracked}, event);
}

void TrackedAgents::countDecision(const QUuid &id, const RestartDecision &decision)
{
    Tracked *const tracked = findOrTrack(id);
    if (!tracked) { // evaluate() for an instance that the host restarts itself
        m_decisions[static_cast<std::size_t>(decision.rule)]->Increment();
        return;
    }
    tracked->decidedBy = decision.rule;
    tracked->policy = decision.inputs.policyType;
    tracked->lastLimit = decision.rule == DecisionRule::WindowExhausted ? ExhaustedBy::Window
                                                                        : ExhaustedBy::Attempts;
}

// By name, because a ToolCaller does not know the instance.
void TrackedAgents::count(const ToolCallFinished &call)
{
    const auto known = m_seriesOf.find(call.agent.toStdString());
    const std::shared_ptr<AgentSeries> series =
        known == m_seriesOf.end() ? sharedSeries() : known->second.lock();
    series->calls.count(call);
}

void TrackedAgents::countLateResult(const QUuid &id)
{
    if (Tracked *const tracked = findOrTrack(id))
        tracked->series->lateResults->Increment();
}

void TrackedAgents::setState(const QUuid &id, InstanceState state)
{
    Tracked *const tracked = find(id);
    if (!tracked || tracked->state == state)
        return;
    tracked->series->states[std::exchange(tracked->state, state)].Decrement();
    tracked->series->states[state].Increment();
    // A failure has one decision: before its event, or after it if a custom evaluator decides. A
    // decision that a new policy changes later is not counted again.
    const std::optional<DecisionRule> rule = std::exchange(tracked->decidedBy, std::nullopt);
    if (rule && std::exchange(tracked->awaitsDecision, false))
        m_decisions[static_cast<std::size_t>(*rule)]->Increment();
}

} // namespace Rekindle
