// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commands/command_p.h"
#include "cli/output/agenttable_p.h"
#include "hostchoice_p.h"
#include "hostconnection_p.h"
#include "policy/internal/texthelpers.h"
#include "json/jsontext.h"

#include <QJsonArray>

namespace Rekindle {

namespace {

struct HostRow
{
    QString name;
    QJsonObject host;
    QJsonArray agents;

    [[nodiscard]] qsizetype running() const
    {
        return std::count_if(agents.begin(), agents.end(), [](const QJsonValue &agent) {
            return agent[QLatin1String("state")] == QLatin1String("Running");
        });
    }
};

QByteArray asText(const QList<HostRow> &hosts)
{
    QList<QStringList> rows{{QStringLiteral("NAME"), QStringLiteral("PID"),
                             QStringLiteral("RUNNING"), QStringLiteral("CONFIG")}};
    for (const HostRow &each : hosts) {
        const QString configuration = textIn(each.host, "config");
        rows.append({each.name, textIn(each.host, "pid"),
                     QStringLiteral("%1 of %2").arg(each.running()).arg(each.agents.size()),
                     configuration.isEmpty() ? QString(u'-') : configuration});
    }
    return columnsText(rows);
}

QByteArray asJson(const QList<HostRow> &hosts)
{
    Json json;
    json["hosts"] = Json::array();
    for (const HostRow &each : hosts) {
        Json host = toJson(each.host);
        host["name"] = each.name.toStdString();
        host["agents"] = each.agents.size();
        host["running"] = each.running();
        json["hosts"].push_back(std::move(host));
    }
    return indentedJson(json);
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
            HostConnection connection(messages);
            const auto agents = connection.open(socket)
                ? connection.request(QStringLiteral("agents.list"))
                : std::nullopt;
            messages.divertTo({});
            if (!agents) {
                if (ControlClient::runningHosts().contains(socket)) {
                    messages.say(
                        QStringLiteral("the host %1 is not listed:").arg(hostNameOfSocket(socket)));
                    messages.write(faults.join());
                }
                continue;
            }
            hosts.append({hostNameOfSocket(socket),
                          connection.client().hello()[QLatin1String("host")].toObject(),
                          (*agents)[QLatin1String("agents")].toArray()});
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
