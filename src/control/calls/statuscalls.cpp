// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/controlcalls_p.h"

#include "control/internal/agentwords.h"
#include "control/internal/messagejson.h"

#include <QSet>

#include <algorithm>

namespace Rekindle {

namespace {

GroupStatus statusOf(const ControlCalls &host, const GroupDefinition &group)
{
    const GroupSnapshot snapshot = host.groups->snapshot(group.name).value_or(GroupSnapshot());
    GroupStatus status{
        .name = group.name,
        .state = toText(host.groups->state(group.name).value_or(GroupState::Stopped)),
        .strategy = toText(group.strategy),
        .failures = static_cast<qint64>(snapshot.incidents.size()),
        .maxRestarts = group.maxRestarts,
        .period = group.period,
    };
    if (snapshot.rearmAt)
        status.startIn = *snapshot.rearmAt - host.supervisor.scheduler().now();
    for (const GroupMember &each : group.members) {
        GroupStatus::Member &member = status.members.emplaceBack();
        (each.isGroup ? member.group : member.agent) = each.name;
    }
    return status;
}

SharedBreakerStatus statusOf(const ControlCalls &host, const SharedBreakerPolicy &policy,
                             const QList<QUuid> &agents)
{
    const CircuitBreakerInfo info = host.breakers->info(policy.name).value_or(CircuitBreakerInfo());
    const QList<SharedBreaker::Vote> votes = host.breakers->votes(policy.name);
    QSet<QUuid> failed;
    for (const SharedBreaker::Vote &each : votes)
        failed.insert(each.agent);
    const RestartPolicyEvaluator &evaluator = host.supervisor.policyEvaluator();
    SharedBreakerStatus status{.name = policy.name,
                               .state = toText(info.state),
                               .isolated = info.isolated,
                               .trial = evaluator.name(host.breakers->trial(policy.name)),
                               .failures = votes.size(),
                               .threshold = policy.threshold,
                               .failedAgents = failed.size(),
                               .agentsToOpen = policy.agents};
    if (info.resetAt)
        status.resetIn = *info.resetAt - host.supervisor.scheduler().clock().utcNow();
    for (const QUuid &id : agents)
        status.agents.append(evaluator.name(id));
    return status;
}

} // namespace

ControlReply listAgents(ControlRequest &request)
{
    const QStringList names = request.agents(QStringLiteral("agents"));
    const QStringList tags = request.texts(QStringLiteral("tags"));
    if (const auto fault = request.fault())
        return *fault;
    const ControlCalls &host = request.host;
    QList<QUuid> chosen = names.isEmpty() ? host.supervisor.ids() : host.idsOf(names);
    if (!tags.isEmpty()) {
        chosen.removeIf([&](const QUuid &id) {
            const QStringList own = host.supervisor.tags(id);
            return std::none_of(tags.begin(), tags.end(),
                                [&own](const QString &tag) { return own.contains(tag); });
        });
    }
    const QSet<QUuid> ids(chosen.begin(), chosen.end());
    const auto isConcerned = [&ids](const QList<QUuid> &agents) {
        return std::any_of(agents.begin(), agents.end(),
                           [&ids](const QUuid &id) { return ids.contains(id); });
    };
    HostStatus result{.agents = host.statusOf(chosen), .cursor = host.events.cursor()};
    const auto groups = host.groups ? host.groups->groups() : QList<GroupDefinition>();
    for (const GroupDefinition &each : groups) {
        if (isConcerned(host.idsOf(agentsOfGroup(groups, each.name))))
            result.groups.append(statusOf(host, each));
    }
    const auto breakers = host.breakers ? host.breakers->breakers() : QList<SharedBreakerPolicy>();
    for (const SharedBreakerPolicy &each : breakers) {
        const QList<QUuid> agents = host.breakers->agents(each.name);
        if (isConcerned(agents))
            result.sharedBreakers.append(statusOf(host, each, agents));
    }
    if (!host.gate.isNull() && host.gate->limits())
        result.governor = {.queued = host.gate->governor().queuedCount(),
                           .starting = host.gate->governor().startingCount()};
    if (host.archive)
        result.store = {.droppedRows = static_cast<qint64>(host.archive->droppedRows()),
                        .failure = host.archive->writeFailure()};
    return messageJson(result);
}

ControlReply getAgent(ControlRequest &request)
{
    const QString agent = request.agent();
    if (const auto fault = request.fault())
        return *fault;
    const ControlCalls &host = request.host;
    return objectJson("agent", host.detailsOf(host.supervisor.idOf(agent)), "cursor",
                      host.events.cursor());
}

} // namespace Rekindle
