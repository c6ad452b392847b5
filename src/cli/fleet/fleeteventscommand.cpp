// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/client/hostaddress_p.h"
#include "cli/client/hostchoice_p.h"
#include "cli/client/hostcommand_p.h"
#include "cli/output/terminal_p.h"
#include "cli/output/texthelpers_p.h"
#include "policy/internal/texthelpers.h"

#include <rekindle/control/controlclient.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/policy/eventtext.h>

#include <QEventLoop>
#include <QHash>
#include <QUrl>

#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace Rekindle {

namespace {

constexpr Duration reconnectPause = std::chrono::seconds(2);

/// The events of one host, also after the connection was lost.
class HostEvents
{
public:
    /// What receives the events of all hosts.
    struct Receiver
    {
        std::function<void(const QString &host, const ControlEvent &event)> event{};
        std::function<void(const QString &text)> say{};
        std::function<void()> ended{};
    };

    HostEvents(QString address, EventSelection selection, Receiver receiver, Scheduler &scheduler)
        : m_address(std::move(address))
        , m_selection(std::move(selection))
        , m_receiver(std::move(receiver))
        , m_again(scheduler, [this] { open(); })
    {
    }

    void open()
    {
        m_client = std::make_unique<ControlClient>();
        ControlClient *const client = m_client.get();
        QObject::connect(client, &ControlClient::opened, client, [this] { subscribe(); });
        QObject::connect(client, &ControlClient::failed, client,
                         [this](ControlClient::Cause, const QString &text) { lost(text); });
        QObject::connect(client, &ControlClient::eventReceived, client,
                         [this](const ControlEvent &event) {
                             m_selection.from = event.cursor;
                             m_receiver.event(label(), event);
                         });
        QObject::connect(client, &ControlClient::eventsMissed, client,
                         [this](qint64 count, const QString &, const QString &) {
                             m_receiver.say(QStringLiteral("%1: %2 missing")
                                                .arg(label(), counted(count, "event", "events")));
                         });
        QObject::connect(client, &ControlClient::eventsEnded, client, [this] { end(); });
        if (const QString fault = openHost(*client, m_address); !fault.isEmpty())
            lost(fault);
    }

    [[nodiscard]] bool hasEnded() const { return m_hasEnded; }
    [[nodiscard]] bool hasFailed() const { return m_hasFailed; }

private:
    // Hosts of different machines often have the same name.
    [[nodiscard]] QString label() const
    {
        const QUrl address(m_address);
        const QString name = m_client->host().name;
        return address.scheme() == QLatin1String("ssh") ? address.host() + u'/' + name : name;
    }

    void subscribe()
    {
        m_isReported = false;
        m_client->subscribe(m_selection).then([this](const ControlResult<QString> &result) {
            if (!result.error || result.error->code == ControlError::Code::NotConnected)
                return;
            m_receiver.say(m_address + QLatin1String(": ") + result.error->message);
            // The events after the cursor are not stored anymore.
            m_selection.from = QStringLiteral("oldest");
            m_again.armIn(reconnectPause);
        });
    }

    void lost(const QString &text)
    {
        if (!std::exchange(m_isReported, true))
            m_receiver.say(text);
        if (m_selection.untilNow) {
            m_hasFailed = true;
            end();
        } else {
            m_again.armIn(reconnectPause);
        }
    }

    void end()
    {
        m_hasEnded = true;
        m_receiver.ended();
    }

    const QString m_address;
    EventSelection m_selection;
    const Receiver m_receiver;
    Deadline m_again;
    std::unique_ptr<ControlClient> m_client;
    bool m_isReported = false; ///< the loss of the connection
    bool m_hasEnded = false;
    bool m_hasFailed = false;
};

class FleetEventsCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        command
            .add_option(
                "HOST", m_hosts,
                "The hosts, as for --host of `rekindle events`: name, path of the socket or "
                "ssh://[USER@]MACHINE[:PORT]/[NAME]")
            ->required();
        command.add_flag("-f,--follow", m_follow, "Print new events until Ctrl-C");
        addTexts(command, "--type", m_types,
                 "Only events of this type; can be repeated (default: all)", "TYPE");
        command.add_flag("--json", m_json, "Print lines of CloudEvents JSON");
    }

    int execute(Messages &messages) override
    {
        const EventSelection selection{.from = m_follow ? QStringLiteral("now")
                                                        : QStringLiteral("recent"),
                                       .types = m_types,
                                       .untilNow = !m_follow};
        TimerScheduler scheduler;
        QEventLoop loop;
        std::vector<std::unique_ptr<HostEvents>> hosts;
        const auto haveAllEnded = [&hosts] {
            return std::ranges::all_of(hosts, [](const auto &each) { return each->hasEnded(); });
        };
        const HostEvents::Receiver receiver{
            .event =
                [&](const QString &host, const ControlEvent &event) {
                    if (m_exitCode == ExitCode::fine && isNew(event.cursor))
                        m_exitCode = print(messages, textOf(host, event));
                    if (m_exitCode != ExitCode::fine || isUnread(STDOUT_FILENO))
                        loop.quit();
                },
            .say = [&messages](const QString &text) { messages.say(text); },
            .ended =
                [&] {
                    if (haveAllEnded())
                        loop.quit();
                },
        };
        for (const std::string &host : m_hosts) {
            HostChoice choice;
            choice.setHost(QString::fromStdString(host));
            hosts.push_back(std::make_unique<HostEvents>(choice.choose(messages), selection,
                                                         receiver, scheduler));
        }
        if (hosts.size() > 1)
            messages.say(QStringLiteral("the events of each host are in order; those of different "
                                        "hosts are not"));
        for (const auto &each : hosts)
            each->open();
        if (!haveAllEnded())
            loop.exec();
        const bool hasFailed =
            std::ranges::any_of(hosts, [](const auto &each) { return each->hasFailed(); });
        return hasFailed && m_exitCode == ExitCode::fine ? ExitCode::unavailable : m_exitCode;
    }

private:
    // A cursor is RUN:SEQ. After a reconnection, or for a host that is named twice, an event may
    // arrive again.
    [[nodiscard]] bool isNew(const QString &cursor)
    {
        quint64 &last = m_last[cursor.section(u':', 0, 0)];
        const quint64 sequence = cursor.section(u':', 1).toULongLong();
        if (sequence <= last)
            return false;
        last = sequence;
        return true;
    }

    [[nodiscard]] QByteArray textOf(const QString &host, const ControlEvent &event) const
    {
        if (m_json)
            return event.json + '\n';
        const QString line =
            QStringLiteral("%1 %2/%3: %4")
                .arg(toRfc3339(event.time), host, event.agent, eventText(event.type, event.data));
        return forTerminal(line.toLocal8Bit()) + '\n';
    }

    std::vector<std::string> m_hosts;
    QStringList m_types;
    QHash<QString, quint64> m_last; ///< sequence number by run
    int m_exitCode = ExitCode::fine;
    bool m_follow = false;
    bool m_json = false;
};

} // namespace

const CommandRow fleetEventsCommand{
    .name = "fleet events",
    .summary = "Print the events of several hosts",
    .help =
        R"(Prints the events that the hosts have in memory, each with the machine and name of its host. With
--follow, prints new events until Ctrl-C; a lost connection is opened again, and continues after the last
event. No event is printed twice. The events of one host are in order; those of different hosts are
not, because each host has its own clock.

Examples:
  rekindle fleet events agents ssh://b.example/agents
  rekindle fleet events --follow agents ssh://b.example/agents --type agent.started
)",
    .exitCodes = {{1, "stdout cannot be written"},
                  {64, "usage, or several hosts fit"},
                  {69, "a host does not run or does not respond"}},
    .make = makeCommand<FleetEventsCommand>,
};

} // namespace Rekindle
