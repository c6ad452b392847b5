// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxysession_p.h"

#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/jsonrpc/messagewriter_p.h"

#include <utility>

namespace Rekindle {

void ProxySession::serverLine(const QByteArray &line, Instant now)
{
    m_now = now;
    if (m_phase != Phase::Away)
        serverMessage(line);
}

void ProxySession::serverMessage(const QByteArray &line)
{
    if (line.trimmed().isEmpty())
        return;
    const MessagePeek peek = MessagePeek::at(line);
    switch (peek.kind) {
    case MessagePeek::Kind::Request:
        serverRequest(line, peek);
        return;
    case MessagePeek::Kind::Notification:
        serverNotification(line, peek);
        return;
    case MessagePeek::Kind::Result:
    case MessagePeek::Kind::Error:
        serverAnswer(line, peek);
        return;
    case MessagePeek::Kind::Batch:
        serverBatch(line);
        return;
    case MessagePeek::Kind::NotJson:
        serverNotJson(line, peek);
        return;
    case MessagePeek::Kind::NotMessage:
        serverNotMessage(line, peek);
        return;
    }
}

void ProxySession::serverAnswer(const QByteArray &line, const MessagePeek &peek)
{
    if (!peek.id.isPresent()) {
        toClient(line); // an error about something that the server could not read
        return;
    }
    if (const auto own = m_own.constFind(peek.id); own != m_own.cend()) {
        const OwnRequest request = *own;
        m_own.erase(own);
        ownAnswer(request, line, peek);
        return;
    }
    if (m_initialize && m_initializeSent && m_initialize->id == peek.id) {
        initializeAnswered(line, peek);
        return;
    }
    if (const auto request = m_inFlight.take(peek.id)) {
        passAnswer(*request, line, peek);
        return;
    }
    if (m_cancelled.remove(peek.id))
        toClient(line);
    else
        note(QStringLiteral("an answer to nothing, or the second one, with id ")
             + QString::fromUtf8(peek.id.json().left(100)));
}

void ProxySession::passAnswer(const ClientRequest &request, const QByteArray &line,
                              const MessagePeek &peek)
{
    const bool isResult = peek.kind == MessagePeek::Kind::Result;
    if (!isResult) {
        toClient(line);
        return;
    }
    switch (request.role) {
    case Role::List:
        listAnswered(request, line, peek);
        return;
    case Role::Discover:
        toClient(InjectedTools::withListChanged(line, peek, m_options.inject));
        return;
    case Role::SetLevel:
        session().logLevel = request.line;
        break;
    case Role::Subscribe:
        session().subscriptions.insert(request.subject, request.line);
        break;
    case Role::Unsubscribe:
        session().subscriptions.remove(request.subject);
        break;
    case Role::ToolCall:
    case Role::Plain:
        if (!std::exchange(m_proven, true))
            m_actions.push_back({ProxyAction::Kind::ServerProven, {}, {}, {}});
        break;
    case Role::Initialize:
    case Role::Listen:
    case Role::Ping:
        break;
    }
    toClient(line);
}

bool ProxySession::serverHasTools(const QByteArray &line, const MessagePeek &peek) const
{
    const JsonSpan capabilities = jsonMember(line, peek.result, "capabilities");
    return jsonMember(line, capabilities, "tools").isPresent();
}

// The client's own initialize, the first one or another.
void ProxySession::initializeAnswered(const QByteArray &line, const MessagePeek &peek)
{
    if (peek.kind == MessagePeek::Kind::Result) {
        m_initialize.reset();
        Handshake pending = std::exchange(m_pendingHandshake, {});
        pending.protocolVersion = protocolVersionOf(line, peek).value_or(QByteArray());
        m_handshake = std::move(pending);
        m_hasTools = serverHasTools(line, peek);
        m_record.handshakeDone = true;
        toClient(InjectedTools::withListChanged(line, peek, m_options.inject));
        if (m_phase == Phase::Replaying || m_phase == Phase::Refused) {
            m_phase = Phase::Replaying;
            replayState();
        } else if (!m_hasTools) {
            settleTools();
        } else if (m_waitingCalls.empty()) {
            planToAskForTools();
        } else {
            askForTools();
        }
        return;
    }
    initializeFailed(line);
}

void ProxySession::initializeFailed(const QByteArray &answer)
{
    m_initialize.reset();
    m_pendingHandshake = {};
    toClient(answer);
    if (m_phase == Phase::Replaying)
        replay(); // with the handshake before, or without any
}

void ProxySession::listAnswered(const ClientRequest &request, const QByteArray &line,
                                const MessagePeek &peek)
{
    ListKind kind = ListKind::Tools;
    if (request.method == "prompts/list")
        kind = ListKind::Prompts;
    else if (request.method == "resources/list")
        kind = ListKind::Resources;
    const std::optional<ListPage> page = readListPage(kind, peek.result.of(line));
    if (m_era == ProtocolEra::Modern) {
        const MessagePeek asked = MessagePeek::at(request.line);
        m_listMeta[static_cast<std::size_t>(kind)] = metaForUs(request.line, asked);
    }
    const bool isLast = !page || page->nextCursor.isEmpty();
    if (page)
        (void)m_listed[static_cast<std::size_t>(kind)].take(*page, request.isFirstPage);
    if (kind == ListKind::Tools && isLast) {
        if (page)
            compareTools(m_listed[static_cast<std::size_t>(kind)].entries());
        settleTools();
    }
    const QByteArray ours = InjectedTools::definitions(offers(InjectedTools::restartName),
                                                       offers(InjectedTools::verifyName));
    if (kind == ListKind::Tools && isLast && !ours.isEmpty())
        toClient(InjectedTools::addedTo(line, peek, m_era, ours));
    else
        toClient(line);
}

void ProxySession::serverRequest(const QByteArray &line, const MessagePeek &peek)
{
    const MessageId spare = m_serverRequests.isOwed(peek.id) ? newId() : MessageId();
    const MessageId id = m_serverRequests.admit(peek.id, spare);
    toClient(id == peek.id ? line : withId(line, peek, id.json()));
}

void ProxySession::serverNotification(const QByteArray &line, const MessagePeek &peek)
{
    for (int i = 0; i < listKindCount; ++i) {
        if (peek.method == QByteArrayView(listChangedMethod(static_cast<ListKind>(i))))
            m_announced[static_cast<std::size_t>(i)] = true;
    }
    if (peek.method == "notifications/cancelled") {
        serverCancelled(line, peek);
        return;
    }
    const bool isOld = (peek.method == "notifications/progress" && isOldProgress(line, peek))
        || (peek.method == "notifications/subscriptions/acknowledged"
            && isOldAcknowledgement(line, peek));
    if (!isOld)
        toClient(line);
}

// The client has seen as much from a server before; values must grow.
bool ProxySession::isOldProgress(const QByteArray &line, const MessagePeek &peek)
{
    const MessageId token = progressTokenOf(line, peek);
    ClientRequest *request = token.isPresent() ? m_inFlight.findByToken(token) : nullptr;
    if (!request)
        return m_finishedTokens.contains(token);
    const JsonSpan value = jsonMember(line, peek.params, "progress");
    bool isNumber = false;
    const double progress = value.of(line).toByteArray().toDouble(&isNumber);
    if (!isNumber)
        return false;
    if (request->retries > 0 && request->lastProgress && progress <= *request->lastProgress)
        return true;
    request->lastProgress = progress;
    return false;
}

// A subscription that was opened again is acknowledged again, which is not the client's business.
bool ProxySession::isOldAcknowledgement(const QByteArray &line, const MessagePeek &peek)
{
    const JsonSpan meta = jsonMember(line, peek.params, "_meta");
    const MessageId id = MessageId::ofJson(
        jsonMember(line, meta, "io.modelcontextprotocol/subscriptionId").of(line));
    for (auto &[order, request] : m_inFlight.all()) {
        if (request.role != Role::Listen || (id.isPresent() && !(request.id == id)))
            continue;
        request.acknowledged = true;
        return std::exchange(request.swallowAcknowledgement, false);
    }
    return false;
}

void ProxySession::serverCancelled(const QByteArray &line, const MessagePeek &peek)
{
    const MessageId id = requestIdOf(line, peek);
    if (m_era == ProtocolEra::Modern) {
        // A subscription has no other end. What else the client waits for it alone can cancel.
        if (const ClientRequest *request = m_inFlight.find(id);
            request && request->role == Role::Listen)
            (void)m_inFlight.take(id);
        toClient(line);
        return;
    }
    const std::optional<MessageId> clientId = m_serverRequests.cancelled(id);
    if (!clientId || clientId->json() == id.json()) {
        toClient(line);
        return;
    }
    JsonEdit edit(line);
    edit.setMember(peek.params, "requestId", clientId->json());
    toClient(edit.result());
}

} // namespace Rekindle
