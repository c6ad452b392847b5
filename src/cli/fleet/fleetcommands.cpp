// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/client/hostcommand_p.h"
#include "cli/client/statustext_p.h"
#include "cli/output/texthelpers_p.h"
#include "control/internal/messagejson.h"
#include "policy/internal/texthelpers.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

// The commands of a fleet: status, drain and move.

namespace Rekindle {

namespace {

const QString none(u'-');

QString timeText(const std::optional<Duration> &time)
{
    return time ? readable(std::max(*time, Duration{0})) : none;
}

QString stateText(const FleetStatus::Node &node, bool isStoreLost)
{
    if (node.absent)
        return QLatin1String("no session for ") + timeText(node.absent);
    if (!isStoreLost && node.lostIn.value_or(Duration{1}) <= Duration{0})
        return QStringLiteral("lost");
    return node.isDraining ? QStringLiteral("draining") : QStringLiteral("active");
}

QByteArray asText(const FleetStatus &fleet)
{
    QList<QStringList> nodes{{QStringLiteral("NODE"), QStringLiteral("STATE"),
                              QStringLiteral("RENEWED"), QStringLiteral("LOST IN"),
                              QStringLiteral("RUN")}};
    for (const FleetStatus::Node &each : fleet.nodes) {
        const bool isOwn = each.node == fleet.node;
        nodes.append({isOwn ? each.node + QLatin1String(" (this host)") : each.node,
                      stateText(each, fleet.storeLostFor.has_value()),
                      each.renewed ? timeText(each.renewed) + QLatin1String(" ago") : none,
                      fleet.storeLostFor ? none : timeText(each.lostIn),
                      each.run.isEmpty() ? none : each.run});
    }
    QList<QStringList> agents{{QStringLiteral("AGENT"), QStringLiteral("NODE"),
                               QStringLiteral("TOKEN"), QStringLiteral("SINCE"),
                               QStringLiteral("ON THIS HOST")}};
    for (const FleetStatus::Agent &each : fleet.agents) {
        const AgentStatus::Placement &placement = each.placement;
        QString here = placement.text;
        if (each.dueIn && placement.state == QLatin1String("waiting"))
            here += QStringLiteral("; starts here in %1 at the latest").arg(timeText(each.dueIn));
        agents.append({each.agent, placement.node.isEmpty() ? none : placement.node,
                       placement.token == 0 ? none : QString::number(placement.token),
                       timeText(each.since), here});
    }
    QByteArray text = columnsText(nodes) + '\n' + columnsText(agents);
    if (fleet.storeLostFor)
        text += "\netcd has not answered for " + timeText(fleet.storeLostFor).toLatin1() + ": "
            + forTerminal(fleet.storeError.toLocal8Bit()) + '\n';
    if (!fleet.leaseEndsIn)
        text += "\nthis host has no lease and runs no placed agents, except those with onStoreLoss "
                "keep\n";
    if (fleet.isDrained)
        text += "\nthis host is drained\n";
    else if (fleet.isDraining)
        text += "\nthis host hands over its placed agents\n";
    return text;
}

QByteArray asJson(const QJsonValue &result) { return QJsonDocument(result.toObject()).toJson(); }

const char *const jsonHelp = "Print one JSON object";

class FleetStatusCommand final : public HostCommand
{
protected:
    void addOwnOptions(CLI::App &command) override { command.add_flag("--json", m_json, jsonHelp); }

    int executeOn(HostConnection &host, Messages &messages) override
    {
        const QJsonValue result = host.request(QStringLiteral("fleet.status"));
        return print(messages, m_json ? asJson(result) : asText(fromJson<FleetStatus>(result)));
    }

private:
    bool m_json = false;
};

class FleetDrainCommand final : public HostCommand
{
protected:
    void addOwnOptions(CLI::App &command) override
    {
        command.add_option("NODE", m_node, "The node, which is that of the host")->required();
        CLI::Option *const cancel =
            command.add_flag("--cancel", m_isCanceling, "Contend for agents again");
        addDuration(command, "--timeout", m_timeout, "Wait at most this long (default: no limit)")
            ->excludes(cancel);
        command.add_flag("--json", m_json, "Print the status of the fleet as one JSON object");
    }

    int executeOn(HostConnection &host, Messages &messages) override
    {
        const QString node = QString::fromStdString(m_node);
        QJsonValue result = host.request(
            QStringLiteral("fleet.drain"),
            {{QStringLiteral("node"), node}, {QStringLiteral("draining"), !m_isCanceling}});
        if (!m_isCanceling && !waitUntilDrained(host, messages, result))
            return host.exitCode();
        return print(messages,
                     m_json ? asJson(result)
                            : forTerminal(node.toLocal8Bit())
                             + (m_isCanceling ? ": contends for agents\n" : ": drained\n"));
    }

private:
    // Returns false if the connection is lost. `result` becomes the last status.
    [[nodiscard]] bool waitUntilDrained(HostConnection &host, Messages &messages,
                                        QJsonValue &result) const
    {
        const QString node = QString::fromStdString(m_node);
        auto fleet = fromJson<FleetStatus>(result);
        constexpr Duration pause = std::chrono::milliseconds(200);
        for (Duration waited{0}; !fleet.isDrained; waited += pause) {
            if (m_timeout && waited >= *m_timeout)
                messages.end(ExitCode::deadlineExceeded,
                             node + QLatin1String(": still has agents"));
            if (!host.follow(false, pause))
                return false;
            result = host.request(QStringLiteral("fleet.status"));
            fleet = fromJson<FleetStatus>(result);
            if (!fleet.isDraining)
                messages.end(ExitCode::refused, node + QLatin1String(": no longer drained"));
        }
        return true;
    }

    std::string m_node;
    std::optional<Duration> m_timeout;
    bool m_isCanceling = false;
    bool m_json = false;
};

class FleetMoveCommand final : public HostCommand
{
protected:
    void addOwnOptions(CLI::App &command) override
    {
        command.add_option("AGENT", m_agent, "The agent, which runs on this host")->required();
        command.add_option("NODE", m_node, "The node that is to run it")->required();
        addText(command, "--reason", m_reason,
                "Reason of the request, for events and the audit trail", "TEXT");
        command.add_flag("--json", m_json, jsonHelp);
    }

    int executeOn(HostConnection &host, Messages &messages) override
    {
        const QString agent = QString::fromStdString(m_agent);
        const QJsonValue result =
            host.request(QStringLiteral("fleet.move"),
                         {{QStringLiteral("agent"), agent},
                          {QStringLiteral("node"), QString::fromStdString(m_node)},
                          {QStringLiteral("reason"), m_reason}});
        return print(messages,
                     m_json ? asJson(result)
                            : forTerminal(QByteArray::fromStdString(m_agent)) + ": moves to "
                             + forTerminal(QByteArray::fromStdString(m_node)) + '\n');
    }

private:
    std::string m_agent;
    std::string m_node;
    QString m_reason;
    bool m_json = false;
};

} // namespace

const CommandRow fleetGroup{
    .name = "fleet",
    .summary = "Show and operate the fleet of a running host",
    .help =
        R"(A fleet is a number of hosts that share an etcd cluster. An agent with `placement` runs on at most
one of them.

Examples:
  rekindle fleet status
  rekindle fleet drain a
  rekindle fleet move billing b
  rekindle fleet events agents ssh://b.example/agents
)",
};

const CommandRow fleetStatusCommand{
    .name = "fleet status",
    .summary = "Show the nodes and the placed agents of a fleet",
    .help =
        R"(Shows the fleet as one of its hosts sees it. All times are measured by this host:

  STATE    active; draining (after `rekindle fleet drain`); lost, if other nodes can take over its
           agents; or `no session for TIME`, if the session has ended or was taken away
  RENEWED  the time since the last renewal of the session of the node was observed
  LOST IN  the time until other nodes take over its agents, if no further renewal is observed
  NODE     the node that runs the agent, or on which an operator has stopped it
  TOKEN    the fencing token of the agent, which its process has in REKINDLE_FENCE
  SINCE    how long this host has known the node of the agent

Examples:
  rekindle fleet status
  rekindle fleet status --config agents.json --json
)",
    .exitCodes =
        hostCodes({{1, "the host is in no fleet, or stdout cannot be written"}}, Names::NoAgents),
    .make = makeCommand<FleetStatusCommand>,
};

const CommandRow fleetDrainCommand{
    .name = "fleet drain",
    .summary = "Hand over all placed agents of a node",
    .help =
        R"(Hands over the placed agents of the host one by one, and waits until none is left. Each is stopped
before another node starts it. From then on, the host starts no placed agents, until --cancel or
until it is restarted. NODE must be the node of the host, so that no other one is drained by mistake.

Examples:
  rekindle fleet drain a
  rekindle fleet drain a --cancel
)",
    .exitCodes = hostCodes({{1, "the host is another node, or is in no fleet"},
                            {124, "the timeout has passed; the host continues to hand over"}},
                           Names::NoAgents),
    .make = makeCommand<FleetDrainCommand>,
};

const CommandRow fleetMoveCommand{
    .name = "fleet move",
    .summary = "Hand over a placed agent to another node",
    .help =
        R"(Stops an agent that runs on the host, so that NODE starts it. If NODE has not acquired it after 5 s,
any node of the fleet starts it, also this one.

Examples:
  rekindle fleet move billing b
)",
    .exitCodes = hostCodes(
        {{1, "the agent does not run on the host, or NODE has no session or is drained"}}),
    .make = makeCommand<FleetMoveCommand>,
};

} // namespace Rekindle
