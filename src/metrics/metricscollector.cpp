// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/metrics/metricscollector.h>

#include "trackedagents_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/customevaluators.h>
#include <rekindle/lifecycle/featuregate.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace Rekindle {

namespace {

// Limits the series of evaluators, subscribers, groups and shared breakers; normally there are only
// a few.
constexpr std::size_t maxNames = 100;

/// Returns the label of a name. Names beyond the limit share one label.
std::string limited(std::set<std::string> &names, const QString &name)
{
    std::string text = name.toStdString();
    if (names.size() >= maxNames && !names.contains(text))
        return "_other";
    names.insert(text);
    return text;
}

} // namespace

// The events of the license, custom evaluators and groups are rare, so that each one looks up its
// series by label.
class MetricsCollector::Private
{
public:
    Private(RestartPolicyEvaluator &evaluator, const MetricsOptions &options)
        : agents(evaluator, std::clamp(options.maxAgents, 1, 100'000))
    {
    }

    void setTier(LicenseTier tier);
    void countFault(const EvaluatorFault &fault);
    void countShadow(const QString &evaluator, bool agreed);
    void countGroup(const QString &group, bool isExhausted);
    void setSharedBreaker(const SharedBreakerStateChanged &event);

    TrackedAgents agents;
    MetricFamilies &families = agents.families();
    std::set<std::string> evaluators;
    std::set<std::string> shadows;
    std::set<std::string> groups;
    std::set<std::string> sharedBreakers;
    std::map<std::string, quint64> dropped; ///< totals by subscriber
};

void MetricsCollector::Private::setTier(LicenseTier tier)
{
    for (const auto &[each, name] : licenseTiers)
        families.licenseTier.add({{"tier", labelValue(name)}}).Set(each == tier ? 1 : 0);
}

void MetricsCollector::Private::countFault(const EvaluatorFault &fault)
{
    const SeriesLabels labels = {{"evaluator", limited(evaluators, fault.evaluator)}};
    families.evaluatorFaults.add(labels).Increment();
    families.evaluatorQuarantines.add(labels).Increment(fault.quarantined ? 1 : 0);
}

void MetricsCollector::Private::countShadow(const QString &evaluator, bool agreed)
{
    const std::string name = limited(shadows, evaluator);
    const auto series = [&](const char *outcome) -> prometheus::Counter & {
        return families.shadowDecisions.add({{"evaluator", name}, {"outcome", outcome}});
    };
    series("agreed").Increment(agreed ? 1 : 0);
    series("disagreed").Increment(agreed ? 0 : 1);
}

void MetricsCollector::Private::countGroup(const QString &group, bool isExhausted)
{
    const SeriesLabels labels = {{"group", limited(groups, group)}};
    families.groupRestarts.add(labels).Increment(isExhausted ? 0 : 1);
    families.groupsExhausted.add(labels).Increment(isExhausted ? 1 : 0);
}

// A restored breaker has not opened again.
void MetricsCollector::Private::setSharedBreaker(const SharedBreakerStateChanged &event)
{
    const std::string name = limited(sharedBreakers, event.breaker);
    for (const auto &[each, state] : circuitBreakerStates)
        families.sharedBreakerState.add({{"breaker", name}, {"state", labelValue(state)}})
            .Set(each == event.newState ? 1 : 0);
    const bool isTrip = event.newState == CircuitBreakerState::Open && !event.restored;
    families.sharedBreakerTrips.add({{"breaker", name}}).Increment(isTrip ? 1 : 0);
}

MetricsCollector::MetricsCollector(RestartPolicyEvaluator &evaluator, const MetricsOptions &options,
                                   QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(evaluator, options))
{
    using Evaluator = RestartPolicyEvaluator;
    connect(&evaluator, &Evaluator::lifecycleEvent, this,
            [this](const LifecycleEvent &event) { d->agents.count(event); });
    connect(&evaluator, &Evaluator::decided, this,
            [this](const QUuid &id, const RestartDecision &decision) {
                d->agents.countDecision(id, decision);
            });
    connect(&evaluator, &Evaluator::stateChanged, this,
            [this](const QUuid &id, InstanceState state) { d->agents.setState(id, state); });
    connect(&evaluator, &Evaluator::reportIgnored, this,
            [this](const QUuid &id) { d->agents.countLateResult(id); });
    connect(&evaluator, &Evaluator::groupRestarting, this,
            [this](const GroupRestarting &event) { d->countGroup(event.group, false); });
    connect(&evaluator, &Evaluator::groupExhausted, this,
            [this](const GroupExhausted &event) { d->countGroup(event.group, true); });
    connect(&evaluator, &Evaluator::sharedBreakerStateChanged, this,
            [this](const SharedBreakerStateChanged &event) { d->setSharedBreaker(event); });
    connect(&evaluator, &Evaluator::shadowDecided, this,
            [this](const QUuid &, const RestartDecision &builtIn, const RestartDecision &wouldBe) {
                d->countShadow(wouldBe.evaluator->id, wouldBe.agreesWith(builtIn));
            });
}

MetricsCollector::MetricsCollector(AgentSupervisor &supervisor, const MetricsOptions &options,
                                   QObject *parent)
    : MetricsCollector(supervisor.policyEvaluator(), options, parent)
{
    const FeatureGate &gate = supervisor.featureGate();
    d->setTier(gate.tier());
    connect(&gate, &FeatureGate::tierChanged, this,
            [this](LicenseTier, LicenseTier newTier) { d->setTier(newTier); });
    for (const QUuid &id : supervisor.ids())
        track(id);
    connect(&supervisor, &AgentSupervisor::agentAdded, this, &MetricsCollector::track);
    connect(&supervisor, &AgentSupervisor::agentRemoved, this, &MetricsCollector::forget);
}

MetricsCollector::~MetricsCollector() = default;

void MetricsCollector::track(const QUuid &instanceId) { d->agents.track(instanceId); }

void MetricsCollector::forget(const QUuid &instanceId) { d->agents.forget(instanceId); }

void MetricsCollector::attach(CustomEvaluators &evaluators)
{
    connect(&evaluators, &CustomEvaluators::faulted, this,
            [this](const EvaluatorFault &fault) { d->countFault(fault); });
}

void MetricsCollector::count(const ToolCallFinished &call) { d->agents.count(call); }

void MetricsCollector::setDropped(const QString &subscriber, quint64 total)
{
    const std::string name = subscriber.toStdString();
    if (d->dropped.size() >= maxNames && !d->dropped.contains(name))
        return;
    quint64 &known = d->dropped[name];
    const quint64 added = total > known ? total - known : 0;
    d->families.eventsDropped.add({{"subscriber", name}}).Increment(static_cast<double>(added));
    known += added;
}

void MetricsCollector::setQueuedStarts(qsizetype count)
{
    d->families.queuedStarts.add({}).Set(static_cast<double>(count));
}

QByteArray MetricsCollector::text() const { return d->agents.registry()->text(); }

std::function<QByteArray()> MetricsCollector::textSource() const
{
    return [registry = d->agents.registry()] { return registry->text(); };
}

std::shared_ptr<prometheus::Registry> MetricsCollector::registry() const
{
    return d->agents.registry();
}

} // namespace Rekindle
