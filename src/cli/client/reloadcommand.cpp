// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/output/texthelpers_p.h"
#include "hostcommand_p.h"
#include "json/jsonwriter.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace Rekindle {

namespace {

class ReloadCommand final : public HostCommand
{
protected:
    void addOwnOptions(CLI::App &command) override
    {
        command.add_flag("--dry-run", m_isDryRun, "Print what would change; change nothing");
        command.add_flag("--json", m_json, "Print one JSON object");
    }

    int executeOn(HostConnection &host, Messages &messages) override
    {
        QJsonObject params;
        if (m_isDryRun)
            params[QLatin1String("dryRun")] = true;
        const QJsonValue changes = host.request(QStringLiteral("config.reload"), params);
        if (m_json)
            return print(messages,
                         onLines(QJsonDocument(changes.toObject()).toJson(QJsonDocument::Compact))
                             + '\n');
        host.reportFaults(changes[QLatin1String("faults")]);
        return print(messages, asText(changes));
    }

private:
    [[nodiscard]] QByteArray asText(const QJsonValue &changes) const
    {
        const QString verb = m_isDryRun ? QStringLiteral("would be ") : QString();
        QByteArray text;
        for (const char *effect : {"added", "removed"}) {
            for (const auto &agent : changes[QLatin1String(effect)].toArray())
                text += line(agent.toString(), verb + QLatin1String(effect));
        }
        for (const char *effect : {"restarted", "updated"}) {
            for (const auto &each : changes[QLatin1String(effect)].toArray()) {
                // An older host reports only the parts.
                const QJsonValue keys = each[QLatin1String("keys")];
                const QJsonValue named =
                    keys.toArray().isEmpty() ? each[QLatin1String("parts")] : keys;
                const QStringList names = named.toVariant().toStringList();
                text +=
                    line(each[QLatin1String("agent")].toString(),
                         QStringLiteral("%1%2 (%3)")
                             .arg(verb, QLatin1String(effect), names.join(QLatin1String(", "))));
            }
        }
        for (const auto &section : changes[QLatin1String("sections")].toArray())
            text += line(section.toString(), verb + QLatin1String("updated"));
        if (text.isEmpty())
            return m_isDryRun ? "nothing would change\n" : "nothing has changed\n";
        return text;
    }

    [[nodiscard]] static QByteArray line(const QString &agent, const QString &what)
    {
        return forTerminal(QString(agent + QLatin1String(": ") + what).toLocal8Bit()) + '\n';
    }

    bool m_isDryRun = false;
    bool m_json = false;
};

} // namespace

const CommandRow reloadCommand{
    .name = "reload",
    .summary = "Apply the changed configuration of a running host",
    .help = R"(Applies the changed configuration of a running `rekindle up`:

  added      the agent is started, unless it has "start": "manual"
  removed    the agent is stopped and removed
  restarted  the settings of its process have changed; an agent that has failed is started
  updated    only its policy, probes or options have changed, or the agent does not run; no process
             is started or stopped

Agents that are not listed are unchanged. If the configuration has a fault, nothing is changed. It
is also a fault if the program of an agent to be restarted is missing.
SIGHUP to an `up` without a terminal has the same effect.

Examples:
  rekindle reload --dry-run
  rekindle reload --config agents.json
)",
    .exitCodes = hostCodes({{1, "the host has no configuration, or stdout cannot be written"},
                            {78, "invalid configuration"}},
                           Names::NoAgents),
    .make = makeCommand<ReloadCommand>,
};

} // namespace Rekindle
