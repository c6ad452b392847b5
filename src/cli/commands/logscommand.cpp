// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/control/agentchoice_p.h"
#include "cli/options/optiontypes_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "cli/output/terminal_p.h"
#include "cli/output/texthelpers_p.h"
#include "hostcommand_p.h"
#include "policy/internal/texthelpers.h"
#include "json/jsontext.h"

#include <CLI/CLI.hpp>
#include <QJsonDocument>

#include <unistd.h>

namespace Rekindle {

namespace {

constexpr char logsText[] =
    R"(Prints the newest lines that agents have written to stdout and stderr. The host has at most 1,000
lines or 256 KiB of each agent in memory. It does not read streams that are configured as a file,
`inherit` or `null`. With several agents, each line begins with the name of its agent.

With --follow, new lines are printed until the host exits or Ctrl-C is pressed. If this command or
its reader is too slow, the host drops lines; their number is reported on stderr.

Examples:
  rekindle logs web
  rekindle logs web worker --follow
  rekindle logs --tag backend --follow
  rekindle logs web --lines 20 --grep error
  rekindle logs web --stream stderr --json | jq -r .text
)";

class LogsCommand final : public HostCommand
{
protected:
    void addOwnOptions(CLI::App &command) override
    {
        command.footer(helpOf(logsText, "stdout cannot be written"));
        m_choice.addTo(command, "The agents; required without --tag", AgentChoice::Default::None);
        command.add_flag("-f,--follow", m_follow, "Print new lines until the host exits");
        command.add_option("-n,--lines", m_lines, "Number of lines of each agent (default: 100)")
            ->check(CLI::Range(0, 1000).description(""))
            ->type_name("N");
        addText(command, "--grep", m_match, "Only lines that contain this text", "TEXT");
        command.add_option("--stream", m_stream, "Only lines of this stream (default: both)")
            ->check(CLI::IsMember({"stdout", "stderr"}).description(""))
            ->type_name("stdout|stderr");
        command.add_flag("--json", m_json, "Print each line as a JSON object");
    }

    int executeOn(HostConnection &host, Messages &messages) override
    {
        const std::optional<QJsonArray> agents = m_choice.names(host);
        if (!agents)
            return host.exitCode();
        m_hasPrefix = agents->size() > 1;
        bool isDone = false;
        int exitCode = ExitCode::fine;
        const QObject context;
        QObject::connect(
            &host.client(), &ControlClient::notified, &context,
            [&](const QString &method, const QJsonObject &params) {
                if (isDone)
                    return;
                if (method == QLatin1String("logs.gap")) {
                    const qint64 count = params[QLatin1String("count")].toInteger();
                    const QByteArray agent = forTerminal(textIn(params, "agent").toLocal8Bit());
                    messages.say(
                        QStringLiteral("%1: %2 dropped, because they were read too slowly")
                            .arg(QString::fromLocal8Bit(agent), counted(count, "line", "lines")));
                } else if (method == QLatin1String("logs.line")) {
                    exitCode = print(messages, textOf(params));
                    isDone = exitCode != ExitCode::fine || isUnread(STDOUT_FILENO);
                }
            });
        for (const auto &each : *agents) {
            const QString agent = each.toString();
            if (m_follow) {
                if (!host.request(QStringLiteral("logs.follow"), paramsOf(agent)))
                    return host.exitCode();
                continue;
            }
            const auto result = host.request(QStringLiteral("logs.read"), paramsOf(agent));
            if (!result)
                return host.exitCode();
            if (exitCode = printLines(messages, agent, *result); exitCode != ExitCode::fine)
                return exitCode;
        }
        if (!m_follow)
            return exitCode;
        return host.waitFor(isDone) ? exitCode : host.exitCode();
    }

private:
    [[nodiscard]] QJsonObject paramsOf(const QString &agent) const
    {
        QJsonObject params{{QStringLiteral("agent"), agent}, {QStringLiteral("lines"), m_lines}};
        if (!m_match.isEmpty())
            params[QLatin1String("match")] = m_match;
        if (!m_stream.empty())
            params[QLatin1String("streams")] = QJsonArray{QString::fromStdString(m_stream)};
        return params;
    }

    int printLines(Messages &messages, const QString &agent, const QJsonValue &result) const
    {
        QByteArray text;
        for (const auto &each : result[QLatin1String("lines")].toArray()) {
            QJsonObject line = each.toObject();
            line[QLatin1String("agent")] = agent;
            text += textOf(line);
        }
        if (text.isEmpty() && m_lines > 0 && m_match.isEmpty()) {
            messages.say(QStringLiteral("%1: no lines; a host has only those of streams with the "
                                        "target \"lines\"")
                             .arg(agent));
        }
        return print(messages, text);
    }

    [[nodiscard]] QByteArray textOf(const QJsonObject &line) const
    {
        if (m_json)
            return QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n';
        const QString prefix =
            m_hasPrefix ? textIn(line, "agent") + QLatin1String("| ") : QString();
        const QByteArray text = (prefix + textIn(line, "text")).toLocal8Bit();
        return (Terminal::isTerminal(STDOUT_FILENO) ? forTerminal(text) : text) + '\n';
    }

    AgentChoice m_choice;
    bool m_hasPrefix = false;
    int m_lines = 100;
    QString m_match;
    std::string m_stream;
    bool m_follow = false;
    bool m_json = false;
};

} // namespace

std::unique_ptr<Command> makeLogsCommand() { return std::make_unique<LogsCommand>(); }

} // namespace Rekindle
