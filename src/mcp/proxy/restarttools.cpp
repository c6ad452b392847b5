// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "restarttools_p.h"

#include "injectedtools_p.h"

#include <rekindle/process/exitcodetable.h>

#include <utility>

namespace Rekindle {

RestartTools::RestartTools(ProxyContext &context, ServerHistory &history, ListWatch &lists)
    : held(context.options.maximumHeld, context.options.maximumHeldBytes)
    , m_context(context)
    , m_history(history)
    , m_lists(lists)
{
}

bool RestartTools::offers(const char *tool) const
{
    return m_context.options.inject && !m_lists.hasTool(tool);
}

QByteArray RestartTools::definitions() const
{
    return InjectedTools::definitions(offers(InjectedTools::restartName),
                                      offers(InjectedTools::verifyName));
}

bool RestartTools::call(const ClientRequest &request)
{
    const bool isRestart = request.subject == InjectedTools::restartName;
    if (request.role != ClientRequest::Role::ToolCall
        || !(isRestart || request.subject == InjectedTools::verifyName)
        || !offers(request.subject.constData()))
        return false;
    if (m_lists.areToolsExpected()) // the server may have a tool with this name
        hold(request);
    else if (isRestart)
        callRestart(request, MessagePeek::at(request.line));
    else
        callVerify(request, MessagePeek::at(request.line));
    return true;
}

void RestartTools::hold(ClientRequest request)
{
    if (!held.hasRoomFor(request)) {
        m_context.refuse({.id = request.id, .reason = ProxyRefusal::Reason::TooManyHeld});
        return;
    }
    request.heldUntil = m_context.now + m_context.options.holdTime;
    held.add(std::move(request));
    m_lists.readTools();
}

void RestartTools::answer(const MessageId &id, const QString &text, bool isError)
{
    m_context.toClient(InjectedTools::toolAnswer(id, m_context.revision, text, isError));
}

void RestartTools::callRestart(const ClientRequest &request, const MessagePeek &peek)
{
    const std::optional<QString> reason = InjectedTools::argument(request.line, peek, "reason");
    if (!reason)
        answer(request.id, QStringLiteral("reason: expected a string"), true);
    else if (isRestartComing())
        answer(request.id, QStringLiteral("The server is already being restarted."), false);
    else
        requestRestart(*reason, QLatin1String(InjectedTools::restartName), request.id);
}

bool RestartTools::isRestartComing() const
{
    return m_context.phase == ProxyContext::Phase::Terminating && m_history.isRestartRequested();
}

void RestartTools::requestRestart(const QString &reason, const QString &method,
                                  std::optional<MessageId> call)
{
    if (!m_restart) {
        const bool isAway = m_context.phase == ProxyContext::Phase::Away;
        const ServerOutlook &outlook = m_history.outlook();
        const bool isGivenUp = isAway && outlook.kind == ServerOutlook::Kind::GivenUp;
        m_restart = {{{}, markerReason(reason), ExitCodeTable::restartRequested, method},
                     isAway,
                     isGivenUp ? outlook.reason : QString()};
        m_context.add({ProxyAction::Kind::RequestRestart, {}, reason, m_restart->marker});
    }
    if (call)
        m_restart->calls.push_back(*std::move(call));
}

bool RestartTools::restartDecided(bool isAccepted)
{
    const auto request = std::exchange(m_restart, std::nullopt);
    if (!request)
        return false;
    QString text = isAccepted
        ? QStringLiteral("Server restart scheduled (reason: %1). The session continues; calls wait "
                         "for the new server.")
              .arg(request->marker.reason)
        : QStringLiteral("The restart was refused: too many restarts were requested.");
    if (isAccepted && !request->whyGivenUp.isEmpty())
        text += QLatin1String(" The server was not running: ") + request->whyGivenUp;
    for (const MessageId &call : request->calls)
        answer(call, text, !isAccepted);
    const bool isAway = m_context.phase == ProxyContext::Phase::Away;
    if (!isAccepted || (request->wasAway && !isAway))
        return false;
    m_history.setRequestedRestart(request->marker, !isAway);
    return true;
}

void RestartTools::callVerify(const ClientRequest &request, const MessagePeek &peek)
{
    const auto text = InjectedTools::argument(request.line, peek, "since_timestamp");
    const auto since = text ? utcTimeFromIso8601(*text) : std::nullopt;
    if (!since) {
        answer(request.id, QStringLiteral("since_timestamp: expected an ISO 8601 time"), true);
        return;
    }
    const RestartRecord &record = m_history.record();
    std::optional<RestartVerdict> verdict;
    if (record.lastRestart)
        verdict = judge(*record.lastRestart, *since);
    const auto pending = m_history.pendingRestart();
    // A marker file would show the request as a restart.
    if (pending && !(verdict && verdict->isRestarted)) {
        verdict = notRestarted(QStringLiteral("A restart was requested (reason: %1), but the new "
                                              "server has not started yet")
                                   .arg(pending->reason));
    }
    if (verdict) {
        m_context.toClient(
            InjectedTools::verified(request.id, m_context.revision, record, *verdict));
    } else {
        if (m_verifyCalls.empty())
            m_context.add({ProxyAction::Kind::ReadMarker, {}, {}, {}, {}});
        m_verifyCalls.push_back({request.id, *since});
    }
}

void RestartTools::markerRead(const MarkerReading &reading)
{
    RestartRecord known = m_history.record();
    if (reading.state == MarkerReading::State::Read)
        known.lastRestart = reading.marker;
    for (const VerifyCall &call : std::exchange(m_verifyCalls, {}))
        m_context.toClient(InjectedTools::verified(call.id, m_context.revision, known,
                                                   judge(reading, call.since)));
}

qsizetype RestartTools::openCount() const
{
    return static_cast<qsizetype>(m_verifyCalls.size() + (m_restart ? m_restart->calls.size() : 0))
        + held.size();
}

} // namespace Rekindle
