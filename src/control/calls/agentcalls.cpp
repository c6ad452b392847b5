// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/agentcalls_p.h"

#include "base/processes/processstat_p.h"
#include "control/calls/groupcalls_p.h"
#include "control/calls/operatoraction_p.h"
#include "control/calls/sharedbreakercalls_p.h"
#include "policy/internal/texthelpers.h"
#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"
#include "json/jsonwriter.h"
#include "json/nearestname.h"

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/policy/eventtext.h>
#include <rekindle/policy/instancememory.h>

#include <QHash>
#include <QPointer>
#include <QSet>

#include <algorithm>

namespace Rekindle {

namespace {

struct Params
{
    QStringList agents;
    QStringList tags; ///< of agents.list
    QString reason;
};

void readTexts(const std::optional<JsonPlace> &array, QStringList &texts)
{
    if (!array)
        return;
    for (const JsonPlace &each : array->items().value_or(std::vector<JsonPlace>()))
        texts.append(each.textNotEmpty().value_or(QString()));
}

// Operations have a reason.
enum class Names { Optional, One, OneToOperate, Required };

Parsed<Params> read(const QByteArray &json, Names names)
{
    return readParsed(parseJson(json), [&](const JsonPlace &object) {
        Params params;
        JsonObjectReader reader(object);
        if (names == Names::One || names == Names::OneToOperate) {
            if (const auto agent = reader.required(QStringLiteral("agent")))
                params.agents.append(agent->textNotEmpty().value_or(QString()));
        } else {
            const QString key = QStringLiteral("agents");
            readTexts(names == Names::Required ? reader.required(key) : reader.member(key),
                      params.agents);
        }
        if (names == Names::Optional)
            readTexts(reader.member(QStringLiteral("tags")), params.tags);
        if (names == Names::OneToOperate || names == Names::Required) {
            if (const auto reason = reader.member(QStringLiteral("reason")))
                params.reason = readReason(*reason);
        }
        reader.finish();
        return params;
    });
}

// Relative times, because the clocks of client and host may differ.
template<typename Time>
std::optional<double> millisecondsUntil(Time now, const std::optional<Time> &then)
{
    return then ? std::optional(toMilliseconds(*then - now)) : std::nullopt;
}

void writeBreaker(JsonWriter &json, const CircuitBreakerInfo &breaker, UtcTime now)
{
    json.beginObject();
    json.member(QLatin1String("state"), toText(breaker.state));
    json.member(QLatin1String("isolated"), breaker.isolated);
    json.member(QLatin1String("failures"), breaker.failureCount);
    json.member(QLatin1String("resetInMs"), millisecondsUntil(now, breaker.resetAt));
    json.endObject();
}

void writeHealth(JsonWriter &json, const AgentHealthStatus &health)
{
    json.beginObject();
    json.member(QLatin1String("state"), toText(health.state));
    json.member(QLatin1String("consecutiveFailures"), health.consecutiveMisses);
    json.member(QLatin1String("detail"), health.detail);
    json.endObject();
}

Json toJsonArray(const QStringList &texts)
{
    Json array = Json::array();
    for (const QString &each : texts)
        array.push_back(each.toStdString());
    return array;
}

Json stateOf(const AgentSupervisor &supervisor, const QUuid &id)
{
    const std::optional<InstanceState> state = supervisor.policyEvaluator().state(id);
    return state ? Json(toText(*state).toStdString()) : Json(nullptr);
}

bool isRunning(const AgentSupervisor &supervisor, const QUuid &id)
{
    const std::optional<InstanceState> state = supervisor.policyEvaluator().state(id);
    return state == InstanceState::Running || state == InstanceState::Starting;
}

Json resultRow(const AgentSupervisor &supervisor, const QUuid &id, const QString &name,
               bool isAccepted)
{
    const AgentSnapshot after = supervisor.snapshot(id).value_or(AgentSnapshot());
    QStringList causes; // that the operator should know
    for (const HoldCause &each : after.holdCauses) {
        if (isAccepted && !each.isTransient)
            causes.append(each.text);
    }
    return {{"agent", name.toStdString()},
            {"accepted", isAccepted},
            {"state", stateOf(supervisor, id)},
            {"holdTexts", toJsonArray(causes)}};
}

// The shared breakers that prevent a restart.
QHash<QUuid, QStringList> openBreakersOf(const AgentSupervisor &supervisor,
                                         const SharedBreakerCalls &breakers,
                                         const QList<QUuid> &ids)
{
    QHash<QUuid, QStringList> open;
    for (const QUuid &id : ids) {
        if (isRunning(supervisor, id))
            open.insert(id, breakers.openBreakers(id));
    }
    return open;
}

bool startsAgents(ControlMethod method)
{
    return method == ControlMethod::StartAgents || method == ControlMethod::RestartAgents
        || method == ControlMethod::RetryAgents;
}

// Reports why the dependencies of an agent were started. Returns their names.
QStringList announceStarts(RestartPolicyEvaluator &evaluator, const QList<QUuid> &dependencies,
                           const QString &agent, OperatorAction action)
{
    const QPointer<RestartPolicyEvaluator> alive(&evaluator);
    action.request = QLatin1String(nameOf(ControlMethod::StartAgents));
    action.reason = QStringLiteral("%1 depends on it").arg(agent);
    QStringList names;
    for (const QUuid &id : dependencies) {
        if (!alive)
            break;
        names.append(evaluator.name(id));
        evaluator.announce(id, action);
    }
    return names;
}

} // namespace

std::optional<AgentCalls::Response>
AgentCalls::respond(ControlMethod method, const QByteArray &params, const ControlPeer &peer)
{
    // A host exits when all agents have stopped. One that is started would prevent that.
    if (startsAgents(method) && m_supervisor.isStopping())
        return stopping(QStringLiteral("the host is stopping its agents"));
    switch (method) {
    case ControlMethod::ListAgents:
        return list(params);
    case ControlMethod::GetAgent:
        return get(params);
    case ControlMethod::StartAgents:
        return operate(
            method, params, peer,
            [](AgentSupervisor &all, const QUuid &id, const QString &) { return all.start(id); });
    case ControlMethod::StopAgents:
        return operate(
            method, params, peer,
            [](AgentSupervisor &all, const QUuid &id, const QString &) { return all.stop(id); });
    case ControlMethod::RestartAgents:
        return operate(
            method, params, peer, [](AgentSupervisor &all, const QUuid &id, const QString &reason) {
                return all.restart(id, reason.isEmpty() ? QStringLiteral("operator") : reason);
            });
    case ControlMethod::RetryAgents:
        return operate(method, params, peer,
                       [](AgentSupervisor &all, const QUuid &id, const QString &) {
                           return all.retryNow(id);
                       });
    case ControlMethod::ResetBreaker:
        return operateBreaker(method, params, peer, &RestartPolicyEvaluator::resetCircuitBreaker);
    case ControlMethod::IsolateBreaker:
        return operateBreaker(method, params, peer, &RestartPolicyEvaluator::isolateCircuitBreaker);
    case ControlMethod::ReleaseBreaker:
        return operateBreaker(method, params, peer, &RestartPolicyEvaluator::releaseCircuitBreaker);
    default:
        return std::nullopt;
    }
}

void AgentCalls::announce(ControlMethod method, const QStringList &agents, const ControlPeer &peer)
{
    const OperatorAction action = operatorAction(method, peer);
    const QPointer<AgentSupervisor> supervisor(&m_supervisor);
    for (const QString &name : agents) {
        if (supervisor)
            supervisor->policyEvaluator().announce(supervisor->idOf(name), action);
    }
}

AgentCalls::Response AgentCalls::list(const QByteArray &params) const
{
    const Parsed<Params> read = Rekindle::read(params, Names::Optional);
    if (!read)
        return invalidParams(read.faults);
    QList<QUuid> chosen = m_supervisor.ids();
    if (!read.value->agents.isEmpty()) {
        auto ids = idsOf(read.value->agents);
        if (auto *error = std::get_if<ControlError>(&ids))
            return std::move(*error);
        chosen = std::get<QList<QUuid>>(ids);
    }
    if (!read.value->tags.isEmpty())
        chosen.removeIf([&](const QUuid &id) { return !hasAnyTag(id, read.value->tags); });
    constexpr qsizetype usualSize = 512; // of an agent
    QByteArray result;
    result.reserve(chosen.size() * usualSize);
    JsonWriter json(result);
    json.beginObject();
    json.key(QLatin1String("agents"));
    writeSnapshots(json, chosen);
    json.key(QLatin1String("groups"));
    m_groups.writeStates(json, chosen);
    json.key(QLatin1String("sharedBreakers"));
    m_breakers.writeStates(json, chosen);
    json.key(QLatin1String("governor"));
    writeGovernor(json);
    json.key(QLatin1String("store"));
    writeStore(json);
    json.member(QLatin1String("cursor"), m_events.cursor());
    json.endObject();
    return result;
}

AgentCalls::Response AgentCalls::get(const QByteArray &params) const
{
    const Parsed<Params> read = Rekindle::read(params, Names::One);
    if (!read)
        return invalidParams(read.faults);
    auto ids = idsOf(read.value->agents);
    if (auto *error = std::get_if<ControlError>(&ids))
        return std::move(*error);
    const QUuid id = std::get<QList<QUuid>>(ids).front();
    return detailsOf(id);
}

QByteArray AgentCalls::detailsOf(const QUuid &id) const
{
    QByteArray result;
    JsonWriter json(result);
    json.beginObject();
    json.key(QLatin1String("agent"));
    writeSnapshot(json, id, StderrTail::Included);
    json.member(QLatin1String("cursor"), m_events.cursor());
    json.endObject();
    return result;
}

// A slot of the host may destroy the supervisor and this object.
template<typename Command>
AgentCalls::Response AgentCalls::operate(ControlMethod method, const QByteArray &params,
                                         const ControlPeer &peer, Command command)
{
    const Parsed<Params> read = Rekindle::read(params, Names::Required);
    if (!read)
        return invalidParams(read.faults);
    auto ids = idsOf(read.value->agents);
    if (auto *error = std::get_if<ControlError>(&ids))
        return std::move(*error);
    OperatorAction action = operatorAction(method, peer);
    action.reason = read.value->reason;
    // Before the first command, whose slots may destroy this object.
    const QHash<QUuid, QStringList> openBreakers = method == ControlMethod::RestartAgents
        ? openBreakersOf(m_supervisor, m_breakers, std::get<QList<QUuid>>(ids))
        : QHash<QUuid, QStringList>();
    const QPointer<AgentSupervisor> supervisor(&m_supervisor);
    Json results = Json::array();
    for (qsizetype i = 0; i < read.value->agents.size(); ++i) {
        const QUuid &id = std::get<QList<QUuid>>(ids)[i];
        const QString &name = read.value->agents[i];
        // A running agent is not stopped if it would not start again.
        if (const QStringList open = openBreakers.value(id); !open.isEmpty()) {
            results.push_back(resultRow(*supervisor, id, name, false));
            results.back()["openSharedBreakers"] = toJsonArray(open);
            continue;
        }
        supervisor->policyEvaluator().announce(id, action);
        const CommandResult result =
            supervisor ? command(*supervisor, id, read.value->reason) : CommandResult();
        const QStringList alsoStarted = supervisor
            ? announceStarts(supervisor->policyEvaluator(), result.alsoStarted, name, action)
            : QStringList();
        if (!supervisor)
            return stopping(QStringLiteral("the host exits"));
        results.push_back(resultRow(*supervisor, id, name, bool(result)));
        if (!result) {
            const bool isUnknown = result.effect == CommandResult::Effect::Unknown;
            results.back()["noEffect"] = isUnknown ? "it was removed" : result.reason.toStdString();
            // The agent that a reload has removed. It can still be stopped.
            if (startsAgents(method) && supervisor->isRetired(id))
                results.back()["removed"] = true;
        }
        if (!alsoStarted.isEmpty())
            results.back()["alsoStarted"] = toJsonArray(alsoStarted);
    }
    return inlineJson(results);
}

AgentCalls::Response
AgentCalls::operateBreaker(ControlMethod method, const QByteArray &params, const ControlPeer &peer,
                           CommandResult (RestartPolicyEvaluator::*command)(const QUuid &))
{
    const Parsed<Params> read = Rekindle::read(params, Names::OneToOperate);
    if (!read)
        return invalidParams(read.faults);
    auto ids = idsOf(read.value->agents);
    if (auto *error = std::get_if<ControlError>(&ids))
        return std::move(*error);
    const QUuid id = std::get<QList<QUuid>>(ids).front();
    const QPointer<RestartPolicyEvaluator> evaluator(&m_supervisor.policyEvaluator());
    if (!evaluator->policy(id).circuitBreaker) {
        return refused("noCircuitBreaker",
                       QStringLiteral("%1 has no circuit breaker").arg(read.value->agents.front()));
    }
    OperatorAction action = operatorAction(method, peer);
    action.reason = read.value->reason;
    evaluator->announce(id, std::move(action));
    const CommandResult result = evaluator ? (evaluator->*command)(id) : CommandResult();
    if (!evaluator)
        return stopping(QStringLiteral("the host exits"));
    return breakerResult(result, evaluator->circuitBreakerState(id));
}

std::variant<QList<QUuid>, ControlError> AgentCalls::idsOf(const QStringList &asked) const
{
    QList<QUuid> ids;
    QSet<QUuid> seen;
    for (const QString &name : asked) {
        const QUuid id = m_supervisor.idOf(name);
        if (id.isNull())
            return unknownAgent(name);
        // With repetitions, the work of a request would not be bounded by the number of agents.
        if (seen.contains(id))
            return ControlError{ErrorCode::invalidParams,
                                QStringLiteral("params: /agents: %1 is repeated").arg(name),
                                {}};
        seen.insert(id);
        ids.append(id);
    }
    return ids;
}

QStringList AgentCalls::names() const
{
    QStringList names;
    for (const QUuid &each : m_supervisor.ids())
        names.append(m_supervisor.snapshot(each).value_or(AgentSnapshot()).name);
    return names;
}

// An agent that was removed is known from its events.
ControlError AgentCalls::unknownAgent(const QString &name) const
{
    const bool wasRemoved = m_events.agents().contains(name);
    QByteArray data;
    JsonWriter json(data);
    json.beginObject();
    json.member(QLatin1String("candidates"), names());
    if (wasRemoved)
        json.member(QLatin1String("removed"), name);
    json.endObject();
    return {ErrorCode::unknownAgent,
            QLatin1String("no agent named ") + name
                + (wasRemoved ? QStringLiteral(": it was removed") : didYouMean(name, names())),
            data};
}

bool AgentCalls::hasAnyTag(const QUuid &id, const QStringList &tags) const
{
    const QStringList own = m_supervisor.tags(id);
    return std::any_of(tags.begin(), tags.end(),
                       [&own](const QString &tag) { return own.contains(tag); });
}

void AgentCalls::writeSnapshots(JsonWriter &json, const QList<QUuid> &ids) const
{
    json.beginArray();
    for (const QUuid &id : ids)
        writeSnapshot(json, id, StderrTail::Omitted);
    json.endArray();
}

// Without Json values: a host can have 10,000 agents, and does nothing else in the meantime.
void AgentCalls::writeSnapshot(JsonWriter &json, const QUuid &id, StderrTail stderrTail) const
{
    const AgentSnapshot agent = m_supervisor.snapshot(id).value_or(AgentSnapshot());
    const Scheduler &scheduler = m_supervisor.scheduler();
    const Instant now = scheduler.now();
    json.beginObject();
    json.member(QLatin1String("agent"), agent.name);
    json.member(QLatin1String("instanceId"), agent.instanceId);
    json.member(QLatin1String("state"), toText(agent.state));
    json.member(QLatin1String("stoppedByOperator"), agent.stoppedByOperator);
    json.member(QLatin1String("stopReason"),
                agent.stopReason.isEmpty() ? std::nullopt
                                           : std::optional<QStringView>(agent.stopReason));
    json.member(QLatin1String("generation"), agent.generation);
    json.member(QLatin1String("attempt"), agent.attempt);
    json.member(QLatin1String("maxRetries"), agent.maxRetries);
    json.member(QLatin1String("pid"),
                agent.processId > 0 ? std::optional(agent.processId) : std::nullopt);
    json.member(QLatin1String("uptimeMs"),
                agent.startedAt ? std::optional(toMilliseconds(now - *agent.startedAt))
                                : std::nullopt);
    const auto process =
        agent.processId > 0 ? ProcessStat::of(static_cast<pid_t>(agent.processId)) : std::nullopt;
    json.member(QLatin1String("cpuMs"),
                process ? std::optional(process->cpuTime.count()) : std::nullopt);
    json.member(QLatin1String("memoryBytes"),
                process ? std::optional(process->residentBytes) : std::nullopt);
    json.member(QLatin1String("nextStartInMs"), millisecondsUntil(now, agent.nextStartAt));
    json.member(QLatin1String("holds"), toTexts(agent.holds));
    json.member(QLatin1String("holdTexts"), toTexts(agent.holdCauses));
    json.key(QLatin1String("breaker"));
    if (m_supervisor.policyEvaluator().policy(id).circuitBreaker)
        writeBreaker(json, agent.circuitBreaker, scheduler.clock().utcNow());
    else
        json.null();
    json.key(QLatin1String("health"));
    writeHealth(json, agent.health);
    json.key(QLatin1String("lastFailure"));
    writeFailure(json, agent.lastFailure, stderrTail);
    const Agent *const running = m_supervisor.agent(id);
    const QString text = running != nullptr ? running->statusText() : QString();
    json.member(QLatin1String("statusText"),
                text.isEmpty() ? std::nullopt : std::optional<QStringView>(text));
    json.member(QLatin1String("tags"), m_supervisor.tags(id));
    const QString group = m_supervisor.group(id);
    json.member(QLatin1String("group"),
                group.isEmpty() ? std::nullopt : std::optional<QStringView>(group));
    json.member(QLatin1String("start"),
                m_supervisor.hasManualStart(id) ? QLatin1String("manual") : QLatin1String("auto"));
    json.endObject();
}

// Null without a governor.
void AgentCalls::writeGovernor(JsonWriter &json) const
{
    if (m_gate.isNull() || !m_gate->limits()) {
        json.null();
        return;
    }
    json.beginObject();
    json.member(QLatin1String("queued"), m_gate->governor().queuedCount());
    json.member(QLatin1String("starting"), m_gate->governor().startingCount());
    json.endObject();
}

void AgentCalls::writeStore(JsonWriter &json) const
{
    if (!m_archive) {
        json.null();
        return;
    }
    json.beginObject();
    json.member(QLatin1String("droppedRows"), m_archive->droppedRows());
    json.endObject();
}

// The lines on stderr only for one agent, because those of all agents would be too much for one
// response.
void AgentCalls::writeFailure(JsonWriter &json, const std::optional<Failure> &failure,
                              StderrTail stderrTail)
{
    if (!failure) {
        json.null();
        return;
    }
    json.beginObject();
    json.member(QLatin1String("reason"), toText(failure->reason));
    json.member(QLatin1String("text"), failureText(failure->reason, failure->detail));
    if (stderrTail == StderrTail::Included)
        json.member(QLatin1String("stderrTail"), failure->detail.stderrTail);
    json.endObject();
}

} // namespace Rekindle
