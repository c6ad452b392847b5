// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commands/command_p.h"
#include "cli/output/agenttable_p.h"
#include "control/internal/messagejson.h"
#include "hostchoice_p.h"
#include "hostconnection_p.h"

#include <algorithm>

namespace Rekindle {

namespace {

struct HostRow
{
    QString name;
    HostInfo host;
    QList<AgentStatus> agents;

    [[nodiscard]] qsizetype running() const
    {
        return std::ranges::count(agents, QStringLiteral("Running"), &AgentStatus::state);
    }
};

QByteArray asText(const QList<HostRow> &hosts)
{
    QList<QStringList> rows{{QStringLiteral("NAME"), QStringLiteral("PID"),
                             QStringLiteral("RUNNING"), QStringLiteral("CONFIG")}};
    for (const HostRow &each : hosts) {
        const QString &configuration = each.host.configuration;
        rows.append({each.name, QString::number(each.host.processId),
                     QStringLiteral("%1 of %2").arg(each.running()).arg(each.agents.size()),
                     configuration.isEmpty() ? QString(u'-') : configuration});
    }
    return columnsText(rows);
}

QByteArray asJson(const QList<HostRow> &hosts)
{
    QList<QByteArray> rows;
    for (const HostRow &each : hosts)
        rows.append(objectJson("config", FieldWriter::orNull(each.host.configuration), "name",
                               each.name, "pid", each.host.processId, "run", each.host.run,
                               "version", each.host.version, "agents", each.agents.size(),
                               "running", each.running()));
    return onLines(objectJson("hosts", rows)) + '\n';
}

class HostsCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        command.add_flag("--json", m_json, "Print one JSON object");
    }

    // A host that does not respond is reported; the others are listed. A host that has just
    // exited is skipped.
    int execute(Messages &messages) override
    {
        QList<HostRow> hosts;
        for (const QString &socket : ControlClient::runningHosts()) {
            QByteArrayList faults;
            messages.divertTo([&faults](const QByteArray &line) { faults.append(line + '\n'); });
            bool isListed = true;
            try {
                HostConnection host(messages);
                host.open(socket);
                const HostStatus status = host.result(host.client().listAgents());
                hosts.append({hostNameOfSocket(socket), host.client().host(), status.agents});
            } catch (const CommandFailure &) {
                isListed = !ControlClient::runningHosts().contains(socket);
            }
            messages.divertTo({});
            if (!isListed) {
                messages.say(
                    QStringLiteral("the host %1 is not listed:").arg(hostNameOfSocket(socket)));
                messages.write(faults.join());
            }
        }
        if (hosts.isEmpty() && !m_json) {
            messages.say(
                QStringLiteral("no running host in %1").arg(ControlClient::defaultFolder()));
            return ExitCode::fine;
        }
        return print(messages, m_json ? asJson(hosts) : asText(hosts));
    }

private:
    bool m_json = false;
};

} // namespace

const CommandRow hostsCommand{
    .name = "hosts",
    .summary = "List running hosts",
    .help =
        R"(Lists this user's running hosts: `rekindle up` and applications that listen on a control
socket. NAME is the value for --host of the other commands.

The sockets are in the first of these folders that applies: /run/rekindle (root),
$XDG_RUNTIME_DIR/rekindle, /run/user/UID/rekindle, ${XDG_STATE_HOME:-~/.local/state}/rekindle/run.

Examples:
  rekindle hosts
  rekindle hosts --json | jq -r '.hosts[].name'
)",
    .exitCodes = {{0, "success, even if there is no running host"}},
    .make = makeCommand<HostsCommand>,
};

} // namespace Rekindle
