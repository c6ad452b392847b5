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

QString ServerExit::description() const
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
    std::optional<RestartMarker> restart = std::exchange(m_nextRestart, std::nullopt);
    if (m_record.server.processId == 0)
        restart.reset(); // the first server of the session
    if (restart) {
        restart->timestamp = markerTime(start.time);
        m_record.lastRestart = restart;
        m_record.oldProcessId = m_record.server.processId;
        m_record.toolsAdded.clear();
        m_record.toolsRemoved.clear();
    }
    m_record.server = start;
    m_record.isRunning = true;
    m_record.handshakeDone = false;
    return std::exchange(m_isNextWritten, false) ? std::nullopt : restart;
}

void ServerHistory::addExit(const ServerExit &exit)
{
    m_outlook = exit.outlook;
    m_record.isRunning = false;
    m_record.handshakeDone = false;
    ServerExit &last = m_record.lastExit.emplace(exit);
    FailureDetail &detail = last.detail;
    const QString fault = std::exchange(m_fault, {});
    m_nextRestart = std::exchange(m_requestedRestart, std::nullopt);
    m_isNextWritten = m_nextRestart.has_value();
    if (!fault.isEmpty())
        detail = {fault, {}, {}, exit.detail.processId, exit.detail.stderrTail, false};
    else if (m_nextRestart)
        last.kind = ServerExit::Kind::Requested;
    if (m_nextRestart)
        return;
    if (exit.kind == ServerExit::Kind::Requested) {
        m_nextRestart = {{},
                         markerReason(exit.detail.message),
                         ExitCodeTable::restartRequested,
                         QStringLiteral("exit 42")};
    } else {
        const int code = detail.signal ? signalBase + *detail.signal : detail.exitCode.value_or(0);
        const QString reason = QLatin1String("it ") + last.description();
        m_nextRestart = {{}, markerReason(reason), code, QStringLiteral("crash")};
    }
}

void ServerHistory::setRequestedRestart(const RestartMarker &marker, bool isRunning)
{
    if (isRunning) {
        if (!m_requestedRestart)
            m_requestedRestart = marker;
    } else {
        m_nextRestart = marker;
        m_isNextWritten = false;
    }
}

std::optional<RestartMarker> ServerHistory::pendingRestart() const
{
    if (m_requestedRestart)
        return m_requestedRestart;
    const bool isRequested =
        m_nextRestart && m_nextRestart->exitCode == ExitCodeTable::restartRequested;
    return isRequested ? m_nextRestart : std::nullopt;
}

} // namespace Rekindle
