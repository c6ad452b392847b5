// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/sharedbreakercalls_p.h"

#include "control/calls/operatoraction_p.h"
#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"
#include "json/jsontext.h"
#include "json/jsonwriter.h"
#include "json/nearestname.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <QSet>

#include <algorithm>

namespace Rekindle {

namespace {

using Operation = CommandResult (SharedBreakers::*)(const QString &breaker);

Operation operationOf(ControlMethod method)
{
    switch (method) {
    case ControlMethod::ResetBreaker:
        return &SharedBreakers::reset;
    case ControlMethod::IsolateBreaker:
        return &SharedBreakers::isolate;
    case ControlMethod::ReleaseBreaker:
        return &SharedBreakers::release;
    default:
        return nullptr;
    }
}

struct BreakerRequest
{
    QString breaker;
    QString reason;
};

Parsed<BreakerRequest> readRequest(const Parsed<JsonNode> &params)
{
    return readParsed(params, [](const JsonPlace &object) {
        BreakerRequest request;
        JsonObjectReader reader(object);
        if (const auto agent = reader.member(QStringLiteral("agent")))
            agent->faultAtName(QStringLiteral("expected \"agent\" or \"shared\", found both"));
        if (const auto shared = reader.required(QStringLiteral("shared")))
            request.breaker = shared->textNotEmpty().value_or(QString());
        if (const auto reason = reader.member(QStringLiteral("reason")))
            request.reason = readReason(*reason);
        reader.finish();
        return request;
    });
}

} // namespace

std::optional<ControlResponse>
SharedBreakerCalls::respond(ControlMethod method, const QByteArray &params, const ControlPeer &peer)
{
    const Operation operation = operationOf(method);
    if (!operation)
        return std::nullopt;
    const Parsed<JsonNode> parsed = parseJson(params);
    if (!parsed || !parsed.value->member(u"shared"))
        return std::nullopt;
    const Parsed<BreakerRequest> asked = readRequest(parsed);
    if (!asked)
        return invalidParams(asked.faults);
    const QString &breaker = asked.value->breaker;
    if (m_breakers.isNull() || !m_breakers->info(breaker)) {
        QByteArray candidates;
        JsonWriter json(candidates);
        json.beginObject();
        json.member(QLatin1String("candidates"), names());
        json.endObject();
        return ControlError{ErrorCode::unknownSharedBreaker,
                            QLatin1String("no shared breaker named ") + breaker
                                + didYouMean(breaker, names()),
                            candidates};
    }
    OperatorAction action = operatorAction(method, peer);
    action.reason = asked.value->reason;
    action.sharedBreaker = breaker;
    const QPointer<AgentSupervisor> supervisor(&m_supervisor);
    const QPointer<SharedBreakers> breakers = m_breakers;
    const QList<QUuid> agents = breakers->agents(breaker);
    for (const QUuid &id : agents) {
        if (supervisor)
            supervisor->policyEvaluator().announce(id, action);
    }
    const CommandResult result = breakers ? (breakers->*operation)(breaker) : CommandResult();
    if (!breakers || !supervisor)
        return stopping(QStringLiteral("the host exits"));
    return breakerResult(result, breakers->info(breaker).value_or(CircuitBreakerInfo()));
}

QStringList SharedBreakerCalls::names() const
{
    QStringList names;
    const QList<SharedBreakerPolicy> policies =
        m_breakers ? m_breakers->breakers() : QList<SharedBreakerPolicy>();
    for (const SharedBreakerPolicy &each : policies)
        names.append(each.name);
    return names;
}

QStringList SharedBreakerCalls::openBreakers(const QUuid &agent) const
{
    QStringList open;
    const QStringList required = m_breakers
        ? m_breakers->required(m_supervisor.policyEvaluator().name(agent))
        : QStringList();
    for (const QString &each : required) {
        const std::optional<CircuitBreakerInfo> info = m_breakers->info(each);
        if (info && info->state != CircuitBreakerState::Closed)
            open.append(each);
    }
    return open;
}

void SharedBreakerCalls::writeStates(JsonWriter &json, const QList<QUuid> &agents) const
{
    const QSet<QUuid> asked(agents.begin(), agents.end());
    json.beginArray();
    const QList<SharedBreakerPolicy> all =
        m_breakers ? m_breakers->breakers() : QList<SharedBreakerPolicy>();
    for (const SharedBreakerPolicy &each : all) {
        const QList<QUuid> requiring = m_breakers->agents(each.name);
        const bool isAsked = std::any_of(requiring.begin(), requiring.end(),
                                         [&asked](const QUuid &id) { return asked.contains(id); });
        if (isAsked)
            writeState(json, each);
    }
    json.endArray();
}

void SharedBreakerCalls::writeState(JsonWriter &json, const SharedBreakerPolicy &policy) const
{
    const QString &breaker = policy.name;
    const CircuitBreakerInfo info = m_breakers->info(breaker).value_or(CircuitBreakerInfo());
    const QList<SharedBreaker::Vote> votes = m_breakers->votes(breaker);
    QSet<QUuid> failed;
    for (const SharedBreaker::Vote &each : votes)
        failed.insert(each.agent);
    const RestartPolicyEvaluator &evaluator = m_supervisor.policyEvaluator();
    QStringList agents;
    const QList<QUuid> requiring = m_breakers->agents(breaker);
    for (const QUuid &id : requiring)
        agents.append(evaluator.name(id));
    const QString trial = evaluator.name(m_breakers->trial(breaker));
    const UtcTime now = m_supervisor.scheduler().clock().utcNow();
    json.beginObject();
    json.member(QLatin1String("name"), breaker);
    json.member(QLatin1String("state"), toText(info.state));
    json.member(QLatin1String("isolated"), info.isolated);
    json.member(QLatin1String("resetInMs"),
                info.resetAt ? std::optional(toMilliseconds(*info.resetAt - now)) : std::nullopt);
    json.member(QLatin1String("trial"),
                trial.isEmpty() ? std::nullopt : std::optional<QStringView>(trial));
    json.member(QLatin1String("failures"), votes.size());
    json.member(QLatin1String("threshold"), policy.threshold);
    json.member(QLatin1String("failedAgents"), failed.size());
    json.member(QLatin1String("agentsToOpen"), policy.agents);
    json.member(QLatin1String("agents"), agents);
    json.endObject();
}

} // namespace Rekindle
