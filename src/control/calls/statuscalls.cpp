// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/statuscalls_p.h"

#include "control/internal/agentwords.h"
#include "control/internal/messagejson.h"
#include "json/nearestname.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <QSet>

#include <algorithm>

namespace Rekindle {

namespace {

template<typename Time>
std::optional<Duration> timeUntil(const std::optional<Time> &then, Time now)
{
    return then ? std::optional<Duration>(*then - now) : std::nullopt;
}

} // namespace

ControlResponse StatusCalls::list(ControlRequest &request) const
{
    const QStringList names = request.agents(request.params.member(QStringLiteral("agents")));
    const QStringList tags = ControlRequest::texts(request.params.member(QStringLiteral("tags")));
    if (const auto fault = request.fault())
        return *fault;
    QList<QUuid> chosen = names.isEmpty() ? m_supervisor.ids() : idsOf(names);
    if (!tags.isEmpty()) {
        chosen.removeIf([&](const QUuid &id) {
            const QStringList own = m_supervisor.tags(id);
            return std::none_of(tags.begin(), tags.end(),
                                [&own](const QString &tag) { return own.contains(tag); });
        });
    }
    const QSet<QUuid> ids(chosen.begin(), chosen.end());
    const auto isChosen = [&ids](const QUuid &id) { return ids.contains(id); };
    HostStatus host{.agents = statusOf(chosen), .cursor = cursor()};
    const QList<GroupDefinition> groups = m_groups ? m_groups->groups() : QList<GroupDefinition>();
    for (const GroupDefinition &each : groups) {
        const QList<QUuid> agents = idsOf(agentsOfGroup(groups, each.name));
        if (std::any_of(agents.begin(), agents.end(), isChosen))
            host.groups.append(statusOf(each));
    }
    const QList<SharedBreakerPolicy> breakers =
        m_breakers ? m_breakers->breakers() : QList<SharedBreakerPolicy>();
    for (const SharedBreakerPolicy &each : breakers) {
        const QList<QUuid> agents = m_breakers->agents(each.name);
        if (std::any_of(agents.begin(), agents.end(), isChosen))
            host.sharedBreakers.append(statusOf(each, agents));
    }
    if (m_gate && m_gate->limits())
        host.governor = {.queued = m_gate->governor().queuedCount(),
                         .starting = m_gate->governor().startingCount()};
    if (m_archive)
        host.store = {.droppedRows = static_cast<qint64>(m_archive->droppedRows())};
    return messageJson(host);
}

ControlResponse StatusCalls::get(ControlRequest &request) const
{
    const QString agent = request.agent();
    if (const auto fault = request.fault())
        return *fault;
    return objectJson("agent", detailsOf(m_supervisor.idOf(agent)), "cursor", cursor());
}

QStringList StatusCalls::names() const
{
    QStringList names;
    for (const QUuid &each : m_supervisor.ids())
        names.append(m_supervisor.snapshot(each).value_or(AgentSnapshot()).name);
    return names;
}

std::optional<ControlError> StatusCalls::faultIn(const QStringList &asked) const
{
    QSet<QString> seen;
    for (const QString &name : asked) {
        if (m_supervisor.idOf(name).isNull()) {
            // An agent that was removed is known from its events.
            const bool wasRemoved = m_events.agents().contains(name);
            return ControlError{
                ControlError::Code::UnknownAgent,
                QLatin1String("no agent named ") + name
                    + (wasRemoved ? QStringLiteral(": it was removed") : didYouMean(name, names())),
                objectJson("candidates", names(), "removed",
                           FieldWriter::optional(wasRemoved ? name : QString()))};
        }
        // With repetitions, the work of a request would not be bounded by the number of agents.
        if (seen.contains(name)) {
            return invalidParams({Fault{.path = QStringLiteral("/agents"),
                                        .message = QStringLiteral("%1 is repeated").arg(name)}});
        }
        seen.insert(name);
    }
    return {};
}

QList<QUuid> StatusCalls::idsOf(const QStringList &names) const
{
    QList<QUuid> ids;
    for (const QString &name : names)
        ids.append(m_supervisor.idOf(name));
    return ids;
}

QList<AgentStatus> StatusCalls::statusOf(const QList<QUuid> &ids) const
{
    QList<AgentStatus> all;
    all.reserve(ids.size());
    for (const QUuid &id : ids)
        all.append(Rekindle::statusOf(m_supervisor, id));
    return all;
}

AgentStatus StatusCalls::detailsOf(const QUuid &id) const
{
    AgentStatus agent = Rekindle::statusOf(m_supervisor, id);
    const auto failure = m_supervisor.snapshot(id).value_or(AgentSnapshot()).lastFailure;
    if (failure && agent.lastFailure)
        agent.lastFailure->stderrTail = failure->detail.stderrTail;
    return agent;
}

GroupStatus StatusCalls::statusOf(const GroupDefinition &group) const
{
    const GroupSnapshot snapshot = m_groups->snapshot(group.name).value_or(GroupSnapshot());
    GroupStatus status{
        .name = group.name,
        .state = toText(m_groups->state(group.name).value_or(GroupState::Stopped)),
        .strategy = toText(group.strategy),
        .failures = static_cast<qint64>(snapshot.incidents.size()),
        .maxRestarts = group.maxRestarts,
        .period = group.period,
        .startIn = timeUntil(snapshot.rearmAt, m_supervisor.scheduler().now()),
    };
    for (const GroupMember &each : group.members) {
        GroupStatus::Member &member = status.members.emplaceBack();
        (each.isGroup ? member.group : member.agent) = each.name;
    }
    return status;
}

SharedBreakerStatus StatusCalls::statusOf(const SharedBreakerPolicy &policy,
                                          const QList<QUuid> &agents) const
{
    const CircuitBreakerInfo info = m_breakers->info(policy.name).value_or(CircuitBreakerInfo());
    const QList<SharedBreaker::Vote> votes = m_breakers->votes(policy.name);
    QSet<QUuid> failed;
    for (const SharedBreaker::Vote &each : votes)
        failed.insert(each.agent);
    const RestartPolicyEvaluator &evaluator = m_supervisor.policyEvaluator();
    SharedBreakerStatus status{
        .name = policy.name,
        .state = toText(info.state),
        .isolated = info.isolated,
        .resetIn = timeUntil(info.resetAt, m_supervisor.scheduler().clock().utcNow()),
        .trial = evaluator.name(m_breakers->trial(policy.name)),
        .failures = votes.size(),
        .threshold = policy.threshold,
        .failedAgents = failed.size(),
        .agentsToOpen = policy.agents};
    for (const QUuid &id : agents)
        status.agents.append(evaluator.name(id));
    return status;
}

} // namespace Rekindle
