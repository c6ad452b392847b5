// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/groups/agentdependencies.h>

#include "groups/internal/holdset.h"
#include "orderedstops_p.h"
#include "policy/internal/texthelpers.h"

#include <rekindle/lifecycle/agentmonitor.h>

#include <QHash>

#include <algorithm>
#include <map>
#include <utility>

namespace Rekindle {

class AgentDependencies::Private
{
public:
    explicit Private(AgentSupervisor &theSupervisor)
        : supervisor(theSupervisor)
        , evaluator(theSupervisor.policyEvaluator())
        , stops(theSupervisor, stopGraph,
                [this](const QString &agent, OnDown how) { stop(agent, how); })
        , refreshing(theSupervisor.scheduler(), [this] { refresh(); })
        , holds(theSupervisor, Hold::Dependency,
                [this](const QUuid &id) { return HoldCause{.text = holdText(id)}; })
    {
    }

    void connectTo(AgentDependencies *q);
    void setGraph(DependencyGraph theGraph);
    void changed(const QString &agent);
    void follow(const QUuid &id);
    void update(const QString &agent, const QString &changed = {});
    void watch(const QString &agent, const Dependency &dependency);
    void stop(const QString &agent, OnDown how);
    void goDown(const QString &agent, const Dependency &dependency);
    void commandedStart(const QUuid &id, bool byHost);
    void startDependencies(const QString &agent);
    void stopAll(const QList<QUuid> &reverse);
    void refresh();
    [[nodiscard]] QList<Dependency> atStop(const DependencyGraph &of, const QString &agent) const;
    [[nodiscard]] DependencyGraph stopGraphOf(const DependencyGraph &of) const;
    void updateStopOrder();
    [[nodiscard]] bool isMet(const Dependency &dependency) const;
    [[nodiscard]] QList<Dependency> unmet(const QString &agent) const;
    [[nodiscard]] QString holdText(const QUuid &id) const;
    [[nodiscard]] QString textOf(const Dependency &dependency) const;

    /// One dependency whose loss has an effect.
    struct Watch
    {
        bool isMet = false;
        std::shared_ptr<Deadline> grace{}; ///< armed while it is lost
    };

    AgentSupervisor &supervisor;
    RestartPolicyEvaluator &evaluator;
    DependencyGraph graph;
    QHash<QString, QStringList> predecessors; ///< in setOrders()
    DependencyGraph stopGraph;                ///< the dependencies and the predecessors
    OrderedStops stops;
    QHash<QString, QString> stopReasons;              ///< by agent that is to be stopped
    QHash<QString, std::map<QString, Watch>> watches; ///< by agent and dependency
    Deadline refreshing;
    HoldSet holds;
};

void AgentDependencies::Private::connectTo(AgentDependencies *q)
{
    using Evaluator = RestartPolicyEvaluator;
    connect(&evaluator, &Evaluator::stateChanged, q, [this](const QUuid &id) { follow(id); });
    const auto followEvent = [this](const auto &event) { follow(event.instanceId); };
    connect(&evaluator, &Evaluator::agentStarted, q, followEvent);
    connect(&evaluator, &Evaluator::agentStable, q, followEvent);
    connect(&evaluator, &Evaluator::operatorCommanded, q,
            [this](const QUuid &id, OperatorCommand command, InstanceState, bool byHost) {
                if (command == OperatorCommand::Start || command == OperatorCommand::Restart)
                    commandedStart(id, byHost);
            });

    const AgentMonitor &monitor = supervisor.monitor();
    const auto exited = [this](const QUuid &id) {
        const DeferredEmission deferred(evaluator);
        stops.exited(evaluator.name(id));
    };
    connect(&monitor, &AgentMonitor::agentStopped, q, exited);
    connect(&monitor, &AgentMonitor::agentFailed, q, exited);
    connect(&monitor, &AgentMonitor::restartRequested, q,
            [exited](const QUuid &id, quint64, const QString &, bool alive) {
                if (!alive)
                    exited(id);
            });
    connect(&supervisor, &AgentSupervisor::agentStuck, q, exited);
    connect(&supervisor, &AgentSupervisor::allStopped, q, [this] {
        stopReasons.clear();
        stops.clear();
    });
    connect(&supervisor, &AgentSupervisor::agentAdded, q, [this](const QUuid &id) {
        const DeferredEmission deferred(evaluator);
        update(evaluator.name(id));
        follow(id);
    });
    connect(&supervisor, &AgentSupervisor::agentRemoved, q, [this] {
        refreshing.arm(supervisor.scheduler().now()); // once for many agents
    });
}

// With onDown Keep, because a predecessor that is down has no effect.
QList<Dependency> AgentDependencies::Private::atStop(const DependencyGraph &of,
                                                     const QString &agent) const
{
    QList<Dependency> all = of.dependencies(agent);
    for (const QString &each : predecessors.value(agent))
        all.append({.agent = each});
    return all;
}

DependencyGraph AgentDependencies::Private::stopGraphOf(const DependencyGraph &of) const
{
    DependencyGraph result = of;
    for (auto it = predecessors.keyBegin(); it != predecessors.keyEnd(); ++it)
        result.setDependencies(*it, atStop(of, *it));
    return result;
}

void AgentDependencies::Private::updateStopOrder()
{
    if (stopGraph.agents().isEmpty())
        supervisor.setStopOrder({});
    else
        supervisor.setStopOrder([this](const QList<QUuid> &reverse) { stopAll(reverse); });
    stops.update();
}

void AgentDependencies::Private::setGraph(DependencyGraph theGraph)
{
    const DeferredEmission deferred(evaluator);
    stopGraph = stopGraphOf(theGraph);
    const DependencyGraph before = std::exchange(graph, std::move(theGraph));
    QStringList agents = before.agents() + graph.agents();
    agents.removeDuplicates();
    for (const QString &agent : std::as_const(agents)) {
        if (before.dependencies(agent) != graph.dependencies(agent))
            changed(agent);
    }
    updateStopOrder();
}

// Its dependencies are others than before.
void AgentDependencies::Private::changed(const QString &agent)
{
    // A dependency that is lost at this time has no effect.
    watches.remove(agent);
    update(agent);
}

void AgentDependencies::Private::refresh()
{
    const DeferredEmission deferred(evaluator);
    const QStringList agents = graph.agents();
    for (const QString &agent : agents)
        update(agent);
    stops.update();
}

// The agent may have another level.
void AgentDependencies::Private::follow(const QUuid &id)
{
    const DeferredEmission deferred(evaluator);
    const QString name = evaluator.name(id);
    const QStringList dependents = graph.dependents(name);
    for (const QString &each : dependents)
        update(each, name);
}

// Checks only the dependency `changed`, unless others matter, because there may be thousands.
void AgentDependencies::Private::update(const QString &agent, const QString &changed)
{
    const QUuid id = supervisor.idOf(agent);
    if (id.isNull())
        return;
    const auto hasChanged = [&](const Dependency &each) {
        return changed.isEmpty() || each.agent == changed;
    };
    const QList<Dependency> all = graph.dependencies(agent);
    for (const Dependency &each : all) {
        if (each.onDown != OnDown::Keep && hasChanged(each))
            watch(agent, each);
    }
    const bool isHeld = holds.contains(id);
    // From the end, because the last ones usually are the last to be ready.
    holds.set(id, std::any_of(all.rbegin(), all.rend(), [&](const Dependency &each) {
                  return (isHeld || hasChanged(each)) && !isMet(each);
              }));
}

void AgentDependencies::Private::watch(const QString &agent, const Dependency &dependency)
{
    Watch &watch = watches[agent][dependency.agent];
    const bool wasMet = std::exchange(watch.isMet, isMet(dependency));
    if (watch.isMet) {
        watch.grace.reset();
    } else if (wasMet) {
        const auto onEnd = [this, agent, dependency] { goDown(agent, dependency); };
        watch.grace = std::make_shared<Deadline>(supervisor.scheduler(), onEnd);
        watch.grace->armIn(dependency.downGrace);
    }
}

void AgentDependencies::Private::goDown(const QString &agent, const Dependency &dependency)
{
    const DeferredEmission deferred(evaluator);
    if (supervisor.isStopping())
        return; // it is about to be stopped anyway, and stays stopped
    const QUuid id = supervisor.idOf(agent);
    const std::optional<InstanceStatus> status = evaluator.status(id);
    // A restart of an agent that has exited is held anyway. A start that was requested is not
    // skipped.
    const bool isConcerned = status
        && (status->alive
            || (dependency.onDown == OnDown::Stop && evaluator.isActive(id)
                && status->planned != PlannedStart::Operator));
    if (!isConcerned)
        return;
    QList<DependencyGraph::Effect> effects = graph.effects(agent);
    for (DependencyGraph::Effect &each : effects) {
        if (!stops.isAlive(each.agent))
            each.how = OnDown::Keep; // it waits for its dependencies anyway
    }
    effects.prepend({agent, dependency.onDown});
    const QString reason = QStringLiteral("dependency %1 is down").arg(textOf(dependency));
    for (const DependencyGraph::Effect &each : std::as_const(effects)) {
        if (each.how == OnDown::Stop)
            stopReasons.insert(each.agent, reason);
    }
    stops.add(effects);
}

void AgentDependencies::Private::stop(const QString &agent, OnDown how)
{
    const QUuid id = supervisor.idOf(agent);
    if (how == OnDown::Restart) {
        EvaluatorPort(evaluator).stopHeld(id, Hold::Dependency);
        update(agent); // its dependencies may have returned while it waited for its dependents
    } else {
        evaluator.stop(id, true, stopReasons.take(agent));
    }
}

void AgentDependencies::Private::commandedStart(const QUuid &id, bool byHost)
{
    const DeferredEmission deferred(evaluator);
    const QString agent = evaluator.name(id);
    const std::optional<InstanceStatus> status = evaluator.status(id);
    stopReasons.remove(agent);
    stops.forget(agent);
    // The new start waits for all dependencies, so an earlier loss has no effect on it.
    if (status && status->planned == PlannedStart::Operator) {
        watches.remove(agent);
        update(agent);
    }
    if (!byHost)
        startDependencies(agent);
}

// Each start by the operator starts the dependencies, which in turn start their dependencies.
void AgentDependencies::Private::startDependencies(const QString &agent)
{
    const QList<Dependency> all = unmet(agent);
    for (const Dependency &each : all) {
        const QUuid id = supervisor.idOf(each.agent);
        const std::optional<InstanceStatus> status = evaluator.status(id);
        const bool isDown = status && status->planned == PlannedStart::None
            && (isTerminal(status->state) || status->state == InstanceState::Stopping);
        if (isDown)
            EvaluatorPort(evaluator).startFor(id, supervisor.idOf(agent));
    }
}

void AgentDependencies::Private::stopAll(const QList<QUuid> &reverse)
{
    QStringList agents;
    for (const QUuid &id : reverse)
        agents.prepend(evaluator.name(id));
    QList<DependencyGraph::Effect> all;
    for (const QString &agent : stopGraph.inStartOrder(agents))
        all.append({agent, OnDown::Stop});
    stops.add(all);
}

bool AgentDependencies::Private::isMet(const Dependency &dependency) const
{
    return evaluator.status(supervisor.idOf(dependency.agent))
        .value_or(InstanceStatus())
        .levels.testFlag(dependency.until);
}

QList<Dependency> AgentDependencies::Private::unmet(const QString &agent) const
{
    QList<Dependency> found = graph.dependencies(agent);
    found.removeIf([this](const Dependency &each) { return isMet(each); });
    return found;
}

QString AgentDependencies::Private::holdText(const QUuid &id) const
{
    QStringList texts;
    const QList<Dependency> all = unmet(evaluator.name(id));
    for (const Dependency &each : all)
        texts.append(textOf(each));
    return QLatin1String("dependency ") + texts.join(QLatin1String(", "));
}

QString AgentDependencies::Private::textOf(const Dependency &dependency) const
{
    // Not a snapshot, which would contain the texts of its own dependencies.
    const std::optional<InstanceStatus> status =
        evaluator.status(supervisor.idOf(dependency.agent));
    if (!status)
        return dependency.agent + QLatin1String(" (no such agent)");
    QString state = status->stoppedByOperator ? stoppedByOperatorText : toText(status->state);
    if (dependency.until != DependencyLevel::Ready)
        state += QLatin1String(", not ") + toText(dependency.until);
    return dependency.agent + QLatin1String(" (") + state + u')';
}

AgentDependencies::AgentDependencies(AgentSupervisor &supervisor, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(supervisor))
{
    d->connectTo(this);
}

AgentDependencies::~AgentDependencies()
{
    d->supervisor.setStopOrder({});
    d->evaluator.disconnect(this);
    d->supervisor.monitor().disconnect(this);
    d->supervisor.disconnect(this);
    d->watches.clear();
    const DeferredEmission deferred(d->evaluator);
    d->stops.finish(); // nothing waits for an object that is being destroyed
}

QStringList AgentDependencies::setDependencies(const QString &agent,
                                               const QList<Dependency> &dependencies)
{
    const DeferredEmission deferred(d->evaluator);
    const QList<Dependency> before = d->graph.dependencies(agent);
    d->graph.setDependencies(agent, dependencies);
    d->stopGraph.setDependencies(agent, d->atStop(d->graph, agent));
    QStringList cycle = d->stopGraph.cycleThrough(agent);
    if (cycle.isEmpty()) {
        d->changed(agent);
        d->updateStopOrder();
    } else {
        d->graph.setDependencies(agent, before);
        d->stopGraph.setDependencies(agent, d->atStop(d->graph, agent));
    }
    return cycle;
}

QStringList AgentDependencies::setGraph(const DependencyGraph &graph)
{
    QStringList cycle = d->stopGraphOf(graph).cycle();
    if (cycle.isEmpty())
        d->setGraph(graph);
    return cycle;
}

QStringList AgentDependencies::setOrders(const QList<QStringList> &orders)
{
    QHash<QString, QStringList> predecessors;
    for (const QStringList &each : orders) {
        for (qsizetype i = 1; i < each.size(); ++i) {
            QStringList &before = predecessors[each.at(i)];
            if (!before.contains(each.at(i - 1)))
                before.append(each.at(i - 1));
        }
    }
    std::swap(predecessors, d->predecessors);
    const DependencyGraph stopGraph = d->stopGraphOf(d->graph);
    QStringList cycle = stopGraph.cycle();
    if (cycle.isEmpty()) {
        d->stopGraph = stopGraph;
        d->updateStopOrder();
    } else {
        d->predecessors = predecessors;
    }
    return cycle;
}

AgentSupervisor &AgentDependencies::supervisor() const { return d->supervisor; }

const DependencyGraph &AgentDependencies::graph() const { return d->graph; }

QList<Dependency> AgentDependencies::unmet(const QString &agent) const { return d->unmet(agent); }

} // namespace Rekindle
