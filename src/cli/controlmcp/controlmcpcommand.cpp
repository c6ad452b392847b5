// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/signalwatch_p.h"
#include "base/text/terminaltext_p.h"
#include "cli/client/hostchoice_p.h"
#include "cli/commands/command_p.h"
#include "hostcall_p.h"
#include "mcp/internal/toolserver.h"

#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/policy/lifecycleevent.h>

#include <QCoreApplication>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <csignal>
#include <unistd.h>
#include <variant>

namespace Rekindle {

namespace {

// The assistant reads the texts of agents without what a person does not see.
QJsonValue printableValue(const QJsonValue &value)
{
    if (value.isString())
        return foreignText(value.toString(), AgentOutput::longestLine);
    QJsonArray items = value.toArray();
    for (auto &&item : items)
        item = printableValue(item);
    QJsonObject members = value.toObject();
    for (auto &&member : members)
        member = printableValue(member);
    if (value.isArray())
        return items;
    return value.isObject() ? QJsonValue(members) : value;
}

/// Serves an MCP client on stdin and stdout: each tool call becomes a request to a running host.
class ControlMcpSession final : public QObject
{
public:
    /// `hosts` must outlive it.
    ControlMcpSession(const HostChoice &hosts, bool mayOperate, Messages &messages)
        : m_hosts(hosts)
        , m_messages(messages)
        , m_tools(mayOperate)
        , m_server(STDIN_FILENO, STDOUT_FILENO, m_scheduler, "Rekindle control",
                   m_tools.definitions(), ControlTools::names())
        , m_signals({SIGINT, SIGTERM})
    {
        connect(&m_signals, &SignalWatch::received, this, [] { QCoreApplication::quit(); });
        connect(&m_server, &ToolServer::called, this, &ControlMcpSession::begin);
        connect(&m_server, &ToolServer::cancelled, this, &ControlMcpSession::cancel);
        connect(&m_server, &ToolServer::inputEnded, this, &ControlMcpSession::cancelWaits);
        connect(&m_server, &ToolServer::ended, this, [this](const QString &fault) {
            if (!fault.isEmpty()) {
                m_messages.say(QLatin1String("stdout: ") + fault);
                m_exitCode = ExitCode::outputFailed;
            }
            QCoreApplication::quit();
        });
    }

    // The calls need the scheduler.
    ~ControlMcpSession() override { qDeleteAll(findChildren<HostCall *>()); }

    /// Runs until the client ends the session. Returns the exit code.
    int run()
    {
        m_server.start();
        QCoreApplication::exec();
        return m_exitCode;
    }

private:
    void begin(quint64 call, const QString &tool, const QByteArray &arguments)
    {
        const auto refuse = [&](const QString &why) { m_server.answer(call, why, true); };
        const auto request = m_tools.requestOf(tool, QJsonDocument::fromJson(arguments).object());
        if (const auto *why = std::get_if<QString>(&request)) {
            refuse(*why);
            return;
        }
        QStringList faults;
        m_messages.divertTo(
            [&faults](const QByteArray &line) { faults.append(QString::fromLocal8Bit(line)); });
        QString host;
        try {
            host = m_hosts.choose(m_messages);
        } catch (const CommandFailure &) {
            refuse(faults.join(u'\n'));
        }
        m_messages.divertTo({});
        if (host.isEmpty())
            return;
        auto *const started = new HostCall(std::get<HostRequest>(request), m_scheduler, this);
        m_calls.insert(call, started);
        if (tool == QLatin1String("wait_for"))
            m_waits.insert(call);
        connect(started, &HostCall::succeeded, this, [this, call](const QJsonObject &result) {
            const QByteArray json =
                QJsonDocument(printableValue(result).toObject()).toJson(QJsonDocument::Compact);
            m_server.answer(call, QString::fromUtf8(json), false, json);
            cancel(call);
        });
        connect(started, &HostCall::failed, this, [this, call](const QString &why) {
            m_server.answer(call, why, true);
            cancel(call);
        });
        started->start(host);
    }

    void cancel(quint64 call)
    {
        m_waits.remove(call);
        if (HostCall *const ended = m_calls.take(call))
            ended->deleteLater();
    }

    // The client has closed stdin: it reads no result that takes minutes.
    void cancelWaits()
    {
        const QSet<quint64> waits = m_waits;
        for (const quint64 call : waits) {
            m_server.answer(call, QStringLiteral("the client has closed stdin"), true);
            cancel(call);
        }
    }

    const HostChoice &m_hosts;
    Messages &m_messages;
    TimerScheduler m_scheduler;
    const ControlTools m_tools;
    ToolServer m_server;
    SignalWatch m_signals;
    QHash<quint64, HostCall *> m_calls;
    QSet<quint64> m_waits; ///< the calls of wait_for
    int m_exitCode = 0;
};

class ControlMcpCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        m_choice.addTo(command);
        addText(command, "--allow", m_allowed, "operate: also offer the tools that operate agents",
                "operate")
            ->check(CLI::IsMember({"operate"}).description(""));
    }

    int execute(Messages &messages) override
    {
        return ControlMcpSession(m_choice, !m_allowed.isEmpty(), messages).run();
    }

private:
    HostChoice m_choice;
    QString m_allowed;
};

} // namespace

const CommandRow controlMcpCommand{
    .name = "control-mcp",
    .summary = "Serve the agents of a running host to an MCP client",
    .help =
        R"(Runs an MCP server on stdin and stdout. Its tools show the agents of a running host: list_agents,
explain_agent, read_logs, recent_events and wait_for. With --allow operate, it also has the tools
restart, stop, start, retry and reset.

Each call opens a new connection, so the host can be started and restarted at any time.

Examples:
  rekindle control-mcp --config agents.json
  rekindle control-mcp --config agents.json --allow operate
  rekindle control-mcp --host ssh://machine/web
)",
    .exitCodes = {{0, "the client has closed stdin or stdout, or SIGINT or SIGTERM was received"}},
    .make = makeCommand<ControlMcpCommand>,
};

} // namespace Rekindle
