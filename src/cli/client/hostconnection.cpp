// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "hostconnection_p.h"

#include "hostaddress_p.h"

#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "cli/output/terminal_p.h"
#include "cli/output/texthelpers_p.h"
#include "policy/internal/texthelpers.h"

#include <QEventLoop>
#include <QSocketNotifier>

#include <unistd.h>

namespace Rekindle {

namespace {

constexpr int configInvalid = -32008;
constexpr int invalidParams = -32602;

int exitCodeOf(const ControlClient::Error &error)
{
    constexpr int unknownAgent = -32001;
    constexpr int forbidden = -32003;
    constexpr int busy = -32006;
    constexpr int stopping = -32009;
    constexpr int timedOut = -32010;
    constexpr int unknownSharedBreaker = -32013;
    switch (error.code) {
    case invalidParams:
    case unknownAgent:
    case unknownSharedBreaker:
        return ExitCode::usage;
    case forbidden:
        return ExitCode::noPermission;
    case busy:
    case stopping:
        return ExitCode::tryLater;
    case configInvalid:
        return ExitCode::configuration;
    case timedOut:
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
    QObject::connect(&m_client, &ControlClient::notified, &m_client, [this](const QString &method) {
        m_hostExits = m_hostExits || method == QLatin1String("bye");
    });
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

bool HostConnection::open(const QString &address)
{
    QObject::connect(&m_client, &ControlClient::opened, &m_client, [this] { m_isOpened = true; });
    m_address = address;
    m_isRemote = isRemoteHost(address);
    if (const QString fault = openHost(m_client, address); !fault.isEmpty()) {
        report(ExitCode::unavailable, fault);
        return false;
    }
    // ssh has its own limit, and may ask for a password.
    wait(m_isOpened, m_isRemote ? std::nullopt : std::optional(longestWait));
    return !m_hasFailed;
}

std::optional<QJsonValue> HostConnection::request(const QString &method, const QJsonObject &params,
                                                  std::optional<Duration> limit)
{
    struct Reply
    {
        QJsonValue result;
        std::optional<ControlClient::Error> error;
        bool isDone = false;
    };
    // It may arrive after the time limit.
    const auto reply = std::make_shared<Reply>();
    m_client.request(method, params, [reply](const QJsonValue &result, const auto &error) {
        *reply = {result, error, true};
    });
    wait(reply->isDone, limit);
    if (m_hasFailed || !reply->isDone)
        return std::nullopt;
    if (reply->error) {
        // Those of a configuration. The message has those of parameters.
        if (reply->error->code == configInvalid)
            reportFaults(reply->error->data[QLatin1String("faults")].toArray());
        // The end of the connection is reported by failed().
        if (reply->error->code != ControlClient::Error::notConnected)
            report(exitCodeOf(*reply->error), textOf(*reply->error));
        else
            wait(m_hasFailed, longestWait);
        return std::nullopt;
    }
    return reply->result;
}

QString HostConnection::textOf(const ControlClient::Error &error) const
{
    if (const QString removed = textIn(error.data, "removed"); !removed.isEmpty()) {
        return error.message
            + QStringLiteral("; to see its events, use `rekindle events --agent %1`").arg(removed);
    }
    QStringList lines;
    const QJsonArray faults =
        error.code == invalidParams ? error.data[QLatin1String("faults")].toArray() : QJsonArray();
    for (const auto &each : faults) {
        const QJsonObject fault = each.toObject();
        const QString option = m_options.value(textIn(fault, "path").section(u'/', 1, 1));
        if (option.isEmpty())
            return error.message;
        lines.append(option + QLatin1String(": ") + textIn(fault, "message"));
    }
    if (!lines.isEmpty())
        return lines.join(QLatin1String("; "));
    const QStringList names = error.data[QLatin1String("candidates")].toVariant().toStringList();
    const bool isGuessed = error.message.contains(QLatin1String("did you mean"));
    const bool isAgent = error.message.startsWith(QLatin1String("no agent"));
    return names.isEmpty() || isGuessed
        ? error.message
        : error.message + (isAgent ? QLatin1String("; known agents: ") : QLatin1String("; known: "))
            + listed(names);
}

void HostConnection::reportFaults(const QJsonArray &faults)
{
    for (const auto &each : faults) {
        const QJsonObject fault = each.toObject();
        const bool isWarning = textIn(fault, "severity") == QLatin1String("warning");
        const Fault read{.path = textIn(fault, "pointer"),
                         .message = textIn(fault, "message"),
                         .severity = isWarning ? Fault::Severity::Warning : Fault::Severity::Error,
                         .line = fault[QLatin1String("line")].toInt(),
                         .column = fault[QLatin1String("column")].toInt(),
                         .file = {}};
        const QString line = read.toString(textIn(fault, "file"));
        m_messages.write(forTerminal(line.toLocal8Bit()) + '\n');
    }
}

bool HostConnection::pause(Duration time)
{
    follow(false, time);
    return !m_hasFailed && !m_isUnread;
}

void HostConnection::waitForEnd() { runUntil(false, std::nullopt); }

bool HostConnection::waitForState(const QString &state, const QJsonArray &agents,
                                  std::optional<Duration> timeout)
{
    QJsonObject params{{QStringLiteral("agents"), agents}, {QStringLiteral("for"), state}};
    std::optional<Duration> limit;
    if (timeout) {
        const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(*timeout);
        params[QLatin1String("timeout")] = static_cast<qint64>(rounded.count());
        limit = rounded + longestWait;
    }
    return request(QStringLiteral("agents.wait"), params, limit).has_value();
}

bool HostConnection::waitFor(const bool &isDone)
{
    follow(isDone, std::nullopt);
    return isDone;
}

// Does not depend on a failed write to stdout, because the next one may be hours later.
void HostConnection::follow(const bool &isDone, std::optional<Duration> limit)
{
    m_isFollowing = true;
    const QSocketNotifier reader(STDOUT_FILENO, QSocketNotifier::Exception);
    QObject::connect(&reader, &QSocketNotifier::activated, &m_client,
                     [this] { m_isUnread = isUnread(STDOUT_FILENO); });
    runUntil(isDone, limit);
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
    if (!isDone && !m_hasFailed)
        report(ExitCode::unavailable,
               QStringLiteral("the host%1 has not responded within %2; its event loop may hang")
                   .arg(processTextOf(m_address), readable(*limit)));
}

void HostConnection::say(const QString &text) { m_messages.say(text); }

void HostConnection::report(int exitCode, const QString &text)
{
    say(text);
    m_exitCode = exitCode;
    m_hasFailed = true;
}

} // namespace Rekindle
