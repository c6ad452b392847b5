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

QString pidText(const QJsonObject &agent)
{
    const QJsonValue pid = agent[QLatin1String("pid")];
    return pid.isDouble() ? QString::number(pid.toInteger()) : none;
}

QString uptimeText(const QJsonObject &agent)
{
    return agent[QLatin1String("uptimeMs")].isDouble() ? readable(durationIn(agent, "uptimeMs"))
                                                       : none;
}

// "12%", of one core. The clock of the CPU time is too coarse for short times.
QString cpuText(const QJsonObject &agent, const QJsonObject &before)
{
    if (!agent[QLatin1String("cpuMs")].isDouble())
        return none;
    double used = agent[QLatin1String("cpuMs")].toDouble();
    double elapsed = agent[QLatin1String("uptimeMs")].toDouble();
    constexpr double shortest = 500;
    const double between = elapsed - before[QLatin1String("uptimeMs")].toDouble();
    if (before[QLatin1String("generation")] == agent[QLatin1String("generation")]
        && between >= shortest) {
        used -= before[QLatin1String("cpuMs")].toDouble();
        elapsed = between;
    }
    return elapsed < shortest ? none : QString::number(100 * used / elapsed, 'f', 0) + u'%';
}

// "850K", "12.3M", "1.5G"
QString memoryText(const QJsonObject &agent)
{
    if (!agent[QLatin1String("memoryBytes")].isDouble())
        return none;
    constexpr double step = 1024;
    double size = agent[QLatin1String("memoryBytes")].toDouble() / step;
    const char *unit = "K";
    for (const char *larger : {"M", "G", "T"}) {
        if (size < step)
            break;
        size /= step;
        unit = larger;
    }
    constexpr double manyDigits = 100;
    const bool isPrecise = *unit != 'K' && size < manyDigits;
    return QString::number(size, 'f', isPrecise ? 1 : 0) + QLatin1String(unit);
}

// "2/5": the restarts of this sequence and the limit.
QString restartsText(const QJsonObject &agent)
{
    const QJsonValue most = agent[QLatin1String("maxRetries")];
    const QString limit = most.isDouble() ? u'/' + QString::number(most.toInteger()) : QString();
    return QString::number(agent[QLatin1String("attempt")].toInteger()) + limit;
}

QString breakerText(const QJsonObject &breaker)
{
    if (breaker.isEmpty())
        return none; // switched off
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
        .holdTexts = agent[QLatin1String("holdTexts")].toVariant().toStringList(),
        .isHeldByGroup = agent[QLatin1String("holds")].toArray().contains(toTexts(Hold::Group)[0]),
        .isIsolated = agent[QLatin1String("breaker")][QLatin1String("isolated")].toBool(),
        .lastFailure = textIn(agent[QLatin1String("lastFailure")].toObject(), "text"),
        .health = valueOf(agentHealthStates, textIn(health, "state"))
                      .value_or(AgentHealthStatus::State::Unknown),
        .healthDetail = textIn(health, "detail"),
        .statusText = textIn(agent, "statusText")};
    if (agent[QLatin1String("nextStartInMs")].isDouble())
        now.nextStart = durationIn(agent, "nextStartInMs");
    return now;
}

QString healthText(const AgentNow &agent)
{
    return agent.hasHealth() ? toText(agent.health) : none;
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

QStringList columnsOf(const QList<QStringList> &rows)
{
    QList<qsizetype> widths;
    for (const QStringList &row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (qsizetype i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    QStringList lines;
    for (const QStringList &row : rows) {
        QString line;
        for (qsizetype i = 0; i < row.size(); ++i)
            line += row[i].leftJustified(widths[i] + 2);
        while (line.endsWith(u' '))
            line.chop(1);
        lines.append(line);
    }
    return lines;
}

QByteArray columnsText(const QList<QStringList> &rows)
{
    QByteArray text;
    for (const QString &line : columnsOf(rows))
        text += forTerminal(line.toLocal8Bit()) + '\n';
    return text;
}

QStringList explanationLines(const QJsonObject &explanation)
{
    const QJsonObject agent = explanation[QLatin1String("agent")].toObject();
    QStringList lines{QLatin1String("State: ") + textIn(agent, "state"),
                      QStringLiteral("Restarts of this sequence: ") + restartsText(agent),
                      QLatin1String("Circuit breaker: ")
                          + breakerText(agent[QLatin1String("breaker")].toObject())};
    lines.append(QLatin1String("Next: ") + textIn(explanation, "next"));
    for (const auto &each : explanation[QLatin1String("actions")].toArray())
        lines.append(QLatin1String("Action: ") + textIn(each.toObject(), "time")
                     + QLatin1String("  ") + textIn(each.toObject(), "text"));
    const AgentNow now = agentNow(agent);
    if (now.hasHealth())
        lines.append(QLatin1String("Health: ") + healthText(now) + QLatin1String("; ")
                     + now.healthDetail);
    if (!now.statusText.isEmpty())
        lines.append(QLatin1String("Status of the agent: ") + now.statusText);
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

bool isUnhealthy(const QJsonObject &agent) { return agentNow(agent).isUnhealthy(); }

QList<QStringList> statusRows(const QJsonArray &agents, const QJsonArray &previous)
{
    QHash<QString, QJsonObject> before;
    for (const auto &each : previous)
        before.insert(textIn(each.toObject(), "instanceId"), each.toObject());
    QList<QStringList> rows{{QStringLiteral("AGENT"), QStringLiteral("STATE"),
                             QStringLiteral("PID"), QStringLiteral("UPTIME"), QStringLiteral("CPU"),
                             QStringLiteral("MEMORY"), QStringLiteral("RESTARTS"),
                             QStringLiteral("BREAKER"), QStringLiteral("HEALTH"),
                             QStringLiteral("DETAIL")}};
    for (const auto &each : agents) {
        const QJsonObject agent = each.toObject();
        const AgentNow now = agentNow(agent);
        rows.append({now.name, textIn(agent, "state"), pidText(agent), uptimeText(agent),
                     cpuText(agent, before.value(textIn(agent, "instanceId"))), memoryText(agent),
                     restartsText(agent), breakerText(agent[QLatin1String("breaker")].toObject()),
                     healthText(now), now.text()});
    }
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
