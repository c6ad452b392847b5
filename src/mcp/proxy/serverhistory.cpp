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
    if (m_record.processId == 0)
        restart.reset(); // the first server of the session
    if (restart) {
        restart->timestamp = start.time;
        m_record.lastRestart = restart;
        m_record.oldProcessId = m_record.processId;
        m_record.toolsAdded.clear();
        m_record.toolsRemoved.clear();
    }
    m_record.isRunning = true;
    m_record.generation = start.generation;
    m_record.processId = start.processId;
    m_record.startedAt = start.time;
    m_record.handshakeDone = false;
    return restart;
}

void ServerHistory::addEnd(const ServerEnd &end, Instant now)
{
    setOutlook(end.outlook, now);
    m_lastEnd = end;
    const QString fault = std::exchange(m_fault, {});
    const auto requested = std::exchange(m_requested, std::nullopt);
    if (!fault.isEmpty())
        m_lastEnd->detail = {fault, {}, {}, end.detail.processId, end.detail.stderrTail, false};
    else if (requested)
        m_lastEnd->kind = ServerEnd::Kind::Requested;
    m_coming = requested ? *requested : markerOf(end);
    m_record.isRunning = false;
    m_record.handshakeDone = false;
    m_record.lastEnd = m_lastEnd->description();
}

RestartMarker ServerHistory::markerOf(const ServerEnd &end) const
{
    if (end.kind == ServerEnd::Kind::Requested)
        return {{},
                markerReason(end.detail.message),
                ExitCodeTable::restartRequested,
                QStringLiteral("exit 42"),
                {}};
    const FailureDetail &detail = m_lastEnd->detail;
    const int code = detail.signal ? signalBase + *detail.signal : detail.exitCode.value_or(0);
    const QString reason = QLatin1String("it ") + m_lastEnd->description();
    return {{}, markerReason(reason), code, QStringLiteral("crash"), {}};
}

void ServerHistory::setOutlook(const ServerOutlook &outlook, Instant now)
{
    m_outlook = outlook;
    m_outlookSince = now;
}

void ServerHistory::setRequestedRestart(const RestartMarker &marker, bool isRunning)
{
    if (!isRunning)
        m_coming = marker;
    else if (!m_requested)
        m_requested = marker;
}

} // namespace Rekindle
