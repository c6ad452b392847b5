// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/controlcalls_p.h"

#include "control/internal/agentwords.h"
#include "control/internal/messagejson.h"
#include "policy/internal/decisionrecord.h"
#include "policy/internal/texthelpers.h"
#include "policy/internal/words.h"

#include <rekindle/lifecycle/agent.h>

#include <algorithm>

namespace Rekindle {

namespace {

// The form of AgentHistory::shadowOf().
QByteArray shadowJson(const RestartDecision &shadow)
{
    const EvaluatorOpinion opinion = shadow.evaluator.value_or(EvaluatorOpinion());
    return objectJson("id", opinion.id, "answer", opinion.answerText(), "reason", opinion.reason,
                      "builtInDelayMs", opinion.builtInDelay, "rule", toText(shadow.rule),
                      "delayMs", shadow.delay);
}

QByteArray decisionJson(const DecisionLog::Entry &entry)
{
    const auto &[made, shadow, isCanceled] = entry;
    return objectJson("instanceId", made.instanceId, "agent", made.agent, "time", made.time,
                      "monoNs", made.monotonicTime.time_since_epoch().count(), "decision",
                      toJson(made), "canceled", FieldWriter::optional(isCanceled), "shadow",
                      FieldWriter::optional(shadow ? shadowJson(shadow->decision) : QByteArray()));
}

// "placement: runs on this node (token 7, its lease ends in 8s)"
QString placementText(const AgentStatus::Placement &placement)
{
    QStringList more;
    if (placement.token != 0)
        more.append(QStringLiteral("token %1").arg(placement.token));
    if (placement.leaseEndsIn)
        more.append(QLatin1String("its lease ends in ") + readable(*placement.leaseEndsIn)
                    + QLatin1String(" if it is not renewed"));
    const QString text = QLatin1String("placement: ") + placement.text;
    return more.isEmpty() ? text
                          : QStringLiteral("%1 (%2)").arg(text, more.join(QLatin1String(", ")));
}

// `rekindle explain` prints it; a window has an action instead.
QString nextText(const ControlCalls &host, const QUuid &id, const AgentStatus &agent)
{
    QString text = host.decisions.next(id);
    const auto state = knownState(agent);
    if (isIsolated(agent) && (state == InstanceState::Running || state == InstanceState::Starting))
        text.replace(whileIsolatedText(),
                     whileIsolatedText() + QLatin1String("; ") + releaseHint(agent));
    return agent.placement ? text + QLatin1String("; ") + placementText(*agent.placement) : text;
}

} // namespace

ControlReply explainAgent(ControlRequest &request)
{
    const QString name = request.agent();
    int limit = DecisionLog::defaultPerAgent;
    request.params.read(QStringLiteral("decisions"), limit, 1, DecisionLog::defaultPerAgent);
    if (const auto fault = request.fault())
        return *fault;
    const ControlCalls &host = request.host;
    const QUuid id = host.supervisor.idOf(name);
    const QList<DecisionLog::Entry> made = host.decisions.decisions(id);
    QList<QByteArray> decisions;
    for (qsizetype i = std::max<qsizetype>(0, made.size() - limit); i < made.size(); ++i)
        decisions.append(decisionJson(made[i]));
    const Agent *const agent = host.supervisor.agent(id);
    const AgentStatus status = host.detailsOf(id);
    const Words::English english;
    return objectJson("agent", status, "cursor", host.events.cursor(), "decisions", decisions,
                      "actions", host.decisions.actions(id), "next", nextText(host, id, status),
                      "storedDescriptors",
                      agent != nullptr ? agent->storedDescriptors() : QStringList());
}

} // namespace Rekindle
