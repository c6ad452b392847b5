// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentchoice_p.h"
#include "cli/output/terminal_p.h"
#include "cli/output/texthelpers_p.h"
#include "hostcommand_p.h"
#include "policy/internal/texthelpers.h"

#include <rekindle/policy/eventtext.h>

#include <QObject>

#include <unistd.h>

namespace Rekindle {

namespace {

// "TYPE is agent.started, agent.ready, ...", in lines as wide as the others of the help.
QString typesText()
{
    constexpr qsizetype width = 100;
    const QStringList types = eventTypes();
    QString line = QStringLiteral("TYPE is");
    QStringList lines;
    for (qsizetype i = 0; i < types.size(); ++i) {
        const QStringList words{types[i] + (i + 2 < types.size() ? u"," : u""),
                                i + 2 == types.size() ? QStringLiteral("or") : QString()};
        for (const QString &word : words) {
            if (line.size() + 1 + word.size() > width)
                lines.append(std::exchange(line, {}));
            line += (line.isEmpty() || word.isEmpty() ? QString() : QStringLiteral(" ")) + word;
        }
    }
    return (lines << line + u'.').join(u'\n');
}

QByteArray textOf(const ControlEvent &event)
{
    const QString line =
        QStringLiteral("%1 %2: %3")
            .arg(toRfc3339(event.time), event.agent, eventText(event.type, event.data));
    return forTerminal(line.toLocal8Bit()) + '\n';
}

class EventsCommand final : public HostCommand
{
protected:
    void addOwnOptions(CLI::App &command) override
    {
        const QString help = QString::fromStdString(command.get_footer()).arg(typesText());
        command.footer(help.toStdString());
        command.add_flag("-f,--follow", m_follow, "Print new events until the host exits");
        addText(command, "--from", m_from,
                "Begin with new events, with those in memory, with the oldest stored event, or "
                "after a cursor (default: recent; with --follow: now)",
                "now|recent|oldest|CURSOR");
        addTexts(command, "--type", m_types,
                 "Only events of this type; can be repeated (default: all)", "TYPE");
        m_choice.addOptionsTo(command, "Only events of this agent; can be repeated (default: all)");
        command.add_flag("--json", m_json, "Print lines of CloudEvents JSON");
    }

    int executeOn(HostConnection &host, Messages &messages) override
    {
        const QStringList agents = m_choice.names(host);
        host.nameParameter(QStringLiteral("from"), QStringLiteral("--from"));
        host.nameParameter(QStringLiteral("types"), QStringLiteral("--type"));
        bool isDone = false;
        int exitCode = ExitCode::fine;
        QString cursor;
        const QObject context;
        ControlClient &client = host.client();
        QObject::connect(&client, &ControlClient::eventsEnded, &context, [&] { isDone = true; });
        QObject::connect(&client, &ControlClient::eventsMissed, &context,
                         [&](qint64 count, const QString &from, const QString &to) {
                             messages.say(QStringLiteral("%1 missing, from %2 to %3")
                                              .arg(counted(count, "event", "events"), from, to));
                             cursor = to;
                         });
        QObject::connect(&client, &ControlClient::eventReceived, &context,
                         [&](const ControlEvent &event) {
                             if (isDone)
                                 return;
                             cursor = event.cursor;
                             exitCode = print(messages, m_json ? event.json + '\n' : textOf(event));
                             isDone = exitCode != ExitCode::fine || isUnread(STDOUT_FILENO);
                         });
        const QString first = m_follow ? QStringLiteral("now") : QStringLiteral("recent");
        const QString begin =
            host.result(client.subscribe({.from = m_from.isEmpty() ? first : m_from,
                                          .types = m_types,
                                          .agents = agents,
                                          .untilNow = !m_follow}));
        if (cursor.isEmpty())
            cursor = begin;
        host.follow(isDone);
        if (!isDone && host.hasEnded())
            messages.say(QLatin1String("to continue, use --from ") + cursor);
        return isDone ? exitCode : host.exitCode();
    }

private:
    QString m_from;
    QStringList m_types;
    AgentChoice m_choice;
    bool m_follow = false;
    bool m_json = false;
};

} // namespace

const CommandRow eventsCommand{
    .name = "events",
    .summary = "Print the events of a running host",
    .help =
        R"(Prints the events that a running host has in memory, oldest first: at most 1,024 before events are
requested for the first time, and at most 65,536 after that. With --follow, prints new events until
the host exits or Ctrl-C is pressed. After an orderly exit of the host, the exit code is 0.

--from oldest begins with the oldest event in the telemetry store of the host, which also has the
events of earlier runs. Without a store, it begins with the oldest event in memory. If the host has
no store and this command or its reader is too slow, the host drops events; their number is reported
on stderr.

If the connection ends, the last cursor is printed on stderr. Pass it to --from to continue after
it. If the host has a store, this also works after a restart of the host. `rekindle history` prints
the events of hosts that do not run.

--agent also accepts an agent that was removed from the host, while its events are in memory. After
that, `rekindle history NAME` prints its events from the store.

%1

Examples:
  rekindle events
  rekindle events --follow --agent web --type agent.failed
  rekindle events --follow --tag backend
  rekindle events --from 0b6f7a52-6f43-4f0e-8d0c-9b2f6a1c7e11:42
  rekindle events --follow --json | jq -r .type
)",
    .exitCodes = hostCodes(
        {{1, "the events after the cursor are not stored anymore, or stdout cannot be written"}}),
    .make = makeCommand<EventsCommand>,
};

} // namespace Rekindle
