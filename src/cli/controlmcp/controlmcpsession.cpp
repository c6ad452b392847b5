// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "controlmcpsession_p.h"

#include "base/text/terminaltext_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"

#include <rekindle/policy/lifecycleevent.h>

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <csignal>
#include <unistd.h>

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

} // namespace

ControlMcpSession::ControlMcpSession(const HostChoice &hosts, bool mayOperate, Messages &messages)
    : m_hosts(hosts)
    , m_messages(messages)
    , m_tools(mayOperate)
    , m_server(STDIN_FILENO, STDOUT_FILENO, m_scheduler, "Rekindle control", m_tools.definitions(),
               ControlTools::names())
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
ControlMcpSession::~ControlMcpSession() { qDeleteAll(findChildren<HostCall *>()); }

int ControlMcpSession::run()
{
    m_server.start();
    QCoreApplication::exec();
    return m_exitCode;
}

void ControlMcpSession::begin(quint64 call, const QString &tool, const QByteArray &arguments)
{
    const auto refuse = [&](const QString &why) { m_server.answer(call, why, true); };
    const auto request = m_tools.requestOf(tool, QJsonDocument::fromJson(arguments).object());
    if (const auto *why = std::get_if<QString>(&request)) {
        refuse(*why);
        return;
    }
    const auto host = chosenHost();
    if (host.index() == 1) {
        refuse(std::get<1>(host));
        return;
    }
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
    started->start(std::get<0>(host));
}

void ControlMcpSession::cancel(quint64 call)
{
    m_waits.remove(call);
    if (HostCall *const ended = m_calls.take(call))
        ended->deleteLater();
}

// The client has closed stdin: it reads no result that takes minutes.
void ControlMcpSession::cancelWaits()
{
    const QSet<quint64> waits = m_waits;
    for (const quint64 call : waits) {
        m_server.answer(call, QStringLiteral("the client has closed stdin"), true);
        cancel(call);
    }
}

std::variant<QString, QString> ControlMcpSession::chosenHost() const
{
    QStringList lines;
    m_messages.divertTo(
        [&lines](const QByteArray &line) { lines.append(QString::fromLocal8Bit(line)); });
    int exitCode = 0;
    const std::optional<QString> host = m_hosts.choose(m_messages, exitCode);
    m_messages.divertTo({});
    if (!host)
        return std::variant<QString, QString>(std::in_place_index<1>, lines.join(u'\n'));
    return std::variant<QString, QString>(std::in_place_index<0>, *host);
}

} // namespace Rekindle
