// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/control/decisionlog.h>

#include "control/internal/agentwords.h"
#include "lifecycle/internal/decisionrecorder.h"
#include "policy/internal/agenthistory.h"
#include "policy/internal/texthelpers.h"
#include "policy/internal/words.h"

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/policy/eventtext.h>

#include <QHash>
#include <QPointer>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace Rekindle {

namespace {

using Entry = DecisionLog::Entry;

// "restart 3 of 10 in 4.2s"
QString startText(const AgentStatus &agent, const QList<Entry> &decisions)
{
    const RestartDecision last =
        decisions.isEmpty() ? RestartDecision() : decisions.constLast().made.decision;
    const QString left = readable(std::max(*agent.nextStartIn, Duration{0}));
    const auto state = knownState(agent);
    if (state == InstanceState::CircuitOpen)
        return Words::tr("trial in %1, or at once if the circuit breaker is reset").arg(left);
    if (state == InstanceState::Waiting && last.shouldRestart)
        return Words::tr("%1 in %2", "restart and delay")
            .arg(restartText(last.attemptNumber, agent.maxRetries), left);
    return Words::tr("start in %1").arg(left);
}

// Empty for an agent that an earlier host has given up.
QString reasonText(const QList<Entry> &decisions)
{
    QString reason = decisions.isEmpty() ? QString() : decisions.constLast().made.decision.reason();
    if (reason.isEmpty())
        return reason;
    reason[0] = reason[0].toLower();
    return reason + QLatin1String("; ");
}

QString nextText(const AgentStatus &agent, bool isTrial, const QList<Entry> &decisions)
{
    if (agent.nextStartIn)
        return startText(agent, decisions);
    const InstanceState state = knownState(agent).value_or(InstanceState::Stopped);
    if (state == InstanceState::Exhausted && isHeldByGroup(agent)) {
        return Words::tr("%1; no start until its group starts again or an operator starts it")
            .arg(agent.holdTexts.join(u"; "));
    }
    if (!agent.holdTexts.isEmpty())
        return Words::tr("it waits for %1").arg(agent.holdTexts.join(u"; "));
    switch (state) {
    case InstanceState::Starting:
        return Words::tr("it becomes ready, or its start times out");
    case InstanceState::Running:
        if (isTrial)
            return Words::tr("when it is stable, its circuit breaker closes and its restarts are "
                             "counted from zero again; if it fails, the breaker opens");
        return agent.attempt == 0
            ? Words::tr("no start or stop is planned")
            : Words::tr("its restarts are counted from zero again when it is stable");
    case InstanceState::CircuitOpen:
        return whileIsolatedText();
    case InstanceState::Evaluating:
        return Words::tr("its evaluator decides");
    case InstanceState::Stopping:
        return agent.stopReason.isEmpty()
            ? Words::tr("it stops")
            : Words::tr("it stops: %1").arg(Words::ofData(agent.stopReason));
    case InstanceState::Gated:
        return untilTierChangesText();
    case InstanceState::Stopped:
        if (const QString why = whyDown(agent); !why.isEmpty())
            return why + QLatin1String("; ") + untilStartedText();
        break;
    case InstanceState::Exhausted:
    case InstanceState::Failed:
        return reasonText(decisions) + untilStartedText();
    case InstanceState::Waiting:
        break;
    }
    return untilStartedText();
}

// The event precedes the operation, and is also emitted without an effect.
bool hasEffect(const OperatorAction &event, const AgentSupervisor &supervisor)
{
    if (!event.sharedBreaker.isEmpty())
        return true;
    const RestartPolicyEvaluator &evaluator = supervisor.policyEvaluator();
    const CircuitBreakerInfo breaker = evaluator.circuitBreakerState(event.instanceId);
    const auto operation = valueOf(controlOperations, event.request);
    if (operation == ControlOperation::Stop) {
        const auto agent = supervisor.snapshot(event.instanceId);
        return !agent
            || (!agent->stoppedByOperator
                && (agent->state != InstanceState::Stopped
                    || evaluator.isActive(event.instanceId)));
    }
    if (operation == ControlOperation::IsolateBreaker)
        return !breaker.isolated;
    if (operation == ControlOperation::ReleaseBreaker)
        return breaker.isolated;
    return operation != ControlOperation::ResetBreaker
        || breaker.state != CircuitBreakerState::Closed || breaker.failureCount > 0;
}

} // namespace

class DecisionLog::Private
{
public:
    struct Agent
    {
        QList<Entry> decisions{};
        std::optional<LifecycleEvent> operation{};
        std::optional<LifecycleEvent> ofBreaker{};
        std::optional<LifecycleEvent> request{};
        std::optional<LifecycleEvent> ofGroup{};
    };

    void add(DecisionRecord record);
    void cancel(const RestartCancelled &event);
    void addGroupEvent(const LifecycleEvent &event, const QStringList &members);

    QPointer<AgentSupervisor> supervisor;
    qsizetype perAgent = defaultPerAgent;
    QHash<QUuid, Agent> agents{};
};

void DecisionLog::Private::add(DecisionRecord record)
{
    QList<Entry> &decisions = agents[record.instanceId].decisions;
    if (record.kind == DecisionRecord::Kind::Shadow) {
        // The draw identifies a failure. The evaluation belongs to the first decision about it.
        const auto entry = std::find_if(decisions.begin(), decisions.end(), [&](const Entry &each) {
            return each.made.decision.inputs.draw == record.decision.inputs.draw;
        });
        if (entry != decisions.end())
            entry->shadow = std::make_shared<const DecisionRecord>(std::move(record));
        return;
    }
    if (decisions.size() == perAgent)
        decisions.removeFirst();
    decisions.append({.made = std::move(record)});
}

void DecisionLog::Private::cancel(const RestartCancelled &event)
{
    const auto agent = agents.find(event.instanceId);
    if (agent == agents.end() || agent->decisions.isEmpty())
        return;
    Entry &newest = agent->decisions.last();
    const RestartDecision &decision = newest.made.decision;
    if (decision.shouldRestart && decision.attemptNumber == event.attemptNumber)
        newest.isCanceled = true;
}

void DecisionLog::Private::addGroupEvent(const LifecycleEvent &event, const QStringList &members)
{
    for (const QString &member : members) {
        if (const QUuid id = supervisor->idOf(member); !id.isNull())
            agents[id].ofGroup = event;
    }
}

DecisionLog::DecisionLog(AgentSupervisor &supervisor, int perAgent, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(Private{&supervisor, std::clamp(perAgent, 1, 1000)}))
{
    RestartPolicyEvaluator &evaluator = supervisor.policyEvaluator();
    recordDecisions(evaluator, this, [this](DecisionRecord record) { d->add(std::move(record)); });
    connect(&evaluator, &RestartPolicyEvaluator::restartCancelled, this,
            [this](const RestartCancelled &event) { d->cancel(event); });
    connect(&evaluator, &RestartPolicyEvaluator::operatorActed, this,
            [this](const OperatorAction &event) {
                if (!hasEffect(event, *d->supervisor))
                    return;
                Private::Agent &agent = d->agents[event.instanceId];
                const bool isOfBreaker = event.request.startsWith(QLatin1String("breaker."));
                (isOfBreaker ? agent.ofBreaker : agent.operation) = event;
            });
    connect(&evaluator, &RestartPolicyEvaluator::groupRestarting, this,
            [this](const GroupRestarting &event) { d->addGroupEvent(event, event.members); });
    connect(&evaluator, &RestartPolicyEvaluator::groupExhausted, this,
            [this](const GroupExhausted &event) { d->addGroupEvent(event, event.members); });
    connect(&evaluator, &RestartPolicyEvaluator::restartRequested, this,
            [this](const RestartRequested &event) { d->agents[event.instanceId].request = event; });
    connect(&supervisor, &AgentSupervisor::agentRemoved, this,
            [this](const QUuid &id) { d->agents.remove(id); });
}

DecisionLog::~DecisionLog() = default;

QList<DecisionLog::Entry> DecisionLog::decisions(const QUuid &instanceId) const
{
    return d->agents.value(instanceId).decisions;
}

QList<RecordedAction> DecisionLog::actions(const QUuid &instanceId) const
{
    const Private::Agent found = d->agents.value(instanceId);
    std::vector<LifecycleEvent> events;
    for (const auto &each : {found.operation, found.ofBreaker, found.request, found.ofGroup}) {
        if (each)
            events.push_back(*each);
    }
    std::sort(events.begin(), events.end(),
              [](const auto &a, const auto &b) { return header(a).sequence < header(b).sequence; });
    QList<RecordedAction> actions;
    for (const LifecycleEvent &each : events) {
        QString text = eventText(each);
        if (header(each).instanceId != instanceId)
            text = Words::tr("%1 because of %2", "event and agent").arg(text, header(each).agent);
        actions.append({header(each).time, text});
    }
    return actions;
}

QString DecisionLog::next(const QUuid &instanceId) const
{
    if (d->supervisor.isNull() || !d->supervisor->snapshot(instanceId))
        return {};
    const AgentStatus agent = statusOf(*d->supervisor, instanceId);
    const RestartPolicyEvaluator &evaluator = d->supervisor->policyEvaluator();
    const auto state = knownState(agent);
    const CircuitBreakerInfo breaker = evaluator.circuitBreakerState(instanceId);
    if (state == InstanceState::Stopped && evaluator.isActive(instanceId))
        return Words::tr("it starts");
    QString text =
        nextText(agent, breaker.state == CircuitBreakerState::HalfOpen, decisions(instanceId));
    const std::optional<InstanceStatus> status = evaluator.status(instanceId);
    if (state == InstanceState::Stopping && status && status->planned != PlannedStart::None)
        text = Words::tr("%1, and then starts again", "it stops").arg(text);
    const auto policy = evaluator.policy(instanceId).circuitBreaker;
    if (state == InstanceState::CircuitOpen && !breaker.isolated && policy) {
        return Words::tr("circuit breaker open after %n failure(s) (threshold: %1); %2", nullptr,
                         breaker.failureCount)
            .arg(QString::number(policy->threshold), text);
    }
    if (isIsolated(agent) && (state == InstanceState::Running || state == InstanceState::Starting))
        text += QLatin1String("; ") + whileIsolatedText();
    const Agent *const known = d->supervisor->agent(instanceId);
    if (state == InstanceState::Running && known != nullptr && known->recyclingAt()) {
        const Duration left = *known->recyclingAt() - d->supervisor->scheduler().now();
        const QString recycling =
            Words::tr("recycling in %1").arg(readable(std::max(left, Duration{0})));
        return agent.attempt == 0 && !isIsolated(agent) ? recycling
                                                        : text + QLatin1String("; ") + recycling;
    }
    return text;
}

AgentExplanation DecisionLog::explain(const QUuid &instanceId) const
{
    const std::optional<AgentSnapshot> agent =
        d->supervisor ? d->supervisor->snapshot(instanceId) : std::nullopt;
    if (!agent)
        return {};
    AgentHistory found{.agent = agent->name,
                       .isLive = true,
                       .state = toText(agent->state),
                       .next = next(instanceId),
                       .actions = actions(instanceId)};
    const QList<Entry> entries = decisions(instanceId);
    for (const auto &[made, shadow, isCanceled] : entries) {
        found.decisions.append({
            .instanceId = made.instanceId.toString(QUuid::WithoutBraces),
            .agent = made.agent,
            .time = made.time,
            .object = toJsonObject(made),
            .shadow = shadow ? AgentHistory::shadowOf(toJsonObject(*shadow)) : QJsonObject(),
            .isCanceled = isCanceled,
        });
    }
    return AgentExplanation(std::move(found));
}

} // namespace Rekindle
