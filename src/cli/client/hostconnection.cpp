// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "hostconnection_p.h"

#include "hostaddress_p.h"

#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "cli/output/terminal_p.h"
#include "cli/output/texthelpers_p.h"
#include "control/internal/messagejson.h"
#include "policy/internal/texthelpers.h"

#include <rekindle/json/fault.h>

#include <QEventLoop>
#include <QJsonDocument>
#include <QSocketNotifier>

#include <unistd.h>

namespace Rekindle {

namespace {

using Code = ControlError::Code;

int exitCodeOf(Code error)
{
    switch (error) {
    case Code::InvalidParams:
    case Code::UnknownAgent:
    case Code::UnknownSharedBreaker:
        return ExitCode::usage;
    case Code::Forbidden:
        return ExitCode::noPermission;
    case Code::Busy:
    case Code::Stopping:
        return ExitCode::tryLater;
    case Code::ConfigInvalid:
        return ExitCode::configuration;
    case Code::TimedOut:
        return ExitCode::deadlineExceeded;
    default:
        return ExitCode::refused;
    }
}

} // namespace

int exitCodeOf(ControlClient::Cause cause)
{
    switch (cause) {
    case ControlClient::Cause::NoPermission:
        return ExitCode::noPermission;
    case ControlClient::Cause::Busy:
        return ExitCode::tryLater;
    case ControlClient::Cause::UnsupportedProtocol:
        return ExitCode::unsupportedProtocol;
    case ControlClient::Cause::NoHost:
    case ControlClient::Cause::ConnectionLost:
        break;
    }
    return ExitCode::unavailable;
}

HostConnection::HostConnection(Messages &messages)
    : m_messages(messages)
{
    QObject::connect(
        &m_client, &ControlClient::failed, &m_client,
        [this](ControlClient::Cause cause, const QString &text) { handleEnd(cause, text); });
    QObject::connect(&m_client, &ControlClient::closing, &m_client, [this] { m_hostExits = true; });
}

void HostConnection::handleEnd(ControlClient::Cause cause, const QString &text)
{
    const bool isLost = cause == ControlClient::Cause::ConnectionLost;
    if (isLost && m_expectsEnd)
        m_hasFailed = true;
    else if (isLost && m_isFollowing && m_hostExits)
        report(ExitCode::fine, QStringLiteral("the host exited"));
    else
        report(exitCodeOf(cause), text);
}

void HostConnection::open(const QString &address)
{
    QObject::connect(&m_client, &ControlClient::opened, &m_client, [this] { m_isOpened = true; });
    m_address = address;
    m_isRemote = HostAddress(address).isRemote();
    if (const QString fault = openHost(m_client, address); !fault.isEmpty())
        m_messages.end(ExitCode::unavailable, fault);
    // ssh has its own limit, and may ask for a password.
    wait(m_isOpened, m_isRemote ? std::nullopt : std::optional(longestWait));
}

void HostConnection::end(const ControlError &error)
{
    const QJsonObject data = QJsonDocument::fromJson(error.data).object();
    if (error.code == Code::ConfigInvalid)
        reportFaults(data[QLatin1String("faults")]);
    // The end of the connection is reported by failed().
    if (error.code == Code::NotConnected)
        wait(m_hasFailed, longestWait);
    m_messages.end(exitCodeOf(error.code), textOf(error, data));
}

QString HostConnection::textOf(const ControlError &error, const QJsonObject &data) const
{
    if (const QString removed = textIn(data, "removed"); !removed.isEmpty()) {
        return error.message
            + QStringLiteral("; to see its events, use `rekindle events --agent %1`").arg(removed);
    }
    QStringList lines;
    const QJsonArray faults =
        error.code == Code::InvalidParams ? data[QLatin1String("faults")].toArray() : QJsonArray();
    for (const auto &each : faults) {
        const QJsonObject fault = each.toObject();
        const QString option = m_options.value(textIn(fault, "path").section(u'/', 1, 1));
        if (option.isEmpty())
            return error.message;
        lines.append(option + QLatin1String(": ") + textIn(fault, "message"));
    }
    if (!lines.isEmpty())
        return lines.join(QLatin1String("; "));
    const auto names = fromJson<QStringList>(data[QLatin1String("candidates")]);
    if (names.isEmpty() || error.message.contains(QLatin1String("did you mean")))
        return error.message;
    const bool isAgent = error.code == Code::UnknownAgent;
    return error.message
        + (isAgent ? QLatin1String("; known agents: ") : QLatin1String("; known: "))
        + listed(names);
}

void HostConnection::reportFaults(const QJsonValue &faults)
{
    for (const auto &each : faults.toArray()) {
        Fault fault;
        QString severity;
        FieldReader(each.toObject())("pointer", fault.path, "message", fault.message, "severity",
                                     severity, "line", fault.line, "column", fault.column, "file",
                                     fault.file);
        if (severity == QLatin1String("warning"))
            fault.severity = Fault::Severity::Warning;
        m_messages.write(forTerminal(fault.toString().toLocal8Bit()) + '\n');
    }
}

void HostConnection::waitForState(const QString &state, const QStringList &agents,
                                  std::optional<Duration> timeout)
{
    QJsonObject params{{QStringLiteral("agents"), QJsonArray::fromStringList(agents)},
                       {QStringLiteral("for"), state}};
    std::optional<Duration> limit;
    if (timeout) {
        const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(*timeout);
        params[QLatin1String("timeout")] = static_cast<qint64>(rounded.count());
        limit = rounded + longestWait;
    }
    request(QStringLiteral("agents.wait"), params, limit);
}

// Does not depend on a failed write to stdout, because the next one may be hours later.
bool HostConnection::follow(const bool &isDone, std::optional<Duration> limit)
{
    m_isFollowing = true;
    const QSocketNotifier reader(STDOUT_FILENO, QSocketNotifier::Exception);
    QObject::connect(&reader, &QSocketNotifier::activated, &m_client,
                     [this] { m_isUnread = isUnread(STDOUT_FILENO); });
    runUntil(isDone, limit);
    return !m_hasFailed && !m_isUnread;
}

void HostConnection::runUntil(const bool &isDone, std::optional<Duration> limit)
{
    bool isOver = false;
    Deadline end(m_scheduler, [&isOver] { isOver = true; });
    if (limit)
        end.armIn(*limit);
    QEventLoop loop;
    while (!isDone && !m_hasFailed && !m_isUnread && !isOver)
        loop.processEvents(QEventLoop::WaitForMoreEvents);
}

void HostConnection::wait(const bool &isDone, std::optional<Duration> limit)
{
    runUntil(isDone, limit);
    if (m_hasFailed || (m_isUnread && !isDone))
        throw CommandFailure{m_exitCode};
    if (!isDone)
        m_messages.end(
            ExitCode::unavailable,
            QStringLiteral(
                "the host%1 has not responded within %2; it may be suspended (to continue "
                "it: kill -CONT PID), or its event loop may hang")
                .arg(processTextOf(m_address), readable(*limit)));
}

void HostConnection::report(int exitCode, const QString &text)
{
    m_exitCode = m_messages.fail(exitCode, text);
    m_hasFailed = true;
}

} // namespace Rekindle
