// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/explaincalls_p.h"

#include "control/calls/controlcalls_p.h"
#include "control/internal/agentwords.h"
#include "control/internal/messagejson.h"
#include "lifecycle/internal/decisionrecorder.h"
#include "policy/internal/texthelpers.h"

#include <rekindle/lifecycle/agent.h>
#include <rekindle/policy/eventtext.h>

#include <algorithm>

namespace Rekindle {

namespace {

// "restart 3 of 10 in 4.2s"
QString startText(const AgentStatus &agent, const std::vector<DecisionRing::Entry> &decisions)
{
    QString what = QStringLiteral("start");
    QString after;
    const RestartDecision last =
        decisions.empty() ? RestartDecision() : decisions.back().made.decision;
    const auto state = knownState(agent);
    if (state == InstanceState::CircuitOpen) {
        what = QStringLiteral("trial");
        after = QStringLiteral(", or at once if the circuit breaker is reset");
    } else if (state == InstanceState::Waiting && last.shouldRestart) {
        what = restartText(last.attemptNumber, agent.maxRetries);
    }
    return QStringLiteral("%1 in %2%3")
        .arg(what, readable(std::max(*agent.nextStartIn, Duration{0})), after);
}

// Empty for an agent that an earlier host has given up.
QString reasonText(const std::vector<DecisionRing::Entry> &decisions)
{
    QString reason = decisions.empty() ? QString() : decisions.back().made.decision.reason();
    if (reason.isEmpty())
        return reason;
    reason[0] = reason[0].toLower();
    return reason + QLatin1String("; ");
}

QString nextText(const AgentStatus &agent, bool isTrial,
                 const std::vector<DecisionRing::Entry> &decisions)
{
    if (agent.nextStartIn)
        return startText(agent, decisions);
    const InstanceState state = knownState(agent).value_or(InstanceState::Stopped);
    if (state == InstanceState::Exhausted && isHeldByGroup(agent)) {
        return agent.holdTexts.join(u"; ")
            + QStringLiteral("; no start until its group starts again or an operator starts it");
    }
    if (!agent.holdTexts.isEmpty())
        return QLatin1String("it ") + waitText(agent.holdTexts);
    switch (state) {
    case InstanceState::Starting:
        return QStringLiteral("it becomes ready, or its start times out");
    case InstanceState::Running:
        if (isTrial)
            return QStringLiteral("when it is stable, its circuit breaker closes and its restarts "
                                  "are counted from zero again; if it fails, the breaker opens");
        return agent.attempt == 0
            ? QStringLiteral("no start or stop is planned")
            : QStringLiteral("its restarts are counted from zero again when it is stable");
    case InstanceState::CircuitOpen:
        return whileIsolatedText;
    case InstanceState::Evaluating:
        return QStringLiteral("its evaluator decides");
    case InstanceState::Stopping:
        return agent.stopReason.isEmpty() ? QStringLiteral("it stops")
                                          : QLatin1String("it stops: ") + agent.stopReason;
    case InstanceState::Gated:
        return untilStartedText + QLatin1String(" or the license tier changes");
    case InstanceState::Stopped:
        if (const QString why = whyDown(agent); !why.isEmpty())
            return why + QLatin1String("; ") + untilStartedText;
        break;
    case InstanceState::Exhausted:
    case InstanceState::Failed:
        return reasonText(decisions) + untilStartedText;
    case InstanceState::Waiting:
        break;
    }
    return untilStartedText;
}

// The form of agenthistory_p.h.
QByteArray shadowJson(const RestartDecision &shadow)
{
    const EvaluatorOpinion opinion = shadow.evaluator.value_or(EvaluatorOpinion());
    return objectJson("id", opinion.id, "answer", opinion.answerText(), "reason", opinion.reason,
                      "builtInDelayMs", opinion.builtInDelay, "rule", toText(shadow.rule),
                      "delayMs", shadow.delay);
}

} // namespace

ExplainCalls::ExplainCalls(AgentSupervisor &supervisor)
    : m_supervisor(supervisor)
{
    recordDecisions(supervisor.policyEvaluator(), this,
                    [this](DecisionRecord record) { m_decisions.add(std::move(record)); });
    const RestartPolicyEvaluator &evaluator = supervisor.policyEvaluator();
    connect(&evaluator, &RestartPolicyEvaluator::restartCancelled, this,
            [this](const RestartCancelled &event) { m_decisions.cancel(event); });
    connect(&evaluator, &RestartPolicyEvaluator::operatorActed, this,
            [this](const OperatorAction &event) {
                Actions &actions = m_actions[event.instanceId];
                const bool isOfBreaker = event.request.startsWith(QLatin1String("breaker."));
                (isOfBreaker ? actions.ofBreaker : actions.operation) = event;
            });
    connect(&evaluator, &RestartPolicyEvaluator::groupRestarting, this,
            [this](const GroupRestarting &event) { addGroupEvent(event, event.members); });
    connect(&evaluator, &RestartPolicyEvaluator::groupExhausted, this,
            [this](const GroupExhausted &event) { addGroupEvent(event, event.members); });
    connect(&evaluator, &RestartPolicyEvaluator::restartRequested, this,
            [this](const RestartRequested &event) { m_actions[event.instanceId].request = event; });
    connect(&supervisor, &AgentSupervisor::agentRemoved, this, [this](const QUuid &id) {
        m_decisions.remove(id);
        m_actions.remove(id);
    });
}

ControlReply ExplainCalls::explain(ControlRequest &request) const
{
    const QString name = request.agent();
    int decisions = DecisionRing::maxPerAgent;
    request.params.read(QStringLiteral("decisions"), decisions, 1, DecisionRing::maxPerAgent);
    if (const auto fault = request.fault())
        return *fault;
    const QUuid id = m_supervisor.idOf(name);
    const AgentStatus status = detailsOf(m_supervisor, id);
    const Agent *const agent = m_supervisor.agent(id);
    return objectJson("agent", status, "cursor", request.host.events.cursor(), "decisions",
                      decisionsOf(id, decisions), "actions", actionsOf(id), "next",
                      nextOf(id, status), "storedDescriptors",
                      agent != nullptr ? agent->storedDescriptors() : QStringList());
}

QString ExplainCalls::nextOf(const QUuid &id, const AgentStatus &agent) const
{
    const RestartPolicyEvaluator &evaluator = m_supervisor.policyEvaluator();
    const auto state = knownState(agent);
    const CircuitBreakerInfo breaker = evaluator.circuitBreakerState(id);
    if (state == InstanceState::Stopped && evaluator.isActive(id))
        return QStringLiteral("it starts");
    QString text =
        nextText(agent, breaker.state == CircuitBreakerState::HalfOpen, m_decisions.of(id));
    const std::optional<InstanceStatus> status = evaluator.status(id);
    if (state == InstanceState::Stopping && status && status->planned != PlannedStart::None)
        text += QLatin1String(", and then starts again");
    const auto policy = evaluator.policy(id).circuitBreaker;
    if (state == InstanceState::CircuitOpen && !breaker.isolated && policy) {
        return QStringLiteral("circuit breaker open after %1 (threshold: %2); %3")
            .arg(counted(breaker.failureCount, "failure", "failures"))
            .arg(policy->threshold)
            .arg(text);
    }
    const Agent *const known = m_supervisor.agent(id);
    if (state == InstanceState::Running && known != nullptr && known->recyclingAt()) {
        const QString recycling = QLatin1String("recycling in ")
            + readable(std::max(*known->recyclingAt() - m_supervisor.scheduler().now(),
                                Duration{0}));
        return agent.attempt == 0 ? recycling : text + QLatin1String("; ") + recycling;
    }
    return text;
}

QList<QByteArray> ExplainCalls::actionsOf(const QUuid &id) const
{
    const Actions found = m_actions.value(id);
    std::vector<LifecycleEvent> events;
    for (const auto &each : {found.operation, found.ofBreaker, found.request, found.ofGroup}) {
        if (each)
            events.push_back(*each);
    }
    std::sort(events.begin(), events.end(),
              [](const auto &a, const auto &b) { return header(a).sequence < header(b).sequence; });
    QList<QByteArray> actions;
    for (const LifecycleEvent &each : events) {
        QString text = eventText(each);
        if (header(each).instanceId != id)
            text += QLatin1String(" because of ") + header(each).agent;
        actions.append(objectJson("time", header(each).time, "text", text));
    }
    return actions;
}

void ExplainCalls::addGroupEvent(const LifecycleEvent &event, const QStringList &members)
{
    for (const QString &member : members) {
        if (const QUuid id = m_supervisor.idOf(member); !id.isNull())
            m_actions[id].ofGroup = event;
    }
}

QList<QByteArray> ExplainCalls::decisionsOf(const QUuid &id, int limit) const
{
    const std::vector<DecisionRing::Entry> entries = m_decisions.of(id);
    const std::size_t shown = std::min(entries.size(), static_cast<std::size_t>(limit));
    QList<QByteArray> decisions;
    for (std::size_t i = entries.size() - shown; i < entries.size(); ++i) {
        const auto &[made, shadow, isCanceled] = entries[i];
        decisions.append(objectJson(
            "instanceId", id, "agent", made.agent, "time", made.time, "monoNs",
            made.monotonicTime.time_since_epoch().count(), "decision", toJson(made), "canceled",
            FieldWriter::optional(isCanceled), "shadow",
            FieldWriter::optional(shadow ? shadowJson(shadow->decision) : QByteArray())));
    }
    return decisions;
}

} // namespace Rekindle
