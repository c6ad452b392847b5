// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/controlcalls_p.h"

#include "control/internal/agentwords.h"
#include "control/internal/messagejson.h"
#include "json/nearestname.h"

#include <QSet>

#include <array>
#include <utility>

namespace Rekindle {

namespace {

using MethodKind = ControlMethod::Kind;

template<auto Calls, auto Function>
ControlReply callOn(ControlRequest &request)
{
    return ((request.host.*Calls).*Function)(request);
}

ControlReply stopHost(ControlRequest &request) { return request.host.stopHost(request); }

constexpr std::array methods{
    ControlMethod{"agents.list", MethodKind::Reads, listAgents},
    ControlMethod{"agents.get", MethodKind::Reads, getAgent},
    ControlMethod{"agents.explain", MethodKind::Reads, explainAgent},
    ControlMethod{"agents.wait", MethodKind::Lasts, callOn<&ControlCalls::waits, &WaitCalls::wait>},
    ControlMethod{"agents.start", MethodKind::Changes, operateAgents},
    ControlMethod{"agents.stop", MethodKind::Changes, operateAgents},
    ControlMethod{"agents.restart", MethodKind::Changes, operateAgents},
    ControlMethod{"agents.retry", MethodKind::Changes, operateAgents},
    ControlMethod{"breaker.reset", MethodKind::Changes, operateBreaker},
    ControlMethod{"breaker.isolate", MethodKind::Changes, operateBreaker},
    ControlMethod{"breaker.release", MethodKind::Changes, operateBreaker},
    ControlMethod{"events.subscribe", MethodKind::Lasts,
                  callOn<&ControlCalls::eventCalls, &EventCalls::subscribe>},
    ControlMethod{"logs.read", MethodKind::Reads, callOn<&ControlCalls::logs, &LogCalls::read>},
    ControlMethod{"logs.follow", MethodKind::Lasts, callOn<&ControlCalls::logs, &LogCalls::follow>},
    ControlMethod{"fleet.status", MethodKind::Reads, fleetStatus},
    ControlMethod{"fleet.drain", MethodKind::Changes, drainFleetNode},
    ControlMethod{"fleet.move", MethodKind::Changes, moveFleetAgent},
    ControlMethod{"config.check", MethodKind::Reads, checkConfiguration},
    ControlMethod{"config.reload", MethodKind::Changes, reloadConfiguration},
    ControlMethod{"host.stop", MethodKind::Changes, stopHost},
};

} // namespace

std::span<const ControlMethod> controlMethods() { return methods; }

ControlCalls::ControlCalls(AgentSupervisor &agents, QString file, std::function<void()> changed)
    : supervisor(agents)
    , configurationFile(std::move(file))
    , events(agents.policyEvaluator().run())
    , eventCalls(*this, std::move(changed))
    , decisions(agents)
    , waits(*this)
    , logs(agents)
{
}

QStringList ControlCalls::names() const
{
    QStringList names;
    for (const QUuid &each : supervisor.ids())
        names.append(supervisor.snapshot(each).value_or(AgentSnapshot()).name);
    return names;
}

std::optional<ControlError> ControlCalls::faultIn(const QStringList &asked) const
{
    QSet<QString> seen;
    for (const QString &name : asked) {
        if (supervisor.idOf(name).isNull()) {
            // An agent that was removed is known from its events.
            const bool wasRemoved = events.agents().contains(name);
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

QList<QUuid> ControlCalls::idsOf(const QStringList &names) const
{
    QList<QUuid> ids;
    for (const QString &name : names)
        ids.append(supervisor.idOf(name));
    return ids;
}

QList<AgentStatus> ControlCalls::statusOf(const QList<QUuid> &ids) const
{
    QList<AgentStatus> all;
    all.reserve(ids.size());
    for (const QUuid &id : ids) {
        all.append(Rekindle::statusOf(supervisor, id));
        if (fleet)
            all.back().placement = fleet->placement(all.back().agent);
    }
    return all;
}

AgentStatus ControlCalls::detailsOf(const QUuid &id) const
{
    AgentStatus agent = Rekindle::detailsOf(supervisor, id);
    if (fleet)
        agent.placement = fleet->placement(agent.agent);
    return agent;
}

} // namespace Rekindle
