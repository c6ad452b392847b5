// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxysession_p.h"

#include "mcp/jsonrpc/errorcodes_p.h"
#include "mcp/jsonrpc/messagewriter_p.h"

#include <array>
#include <utility>

namespace Rekindle {

namespace {

constexpr qsizetype mostCancelled = 1024;

using Role = ClientRequest::Role;

struct RoleName
{
    QByteArrayView method;
    Role role;
};

constexpr std::array<RoleName, 11> roles{{
    {"tools/call", Role::ToolCall},
    {"initialize", Role::Initialize},
    {"tools/list", Role::List},
    {"prompts/list", Role::List},
    {"resources/list", Role::List},
    {"ping", Role::Ping},
    {"logging/setLevel", Role::SetLevel},
    {"resources/subscribe", Role::Subscribe},
    {"resources/unsubscribe", Role::Unsubscribe},
    {"server/discover", Role::Discover},
    {"subscriptions/listen", Role::Listen},
}};

Role roleOf(QByteArrayView method)
{
    for (const RoleName &name : roles) {
        if (method == name.method)
            return name.role;
    }
    return Role::Plain;
}

} // namespace

void ProxySession::clientLine(const QByteArray &line, Instant now)
{
    m_now = now;
    if (!m_clientClosed)
        clientMessage(line);
}

void ProxySession::clientMessage(const QByteArray &line)
{
    if (line.trimmed().isEmpty())
        return;
    const MessagePeek peek = MessagePeek::at(line);
    switch (peek.kind) {
    case MessagePeek::Kind::Request:
        clientRequest(line, peek);
        return;
    case MessagePeek::Kind::Notification:
        clientNotification(line, peek);
        return;
    case MessagePeek::Kind::Result:
    case MessagePeek::Kind::Error:
        clientAnswer(line, peek);
        return;
    case MessagePeek::Kind::Batch:
        clientBatch(line);
        return;
    case MessagePeek::Kind::NotJson:
        clientUnreadable(MessagePeek::atEnds(line, line), ErrorCode::parseError,
                         QLatin1String("Parse error: ") + peek.fault);
        return;
    case MessagePeek::Kind::NotMessage:
        clientNotMessage(line, peek);
        return;
    }
}

void ProxySession::learnEra(const QByteArray &line, const MessagePeek &peek)
{
    if (m_era != ProtocolEra::Unknown)
        return;
    if (peek.method == "initialize")
        m_era = ProtocolEra::Legacy;
    else if (peek.method != "server/discover" && isModern(line, peek))
        m_era = ProtocolEra::Modern; // a client that only asks may well go on with initialize
}

ClientRequest ProxySession::requestOf(const QByteArray &line, const MessagePeek &peek)
{
    ClientRequest request;
    request.order = ++m_nextOrder;
    request.id = peek.id;
    request.method = peek.method;
    request.line = line;
    request.role = roleOf(peek.method);
    if (request.role == Role::ToolCall) {
        request.subject = nameOf(line, peek).value_or(QByteArray());
    } else if (request.role == Role::Subscribe || request.role == Role::Unsubscribe) {
        request.subject =
            jsonStringText(jsonMember(line, peek.params, "uri").of(line)).value_or(QByteArray());
    } else if (request.role == Role::List) {
        request.isFirstPage = !jsonMember(line, peek.params, "cursor").isPresent();
    }
    request.progressToken = progressTokenOf(line, peek);
    if (m_options.callTimeout && !isUntimed(peek.id) && request.role != Role::Initialize
        && request.role != Role::Listen)
        request.deadline = m_now + *m_options.callTimeout;
    return request;
}

bool ProxySession::isUntimed(const MessageId &id) const
{
    return !m_options.untimedIds.isEmpty()
        && id.json().startsWith(QByteArray('"' + m_options.untimedIds));
}

void ProxySession::clientRequest(const QByteArray &line, const MessagePeek &peek)
{
    learnEra(line, peek);
    if (m_era == ProtocolEra::Modern && isModern(line, peek)) {
        QByteArray &meta = m_listMeta[static_cast<std::size_t>(ListKind::Tools)];
        if (meta.isEmpty())
            meta = metaForUs(line, peek);
        planToAskForTools();
    }
    ClientRequest request = requestOf(line, peek);
    if (request.role == Role::Initialize)
        clientInitialize(std::move(request));
    else if (!answeredByUs(request, peek))
        dispatch(std::move(request));
}

bool ProxySession::answeredByUs(const ClientRequest &request, const MessagePeek &peek)
{
    if (request.role == Role::Ping && m_phase != Phase::Live && m_era != ProtocolEra::Modern) {
        toClient(makeResult(request.id.json(), "{}"));
        return true;
    }
    if (!m_options.inject)
        return false;
    if (request.method == "tools/list" && !m_hasTools) {
        toClient(InjectedTools::onlyOurs(request.id, m_era));
        return true;
    }
    const bool isCallOfOurs = request.role == Role::ToolCall
        && (request.subject == InjectedTools::restartName
            || request.subject == InjectedTools::verifyName);
    if (!isCallOfOurs)
        return false;
    if (!willKnowTools())
        return calledOurs(request, peek);
    waitForTools(request); // the server may have a tool of that name itself
    return true;
}

void ProxySession::clientInitialize(ClientRequest request)
{
    if (m_initialize) { // two at a time: the server may say what it thinks of that
        request.role = Role::Plain;
        dispatch(std::move(request));
        return;
    }
    request.heldUntil = m_now + m_options.holdTime;
    m_pendingHandshake = Handshake{request.line, {}, {}, {}, {}};
    m_initialize = std::move(request);
    m_initializeSent = false;
    const bool isSpoilt = answerDiscovers();
    if (m_phase == Phase::Live || m_phase == Phase::Refused) {
        // A server of both eras may have taken the question for the beginning of the other one.
        if (isSpoilt)
            askForRestart(QStringLiteral("initialize after an unanswered server/discover"),
                          QStringLiteral("rekindle"));
        else
            sendInitialize();
    } else {
        refuseHeld();
    }
}

void ProxySession::sendInitialize()
{
    toServer(m_initialize->line);
    m_initializeSent = true;
}

// The client goes on in the other era. True if the server has one of them before it.
bool ProxySession::answerDiscovers()
{
    const auto answer = [this](const MessageId &id) {
        toClient(makeError(id.json(), ErrorCode::methodNotFound,
                           QStringLiteral("Method not found: the server has not answered yet")));
    };
    for (auto held = m_held.begin(); held != m_held.end();) {
        const auto next = std::next(held);
        if (held->second.role == Role::Discover) {
            answer(held->second.id);
            dropHeld(held);
        }
        held = next;
    }
    std::vector<MessageId> asked;
    for (const auto &[order, request] : m_inFlight.all()) {
        if (request.role == Role::Discover)
            asked.push_back(request.id);
    }
    for (const MessageId &id : asked) {
        answer(id);
        (void)m_inFlight.take(id);
    }
    return !asked.empty();
}

void ProxySession::clientNotification(const QByteArray &line, const MessagePeek &peek)
{
    if (peek.method == "notifications/cancelled") {
        clientCancelled(line, peek);
        return;
    }
    if (peek.method == "notifications/initialized" && m_era != ProtocolEra::Modern) {
        session().initialized = line;
        if (m_phase == Phase::Live) {
            toServer(line);
            m_initializedSent = true;
            planToAskForTools();
        }
        return; // else it is part of the handshake that comes
    }
    if (peek.method == "notifications/progress" && m_phase != Phase::Live)
        return; // on what a server has asked for that is gone
    dispatch(requestOf(line, peek));
}

void ProxySession::clientCancelled(const QByteArray &line, const MessagePeek &peek)
{
    const MessageId id = requestIdOf(line, peek);
    for (auto held = m_held.begin(); held != m_held.end(); ++held) {
        if (held->second.id.isPresent() && held->second.id == id) {
            dropHeld(held);
            return;
        }
    }
    for (auto waiting = m_waitingCalls.begin(); waiting != m_waitingCalls.end(); ++waiting) {
        if (waiting->id == id) {
            m_waitingBytes -= waiting->line.size();
            m_waitingCalls.erase(waiting);
            return;
        }
    }
    if (m_inFlight.take(id)) {
        if (m_cancelled.size() >= mostCancelled)
            m_cancelled.clear();
        m_cancelled.insert(id);
    }
    if (m_phase == Phase::Live)
        toServer(line);
}

void ProxySession::clientAnswer(const QByteArray &line, const MessagePeek &peek)
{
    if (!peek.id.isPresent())
        return;
    const std::optional<MessageId> serverId = m_serverRequests.answered(peek.id);
    if (!serverId || !isServerThere())
        return;
    toServer(serverId->json() == peek.id.json() ? line : withId(line, peek, serverId->json()));
}

void ProxySession::clientClosed(Instant now)
{
    m_now = now;
    if (std::exchange(m_clientClosed, true))
        return;
    refuseHeld();
    m_actions.push_back({ProxyAction::Kind::EndServer, {}, {}, {}});
}

} // namespace Rekindle
