// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "statustext_p.h"

#include "control/internal/agentwords.h"
#include "control/internal/messagejson.h"
#include "policy/internal/texthelpers.h"

#include <QHash>

#include <algorithm>

namespace Rekindle {

namespace {

const QString none(u'-');

// When and with which agent an open shared breaker is tried.
QString trialText(const SharedBreakerStatus &breaker)
{
    if (!breaker.trial.isEmpty())
        return QLatin1String("trial: ") + breaker.trial;
    if (!breaker.resetIn)
        return none;
    return *breaker.resetIn > Duration{0} ? QLatin1String("trial in ") + readable(*breaker.resetIn)
                                          : QStringLiteral("trial at the next start");
}

// "2 failures of 1 agent; opens at 3 of 2". Nothing if none counts.
QString votesText(const SharedBreakerStatus &breaker)
{
    if (breaker.failures == 0)
        return none;
    return QStringLiteral("%1 of %2; opens at %3 of %4")
        .arg(counted(breaker.failures, "failure", "failures"),
             counted(breaker.failedAgents, "agent", "agents"))
        .arg(breaker.threshold)
        .arg(counted(breaker.agentsToOpen, "agent", "agents"));
}

} // namespace

QStringList explanationLines(const QJsonValue &explanation)
{
    const auto agent = fromJson<AgentStatus>(explanation[QLatin1String("agent")]);
    const QStringList cells = AgentRow{.agent = agent}.cells();
    QStringList lines{QLatin1String("State: ") + agent.state,
                      QLatin1String("Restarts of this sequence: ") + cells[AgentRow::Restarts],
                      QLatin1String("Circuit breaker: ") + cells[AgentRow::Breaker],
                      QLatin1String("Next: ") + explanation[QLatin1String("next")].toString()};
    for (const auto &each : explanation[QLatin1String("actions")].toArray())
        lines.append(QLatin1String("Action: ") + each[QLatin1String("time")].toString()
                     + QLatin1String("  ") + each[QLatin1String("text")].toString());
    if (hasHealth(agent))
        lines.append(QLatin1String("Health: ") + cells[AgentRow::Health] + QLatin1String("; ")
                     + agent.health.detail);
    if (!agent.statusText.isEmpty())
        lines.append(QLatin1String("Status of the agent: ") + agent.statusText);
    const auto descriptors = fromJson<QStringList>(explanation[QLatin1String("storedDescriptors")]);
    if (!descriptors.isEmpty())
        lines.append(QLatin1String("Stored descriptors: ") + descriptors.join(QLatin1String(", ")));
    if (!agent.lastFailure)
        return lines;
    lines.append(QLatin1String("Last failure: ") + agent.lastFailure->text);
    for (const QString &each : agent.lastFailure->stderrTail.value_or(QStringList()))
        lines.append(QLatin1String("  ") + each);
    return lines;
}

QList<AgentRow> agentRows(const QList<AgentStatus> &agents, const QList<AgentStatus> &previous)
{
    QHash<QUuid, AgentStatus> before;
    for (const AgentStatus &each : previous)
        before.insert(each.instanceId, each);
    QList<AgentRow> rows;
    for (const AgentStatus &each : agents)
        rows.append(AgentRow::of(each, before.value(each.instanceId)));
    return rows;
}

QList<QStringList> statusRows(const QList<AgentStatus> &agents, const QList<AgentStatus> &previous)
{
    QList<QStringList> rows{AgentRow::headings()};
    for (const AgentRow &each : agentRows(agents, previous))
        rows.append(each.cells());
    for (QStringList &each : rows)
        each.removeAt(AgentRow::Starts);
    return rows;
}

QString refusalText(const OperationResult &result)
{
    if (result.isRemoved)
        return QStringLiteral("not started, because it was removed and is being stopped");
    const QStringList &open = result.openSharedBreakers;
    if (open.isEmpty())
        return {};
    return QStringLiteral("not restarted, because shared breaker %1 is not closed; to close it: "
                          "rekindle reset --shared %2")
        .arg(open.join(QLatin1String(", ")), open.front());
}

QList<QStringList> groupRows(const QList<GroupStatus> &groups)
{
    QList<QStringList> rows{{QStringLiteral("GROUP"), QStringLiteral("STATE"),
                             QStringLiteral("RESTARTS"), QStringLiteral("NEXT"),
                             QStringLiteral("MEMBERS")}};
    for (const GroupStatus &each : groups) {
        QStringList members;
        for (const GroupStatus::Member &member : each.members)
            members.append(member.group.isEmpty() ? member.agent
                                                  : QLatin1String("group ") + member.group);
        // "1/3 in 1m": the failures in the period and the limit.
        const QString failures = QStringLiteral("%1/%2 in %3")
                                     .arg(each.failures)
                                     .arg(each.maxRestarts)
                                     .arg(readable(each.period));
        const QString start = each.startIn
            ? QLatin1String("start in ") + readable(std::max(*each.startIn, Duration{0}))
            : none;
        rows.append({each.name, each.state, failures, start, members.join(QLatin1String(", "))});
    }
    return rows;
}

QList<QStringList> sharedBreakerRows(const QList<SharedBreakerStatus> &breakers)
{
    QList<QStringList> rows{{QStringLiteral("SHARED BREAKER"), QStringLiteral("STATE"),
                             QStringLiteral("NEXT"), QStringLiteral("AGENTS")}};
    for (const SharedBreakerStatus &each : breakers) {
        const bool isClosed = each.state == QLatin1String("Closed");
        rows.append({each.name, breakerText(each), isClosed ? votesText(each) : trialText(each),
                     each.agents.join(QLatin1String(", "))});
    }
    return rows;
}

} // namespace Rekindle
