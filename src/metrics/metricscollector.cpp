// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/metrics/metricscollector.h>

#include "hostseries_p.h"
#include "trackedagents_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>

#include <prometheus/text_serializer.h>

#include <algorithm>
#include <sstream>

namespace Rekindle {

class MetricsCollector::Private
{
public:
    Private(RestartPolicyEvaluator &evaluator, const MetricsOptions &options)
        : agents(evaluator, std::clamp(options.maxAgents, 1, 100'000))
        , host(agents.families())
    {
    }

    TrackedAgents agents;
    HostSeries host;
};

namespace {

bool byLabels(const prometheus::ClientMetric &left, const prometheus::ClientMetric &right)
{
    return left.label < right.label;
}

// Sorted, because the order of the registry is undefined.
QByteArray textOf(const prometheus::Registry &registry)
{
    std::vector<prometheus::MetricFamily> families = registry.Collect();
    std::ranges::sort(families, {}, &prometheus::MetricFamily::name);
    for (prometheus::MetricFamily &family : families)
        std::ranges::sort(family.metric, byLabels);
    std::ostringstream out;
    prometheus::TextSerializer().Serialize(out, families);
    return QByteArray::fromStdString(out.str());
}

} // namespace

MetricsCollector::MetricsCollector(RestartPolicyEvaluator &evaluator, const MetricsOptions &options,
                                   QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(evaluator, options))
{
    using Evaluator = RestartPolicyEvaluator;
    connect(&evaluator, &Evaluator::event, this,
            [this](const LifecycleEvent &event) { d->agents.count(event); });
    connect(&evaluator, &Evaluator::decided, this,
            [this](const QUuid &id, const RestartDecision &decision) {
                d->agents.countDecision(id, decision);
            });
    connect(&evaluator, &Evaluator::stateChanged, this,
            [this](const QUuid &id, InstanceState state) { d->agents.setState(id, state); });
    connect(&evaluator, &Evaluator::reportIgnored, this,
            [this](const QUuid &id) { d->agents.countLateResult(id); });
    connect(&evaluator, &Evaluator::shadowDecided, this,
            [this](const QUuid &, const RestartDecision &builtIn, const RestartDecision &wouldBe) {
                d->host.countShadow(wouldBe.evaluator->id, wouldBe.agreesWith(builtIn));
            });
}

MetricsCollector::MetricsCollector(AgentSupervisor &supervisor, const MetricsOptions &options,
                                   QObject *parent)
    : MetricsCollector(supervisor.evaluator(), options, parent)
{
    const FeatureGate &gate = supervisor.featureGate();
    d->host.setTier(gate.tier());
    connect(&gate, &FeatureGate::tierChanged, this,
            [this](LicenseTier, LicenseTier newTier) { d->host.setTier(newTier); });
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
            [this](const EvaluatorFault &fault) { d->host.count(fault); });
}

void MetricsCollector::setDropped(const QString &subscriber, quint64 total)
{
    d->host.setDropped(subscriber, total);
}

QByteArray MetricsCollector::text() const { return textOf(*d->agents.registry()); }

std::function<QByteArray()> MetricsCollector::textSource() const
{
    return [registry = registry()] { return textOf(*registry); };
}

std::shared_ptr<prometheus::Registry> MetricsCollector::registry() const
{
    return d->agents.registry();
}

} // namespace Rekindle
