// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "serverhistory_p.h"

#include "base/signalname_p.h"

#include <rekindle/process/exitcodetable.h>

#include <utility>

namespace Rekindle {

namespace {
constexpr int signalBase = 128;
} // namespace

QString ServerEnd::description() const
{
    if (kind == Kind::Requested)
        return QStringLiteral("was restarted on request");
    if (kind == Kind::Stopped)
        return QStringLiteral("was stopped at the end of the session");
    if (detail.signal)
        return QStringLiteral("was terminated by %1").arg(signalName(*detail.signal));
    if (detail.exitCode)
        return QStringLiteral("exited with exit code %1").arg(*detail.exitCode);
    if (!detail.message.isEmpty())
        return QStringLiteral("failed: %1").arg(detail.message);
    return QStringLiteral("exited");
}

std::optional<RestartMarker> ServerHistory::addStart(const ServerStart &start)
{
    std::optional<RestartMarker> restart = std::exchange(m_coming, std::nullopt);
    if (m_record.server.processId == 0)
        restart.reset(); // the first server of the session
    if (restart) {
        restart->timestamp = start.time;
        m_record.lastRestart = restart;
        m_record.oldProcessId = m_record.server.processId;
        m_record.toolsAdded.clear();
        m_record.toolsRemoved.clear();
    }
    m_record.server = start;
    m_record.isRunning = true;
    m_record.handshakeDone = false;
    return restart;
}

void ServerHistory::addEnd(const ServerEnd &end)
{
    m_outlook = end.outlook;
    m_record.isRunning = false;
    m_record.handshakeDone = false;
    ServerEnd &last = m_record.lastEnd.emplace(end);
    FailureDetail &detail = last.detail;
    const QString fault = std::exchange(m_fault, {});
    m_coming = std::exchange(m_requested, std::nullopt);
    if (!fault.isEmpty())
        detail = {fault, {}, {}, end.detail.processId, end.detail.stderrTail, false};
    else if (m_coming)
        last.kind = ServerEnd::Kind::Requested;
    if (m_coming)
        return;
    if (end.kind == ServerEnd::Kind::Requested) {
        m_coming = {{},
                    markerReason(end.detail.message),
                    ExitCodeTable::restartRequested,
                    QStringLiteral("exit 42")};
    } else {
        const int code = detail.signal ? signalBase + *detail.signal : detail.exitCode.value_or(0);
        const QString reason = QLatin1String("it ") + last.description();
        m_coming = {{}, markerReason(reason), code, QStringLiteral("crash")};
    }
}

void ServerHistory::setRequestedRestart(const RestartMarker &marker, bool isRunning)
{
    if (!isRunning)
        m_coming = marker;
    else if (!m_requested)
        m_requested = marker;
}

} // namespace Rekindle
