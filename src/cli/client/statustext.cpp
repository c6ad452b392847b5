// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "statustext_p.h"

#include "cli/output/texthelpers_p.h"
#include "lifecycle/internal/agentnow.h"
#include "policy/internal/texthelpers.h"

#include <QHash>
#include <QJsonObject>

#include <algorithm>

namespace Rekindle {

namespace {

const QString none(u'-');

std::optional<double> numberIn(const QJsonObject &object, const char *key)
{
    const QJsonValue value = object[QLatin1String(key)];
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

std::optional<Duration> timeIn(const QJsonObject &object, const char *key)
{
    return numberIn(object, key) ? std::optional(durationIn(object, key)) : std::nullopt;
}

QString breakerText(const QJsonObject &breaker)
{
    return breaker[QLatin1String("isolated")].toBool() ? QStringLiteral("Isolated")
                                                       : textIn(breaker, "state");
}

// When and with which agent an open shared breaker is tried.
QString trialText(const QJsonObject &breaker)
{
    if (const QString agent = textIn(breaker, "trial"); !agent.isEmpty())
        return QLatin1String("trial: ") + agent;
    if (!breaker[QLatin1String("resetInMs")].isDouble())
        return none;
    const Duration left = durationIn(breaker, "resetInMs");
    return left > Duration{0} ? QLatin1String("trial in ") + readable(left)
                              : QStringLiteral("trial at the next start");
}

AgentNow agentNow(const QJsonObject &agent)
{
    const QJsonObject health = agent[QLatin1String("health")].toObject();
    AgentNow now{
        .name = textIn(agent, "agent"),
        .group = textIn(agent, "group"),
        .state = valueOf(instanceStates, textIn(agent, "state")).value_or(InstanceState::Stopped),
        .stoppedByOperator = agent[QLatin1String("stoppedByOperator")].toBool(),
        .stopReason = textIn(agent, "stopReason"),
        .attempt = agent[QLatin1String("attempt")].toInt(),
        .nextStart = timeIn(agent, "nextStartInMs"),
        .holdTexts = agent[QLatin1String("holdTexts")].toVariant().toStringList(),
        .isHeldByGroup = agent[QLatin1String("holds")].toArray().contains(toTexts(Hold::Group)[0]),
        .isIsolated = agent[QLatin1String("breaker")][QLatin1String("isolated")].toBool(),
        .lastFailure = textIn(agent[QLatin1String("lastFailure")].toObject(), "text"),
        .health = valueOf(agentHealthStates, textIn(health, "state"))
                      .value_or(AgentHealthStatus::State::Unknown),
        .healthDetail = textIn(health, "detail"),
        .statusText = textIn(agent, "statusText")};
    if (const auto most = numberIn(agent, "maxRetries"))
        now.maxRetries = static_cast<int>(*most);
    return now;
}

// The CPU share is that since the previous snapshot, or since the start.
AgentRow rowOf(const QJsonObject &agent, const QJsonObject &before)
{
    AgentRow row{.now = agentNow(agent),
                 .state = textIn(agent, "state"),
                 .generation = static_cast<quint64>(agent[QLatin1String("generation")].toInteger()),
                 .processId = agent[QLatin1String("pid")].toInteger(),
                 .uptime = timeIn(agent, "uptimeMs"),
                 .memoryBytes = numberIn(agent, "memoryBytes"),
                 .breaker = breakerText(agent[QLatin1String("breaker")].toObject())};
    const std::optional<Duration> used = timeIn(agent, "cpuMs");
    if (!used || !row.uptime)
        return row;
    if (before[QLatin1String("generation")] == agent[QLatin1String("generation")])
        row.cpuShare = AgentRow::share(*used - durationIn(before, "cpuMs"),
                                       *row.uptime - durationIn(before, "uptimeMs"));
    if (!row.cpuShare)
        row.cpuShare = AgentRow::share(*used, *row.uptime);
    return row;
}

// "1/3 in 1m": the failures in the period and the limit.
QString failuresText(const QJsonObject &group)
{
    return QStringLiteral("%1/%2 in %3")
        .arg(group[QLatin1String("failures")].toInteger())
        .arg(group[QLatin1String("maxRestarts")].toInteger())
        .arg(readable(durationIn(group, "periodMs")));
}

// When a group that has given up starts again.
QString groupStartText(const QJsonObject &group)
{
    if (!group[QLatin1String("startInMs")].isDouble())
        return none;
    return QLatin1String("start in ")
        + readable(std::max(durationIn(group, "startInMs"), Duration{0}));
}

// "2 failures of 1 agent; opens at 3 of 2". Nothing if none counts.
QString votesText(const QJsonObject &breaker)
{
    const qint64 failures = breaker[QLatin1String("failures")].toInteger();
    const qint64 agents = breaker[QLatin1String("failedAgents")].toInteger();
    if (failures == 0)
        return none;
    return QStringLiteral("%1 of %2; opens at %3 of %4")
        .arg(counted(failures, "failure", "failures"), counted(agents, "agent", "agents"))
        .arg(breaker[QLatin1String("threshold")].toInteger())
        .arg(counted(breaker[QLatin1String("agentsToOpen")].toInteger(), "agent", "agents"));
}

} // namespace

QStringList explanationLines(const QJsonObject &explanation)
{
    const QJsonObject agent = explanation[QLatin1String("agent")].toObject();
    const AgentRow row = rowOf(agent, {});
    const QStringList cells = row.cells();
    QStringList lines{QLatin1String("State: ") + row.state,
                      QLatin1String("Restarts of this sequence: ") + cells[AgentRow::Restarts],
                      QLatin1String("Circuit breaker: ") + cells[AgentRow::Breaker]};
    lines.append(QLatin1String("Next: ") + textIn(explanation, "next"));
    for (const auto &each : explanation[QLatin1String("actions")].toArray())
        lines.append(QLatin1String("Action: ") + textIn(each.toObject(), "time")
                     + QLatin1String("  ") + textIn(each.toObject(), "text"));
    if (row.now.hasHealth())
        lines.append(QLatin1String("Health: ") + cells[AgentRow::Health] + QLatin1String("; ")
                     + row.now.healthDetail);
    if (!row.now.statusText.isEmpty())
        lines.append(QLatin1String("Status of the agent: ") + row.now.statusText);
    QStringList descriptors;
    for (const auto &each : explanation[QLatin1String("storedDescriptors")].toArray())
        descriptors.append(each.toString());
    if (!descriptors.isEmpty())
        lines.append(QLatin1String("Stored descriptors: ") + descriptors.join(QLatin1String(", ")));
    const QJsonObject failure = agent[QLatin1String("lastFailure")].toObject();
    if (failure.isEmpty())
        return lines;
    lines.append(QLatin1String("Last failure: ") + textIn(failure, "text"));
    for (const auto &each : failure[QLatin1String("stderrTail")].toArray())
        lines.append(QLatin1String("  ") + each.toString());
    return lines;
}

QList<AgentRow> agentRows(const QJsonArray &agents, const QJsonArray &previous)
{
    QHash<QString, QJsonObject> before;
    for (const auto &each : previous)
        before.insert(textIn(each.toObject(), "instanceId"), each.toObject());
    QList<AgentRow> rows;
    for (const auto &each : agents)
        rows.append(rowOf(each.toObject(), before.value(textIn(each.toObject(), "instanceId"))));
    return rows;
}

QList<QStringList> statusRows(const QJsonArray &agents, const QJsonArray &previous)
{
    QList<QStringList> rows{AgentRow::headings()};
    for (const AgentRow &each : agentRows(agents, previous))
        rows.append(each.cells());
    for (QStringList &each : rows)
        each.removeAt(AgentRow::Starts);
    return rows;
}

QString refusalText(const QJsonObject &operated)
{
    if (operated[QLatin1String("removed")].toBool())
        return QStringLiteral("not started, because it was removed and is being stopped");
    const QStringList open =
        operated[QLatin1String("openSharedBreakers")].toVariant().toStringList();
    if (open.isEmpty())
        return {};
    return QStringLiteral("not restarted, because shared breaker %1 is not closed; to close it: "
                          "rekindle reset --shared %2")
        .arg(open.join(QLatin1String(", ")), open.front());
}

QList<QStringList> groupRows(const QJsonArray &groups)
{
    QList<QStringList> rows{{QStringLiteral("GROUP"), QStringLiteral("STATE"),
                             QStringLiteral("RESTARTS"), QStringLiteral("NEXT"),
                             QStringLiteral("MEMBERS")}};
    for (const auto &each : groups) {
        const QJsonObject group = each.toObject();
        QStringList members;
        for (const auto &member : group[QLatin1String("members")].toArray()) {
            const QString agent = textIn(member.toObject(), "agent");
            members.append(agent.isEmpty()
                               ? QLatin1String("group ") + textIn(member.toObject(), "group")
                               : agent);
        }
        rows.append({textIn(group, "name"), textIn(group, "state"), failuresText(group),
                     groupStartText(group), members.join(QLatin1String(", "))});
    }
    return rows;
}

QList<QStringList> sharedBreakerRows(const QJsonArray &breakers)
{
    QList<QStringList> rows{{QStringLiteral("SHARED BREAKER"), QStringLiteral("STATE"),
                             QStringLiteral("NEXT"), QStringLiteral("AGENTS")}};
    for (const auto &each : breakers) {
        const QJsonObject breaker = each.toObject();
        const QStringList agents = breaker[QLatin1String("agents")].toVariant().toStringList();
        const bool isClosed = textIn(breaker, "state") == QLatin1String("Closed");
        rows.append({textIn(breaker, "name"), breakerText(breaker),
                     isClosed ? votesText(breaker) : trialText(breaker),
                     agents.join(QLatin1String(", "))});
    }
    return rows;
}

} // namespace Rekindle
