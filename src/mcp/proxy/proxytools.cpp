// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxysession_p.h"

#include <rekindle/process/exitcodetable.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

// A server's own tool of that name is not shadowed.
bool ProxySession::offers(const char *tool) const
{
    const auto &tools = m_listed[static_cast<std::size_t>(ListKind::Tools)];
    return m_options.inject && !tools.entries().contains(tool);
}

bool ProxySession::calledOurs(const ClientRequest &request, const MessagePeek &peek)
{
    if (request.subject == InjectedTools::restartName && offers(InjectedTools::restartName)) {
        callRestart(request, peek);
        return true;
    }
    if (request.subject == InjectedTools::verifyName && offers(InjectedTools::verifyName)) {
        callVerify(request, peek);
        return true;
    }
    return false;
}

void ProxySession::callRestart(const ClientRequest &request, const MessagePeek &peek)
{
    const std::optional<QString> reason = InjectedTools::argument(request.line, peek, "reason");
    if (!reason) {
        toClient(InjectedTools::toolAnswer(request.id, m_era,
                                           QStringLiteral("reason: a text is needed"), true));
        return;
    }
    if (isRestartComing()) {
        toClient(InjectedTools::toolAnswer(
            request.id, m_era, QStringLiteral("The server is being restarted already."), false));
        return;
    }
    askForRestart(*reason, QStringLiteral("restart_server"), request.id);
}

// Of a server that has failed its policy alone decides what comes next, perhaps nothing.
bool ProxySession::isRestartComing() const
{
    return m_phase == Phase::Leaving && (m_failedWhy.isEmpty() || m_askedRestart);
}

// One is enough for all that ask before it is decided.
void ProxySession::askForRestart(const QString &reason, const QString &method,
                                 std::optional<MessageId> call)
{
    if (!m_restartAsk) {
        m_restartAsk =
            RestartAsk{{{}, markerReason(reason), ExitCodeTable::restartRequested, method},
                       m_phase == Phase::Away,
                       {}};
        m_actions.push_back({ProxyAction::Kind::RequestRestart, {}, reason, {}});
    }
    if (call)
        m_restartAsk->calls.push_back(*std::move(call));
}

void ProxySession::restartWanted(const QString &reason, const QString &method, Instant now)
{
    m_now = now;
    if (!isRestartComing() && !m_clientClosed)
        askForRestart(reason, method);
}

void ProxySession::restartDecided(bool accepted, Instant now)
{
    m_now = now;
    if (!m_restartAsk)
        return;
    const RestartAsk ask = *std::exchange(m_restartAsk, std::nullopt);
    const QString text = accepted
        ? QStringLiteral("Server restart scheduled (reason: %1). The session goes on; calls wait "
                         "for the new server.")
              .arg(ask.marker.reason)
        : QStringLiteral("The restart was refused: there were ten in the last minute.");
    for (const MessageId &call : ask.calls)
        toClient(InjectedTools::toolAnswer(call, m_era, text, !accepted));
    if (!accepted) {
        // It was held back for the server to come.
        if (m_initialize && !m_initializeSent
            && (m_phase == Phase::Live || m_phase == Phase::Refused))
            sendInitialize();
    } else if (m_phase == Phase::Away) {
        m_comingRestart = ask.marker;
        outlookChanged({}, now);
    } else if (!ask.wasAway) { // else it is the new one that is there already
        if (!m_askedRestart)
            m_askedRestart = ask.marker;
        if (isServerThere())
            leave();
    }
}

void ProxySession::callVerify(const ClientRequest &request, const MessagePeek &peek)
{
    const auto text = InjectedTools::argument(request.line, peek, "since_timestamp");
    const auto since = text ? utcTimeFromIso8601(*text) : std::nullopt;
    if (!since) {
        toClient(InjectedTools::toolAnswer(
            request.id, m_era, QStringLiteral("since_timestamp: an ISO 8601 time is needed"),
            true));
        return;
    }
    if (m_record.lastRestart) {
        toClient(InjectedTools::verified(request.id, m_era, *since, m_record));
        return;
    }
    if (m_verifyCalls.empty())
        m_actions.push_back({ProxyAction::Kind::ReadMarker, {}, {}, {}});
    m_verifyCalls.emplace_back(request.id, *since);
}

void ProxySession::markerRead(const MarkerReading &reading)
{
    for (const auto &[id, since] : std::exchange(m_verifyCalls, {}))
        toClient(InjectedTools::verified(id, m_era, since, m_record, reading));
}

// The server's tools are asked for where the client does not: which of them may be called again is
// to be known, and which names are taken.

bool ProxySession::willKnowTools() const
{
    const std::size_t tools = static_cast<std::size_t>(ListKind::Tools);
    if (m_phase != Phase::Live || !m_hasTools || m_toolsSettled || m_listed[tools].isComplete())
        return false;
    return m_era == ProtocolEra::Modern ? !m_listMeta[tools].isEmpty() : m_initializedSent;
}

// A client that sends all at once has not had its handshake answered yet.
bool ProxySession::canAskForTools() const
{
    return willKnowTools() && (m_era == ProtocolEra::Modern || (m_handshake && !m_initialize));
}

void ProxySession::planToAskForTools()
{
    const bool isOfUse = m_options.inject || m_options.retry == CallRetry::Safe;
    if (isOfUse && !m_toolsAsked && !m_askForToolsAt && canAskForTools())
        m_askForToolsAt = m_now + m_options.settleTime;
}

void ProxySession::askForTools()
{
    m_askForToolsAt.reset();
    if (canAskForTools() && !std::exchange(m_toolsAsked, true))
        askForList(ListKind::Tools, {});
}

void ProxySession::waitForTools(const ClientRequest &request)
{
    if (static_cast<qsizetype>(m_waitingCalls.size()) >= m_options.mostHeld
        || m_waitingBytes + request.line.size() > m_options.mostHeldBytes) {
        refuse(request, Reason::TooManyHeld);
        return;
    }
    m_waitingBytes += request.line.size();
    m_waitingCalls.push_back(request);
    const Instant until =
        std::min(m_now + m_options.holdTime, request.deadline.value_or(Instant::max()));
    m_toolsDeadline = std::min(m_toolsDeadline.value_or(until), until);
    askForTools();
}

void ProxySession::settleTools()
{
    m_toolsSettled = true;
    m_askForToolsAt.reset();
    m_toolsDeadline.reset();
    m_waitingBytes = 0;
    for (ClientRequest &request : std::exchange(m_waitingCalls, {})) {
        if (m_clientClosed)
            refuse(request, Reason::ServerUnavailable);
        else if (!calledOurs(request, MessagePeek::at(request.line)))
            dispatch(std::move(request));
    }
}

} // namespace Rekindle
