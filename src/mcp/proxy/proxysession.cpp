// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxysession_p.h"

#include "injectedtools_p.h"
#include "mcp/jsonrpc/errorcodes_p.h"
#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/jsonrpc/mcpmembers_p.h"
#include "wire/messagewriter_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

QByteArray cancellation(const MessageId &id, const char *why)
{
    const QByteArray params = R"({"requestId":)" + id.json() + R"(,"reason":")" + why + R"("})";
    return makeNotification(QLatin1String("notifications/cancelled"), params);
}

// The marker's method of a restart that has no other cause than the use of the server.
constexpr char recycleMethod[] = "recycle";

// Without a handshake, a server is ready when it has run for this time.
constexpr Duration aliveTime = std::chrono::seconds(1);

} // namespace

ProxySession::ProxySession(ProxyOptions options)
    : m_context(std::move(options))
    , m_held(m_context.options.maximumHeld, m_context.options.maximumHeldBytes)
    , m_serverRequests(m_context)
    , m_handshake(m_context)
    , m_lists(m_context, m_history, m_inFlight, m_handshake)
    , m_calls(m_context, m_lists)
    , m_restartTools(m_context, m_history, m_lists)
    , m_recycling(m_context.options.recycleAfterCalls)
    , m_clientReader(*this, ClientLineReader::ServerRequestIds::FromServer)
    , m_serverReader(*this)
{
    m_context.isUsed = [this](const MessageId &id) {
        return m_inFlight.contains(id) || m_inFlight.isCancelled(id) || m_held.contains(id);
    };
}

qsizetype ProxySession::unansweredCount() const
{
    return m_inFlight.size() + m_held.requestCount() + m_restartTools.openCount()
        + m_calls.waitingCount();
}

bool ProxySession::needsServer() const
{
    return m_handshake.isPending() || m_held.requestCount() > 0;
}

// The client.

void ProxySession::clientLine(const FramedLine &line, Instant now, RequestOrigin origin,
                              std::optional<Instant> arrived)
{
    m_context.now = now;
    m_origin = origin;
    m_arrived = arrived.value_or(now);
    if (!m_context.isClientClosed)
        m_clientReader.read(line);
}

void ProxySession::clientClosed(Instant now)
{
    m_context.now = now;
    m_context.isClientClosed = true;
    m_calls.clientClosed();
    refuseHeld();
}

ClientRequest ProxySession::requestOf(const QByteArray &line, const MessagePeek &peek)
{
    ClientRequest request = ClientRequest::of(line, peek);
    request.order = ++m_nextOrder;
    request.origin = m_origin;
    const bool hasTimeout = m_origin == RequestOrigin::Client && request.role != Role::Initialize
        && request.role != Role::Listen;
    if (m_context.options.callTimeout && hasTimeout)
        request.deadline = m_arrived + *m_context.options.callTimeout;
    return request;
}

void ProxySession::clientRequest(const QByteArray &line, const MessagePeek &peek)
{
    if (m_context.ownIds.contains(peek.id)) {
        clientLineRejected(peek.id, ErrorCode::invalidRequest, OwnIds::refusal());
        return;
    }
    if (m_context.revision == McpProtocol::Revision::Unknown)
        m_context.revision = openingRevision(line, peek);
    if (m_context.isModern() && isModern(line, peek)) {
        if (!m_lists.hasToolsMeta())
            m_lists.setMeta(ListKind::Tools, line, peek);
        m_lists.readToolsLater();
    }
    ClientRequest request = requestOf(line, peek);
    if (request.role == Role::Initialize)
        clientInitialize(std::move(request));
    else if (!isAnsweredHere(request) && m_calls.admit(request))
        dispatch(std::move(request));
}

bool ProxySession::isAnsweredHere(const ClientRequest &request)
{
    if (request.role == Role::Ping && !isLive() && !m_context.isModern()) {
        m_context.toClient(makeResult(request.id.json(), "{}"));
        return true;
    }
    if (!m_context.options.inject)
        return false;
    if (request.method == "tools/list" && !m_handshake.offers(ListKind::Tools)) {
        m_context.toClient(
            makeResult(request.id.json(),
                       listResult(ListKind::Tools, InjectedTools::definitions(true, true),
                                  m_context.revision)));
        return true;
    }
    return m_restartTools.call(request);
}

void ProxySession::clientInitialize(ClientRequest request)
{
    if (m_handshake.isPending()) { // a second one: the server decides
        request.role = Role::Plain;
        dispatch(std::move(request));
        return;
    }
    request.heldUntil = m_context.now + m_context.options.holdTime;
    m_handshake.setPending(request);
    if (!rejectDiscovers()) {
        dispatch(std::move(request));
        return;
    }
    // The server may have opened a modern session, so the next one gets initialize.
    hold(std::move(request));
    if (m_context.canSend())
        m_restartTools.requestRestart(
            QStringLiteral("initialize after an unanswered server/discover"),
            QStringLiteral("rekindle"));
}

// The client continues with a legacy revision. Returns whether a server/discover was in flight.
bool ProxySession::rejectDiscovers()
{
    const auto isDiscover = [](const ClientRequest &request) {
        return request.role == Role::Discover;
    };
    const auto reject = [this](const std::vector<ClientRequest> &discovers) {
        for (const ClientRequest &request : discovers)
            m_context.toClient(
                makeError(request.id.json(), ErrorCode::methodNotFound,
                          QStringLiteral("Method not found: the server has not responded yet")));
    };
    reject(m_held.takeIf(isDiscover));
    const std::vector<ClientRequest> sent = m_inFlight.takeIf(isDiscover);
    reject(sent);
    return !sent.empty();
}

void ProxySession::clientNotification(const QByteArray &line, const MessagePeek &peek)
{
    if (peek.method == "notifications/cancelled") {
        clientCancelled(line, peek);
    } else if (peek.method == "notifications/initialized" && !m_context.isModern()) {
        m_handshake.setInitialized(line);
        m_lists.readToolsLater();
    } else if (peek.method != "notifications/progress" || isLive()) {
        // Progress without a live server belongs to a request of a server that has exited.
        dispatch(requestOf(line, peek));
    }
}

void ProxySession::clientCancelled(const QByteArray &line, const MessagePeek &peek)
{
    const MessageId clientId = requestIdOf(line, peek);
    const MessageId id = m_calls.currentId(clientId);
    if (id != m_handshake.pendingId()) { // MCP does not permit that initialize is cancelled
        std::optional<ClientRequest> unsent = m_held.take(id);
        if (!unsent)
            unsent = m_calls.take(id);
        if (unsent)
            m_calls.cancelled(*unsent);
        if (unsent || m_restartTools.held.take(id))
            return;
        if (const ClientRequest *sent = m_inFlight.find(id))
            m_calls.cancelled(*sent);
        if (id == clientId)
            m_inFlight.cancel(id);
        else
            (void)m_inFlight.take(id); // a late response would not have the client's id
    }
    if (isLive())
        m_context.toServer(id == clientId ? line
                                          : withMember(line, peek.params, "requestId", id.json()));
}

void ProxySession::clientResponse(const QByteArray &line, const MessagePeek &peek)
{
    if (!peek.id.isPresent())
        return;
    const std::optional<MessageId> serverId = m_serverRequests.answered(peek.id);
    if (serverId && m_context.canSend())
        m_context.toServer(
            serverId->json() == peek.id.json() ? line : withId(line, peek, serverId->json()));
}

void ProxySession::clientResponseFailed(const MessageId &id, const QString &why)
{
    if (const auto serverId = m_serverRequests.answered(id))
        serverRequestRejected(*serverId, ErrorCode::internalError, why);
}

void ProxySession::clientLineRejected(const MessageId &id, int code, const QString &why)
{
    m_context.toClient(makeError(id.json(), code, why));
}

bool ProxySession::isServerRequestOpen(const MessageId &id) const
{
    return m_serverRequests.isOpen(id);
}

// Sending and holding.

void ProxySession::dispatch(ClientRequest request)
{
    if (isLive() || (m_context.phase == Phase::Refused && request.role == Role::Initialize))
        send(std::move(request));
    else
        hold(std::move(request));
}

void ProxySession::send(ClientRequest request)
{
    // A request that was sent before has passed this check.
    if (request.id.isPresent() && !request.wasSent
        && (m_inFlight.size() >= m_context.options.maximumInFlight
            || m_inFlight.bytes() >= m_context.options.maximumInFlightBytes)) {
        refuse(request, Reason::TooManyInFlight);
        return;
    }
    m_context.toServer(request.line);
    if (request.role == Role::Initialize)
        m_handshake.pendingSent();
    request.endOffset = m_context.sentBytes - 1; // many readers need no newline after the last line
    m_calls.sent(request);
    if (m_inFlight.bytes() >= m_context.options.maximumInFlightBytes)
        request.response.clear(); // at its deadline, the client gets an error of the proxy instead
    if (request.id.isPresent())
        m_inFlight.add(std::move(request));
}

void ProxySession::hold(ClientRequest request)
{
    request.heldUntil = m_context.now + m_context.options.holdTime;
    if (const auto reason = reasonToRefuse(request))
        refuse(request, *reason);
    else if (!m_held.hasRoomFor(request))
        refuse(request, Reason::TooManyHeld);
    else
        m_held.add(std::move(request));
}

void ProxySession::holdAgain(ClientRequest request, Instant until)
{
    request.heldUntil = until;
    request.wasSent = true;
    m_held.add(std::move(request));
}

// Why a request is not held; no value if it is held.
std::optional<ProxySession::Reason> ProxySession::reasonToRefuse(const ClientRequest &request) const
{
    if (m_context.phase == Phase::Refused && request.role != Role::Initialize)
        return Reason::HandshakeRefused;
    if (m_context.isClientClosed || !request.isHoldable())
        return Reason::ServerUnavailable;
    if (!isAway())
        return std::nullopt;
    const ServerOutlook &outlook = m_history.outlook();
    const Instant restartAt = std::max(outlook.restartAt, m_context.now);
    if (outlook.kind != ServerOutlook::Kind::Restart || restartAt >= request.heldUntil)
        return Reason::ServerUnavailable;
    const auto &lastExit = m_history.record().lastExit;
    const bool hasCrashed = lastExit && lastExit->kind == ServerExit::Kind::Crash;
    const bool isDelayed = hasCrashed && restartAt > m_context.now;
    if (isDelayed && m_context.options.failFastBeforeReady && !m_wasReady)
        return Reason::ServerUnavailable;
    return std::nullopt;
}

// A notification has no response.
void ProxySession::refuse(const ClientRequest &request, Reason reason)
{
    if (!request.id.isPresent())
        return;
    ProxyRefusal refusal{
        .id = clientIdOf(request), .reason = reason, .mayBeExecuted = request.mayBeExecuted};
    if (isAway() || m_context.phase == Phase::Replaying)
        refusal.lastExit = m_history.record().lastExit;
    if (m_context.phase == Phase::Refused)
        refusal.detail = m_handshake.refusedWhy();
    else if (isAway() && m_history.outlook().kind == ServerOutlook::Kind::Restart)
        refusal.restartIn = std::max(Duration{0}, m_history.outlook().restartAt - m_context.now);
    else if (isAway())
        refusal.detail = m_history.outlook().reason;
    if (reason == Reason::ServerEnded && request.retries > 0) {
        refusal.detail = QString::fromUtf8(request.method + ' ' + request.subject).trimmed()
            + QLatin1String(", which is not sent a third time");
        if (refusal.restartIn)
            refusal.restartIn = Duration{0}; // it is started sooner
    }
    if (!m_calls.refused(request, refusal))
        m_context.refuse(std::move(refusal));
    if (request.role == Role::Initialize)
        initializeRefused(reason);
}

void ProxySession::refuseHeld()
{
    const auto isRefused = [this](const ClientRequest &request) {
        return reasonToRefuse(request).has_value();
    };
    for (const ClientRequest &request : m_held.takeIf(isRefused))
        refuse(request, *reasonToRefuse(request));
}

// Without its initialize the client has no session, so its held requests are refused too.
void ProxySession::initializeRefused(Reason reason)
{
    m_handshake.dropPending();
    if (m_handshake.isRecorded() || m_context.canSend())
        return;
    for (const ClientRequest &request : m_held.takeAll())
        refuse(request, reason);
}

void ProxySession::outlookChanged(const ServerOutlook &outlook, Instant now)
{
    m_context.now = now;
    m_history.setOutlook(outlook);
    refuseHeld();
}

// Time.

void ProxySession::expireHeld()
{
    const Instant now = m_context.now;
    const auto isDue = [now](const ClientRequest &request) {
        return request.isOverdue(now) || request.heldUntil <= now;
    };
    for (const ClientRequest &request : m_held.takeIf(isDue))
        refuse(request, request.isOverdue(now) ? Reason::HeldTimedOut : Reason::HeldTooLong);
}

void ProxySession::expireInFlight()
{
    if (m_inFlight.nextDeadline().value_or(Instant::max()) > m_context.now)
        return;
    const auto isDue = [this](const ClientRequest &request) {
        return request.isOverdue(m_context.now);
    };
    for (const ClientRequest &request : m_inFlight.takeIf(isDue)) {
        if (isLive())
            m_context.toServer(cancellation(request.id, "timed out"));
        refuse(request, Reason::TimedOut); // a later response is dropped
        m_inFlight.dropProgressOf(request);
    }
}

void ProxySession::timePassed(Instant now)
{
    m_context.now = now;
    expireHeld();
    expireInFlight();
    for (ClientRequest &request : m_calls.takeDue())
        dispatch(std::move(request));
    if (m_handshake.deadline().value_or(Instant::max()) <= now)
        failServer(QStringLiteral("it did not respond to the client's handshake in time"),
                   FailureReason::Timeout);
    if (m_aliveAt.value_or(Instant::max()) <= now && !awaitsHandshake())
        reportReady();
    const bool isToolsReadingOver = m_lists.timePassed();
    // A server that does not respond can be restarted with the injected tool.
    const Instant heldUntil = m_restartTools.held.nextHeldUntil().value_or(Instant::max());
    if (isToolsReadingOver || heldUntil <= m_context.now)
        finishToolsReading();
    recycleIfDue();
}

std::optional<Instant> ProxySession::nextDeadline() const
{
    std::optional<Instant> next = earlier(m_handshake.deadline(), m_lists.deadline());
    if (!awaitsHandshake())
        next = earlier(next, m_aliveAt);
    if (isLive())
        next = earlier(next, m_recycling.deadline());
    next = earlier(next, m_restartTools.held.nextHeldUntil());
    next = earlier(next, m_held.nextHeldUntil());
    next = earlier(next, m_calls.deadline());
    return earlier(next, m_inFlight.nextDeadline());
}

// The server.

void ProxySession::serverStarted(const ServerStart &start, Instant now)
{
    m_context.now = now;
    m_context.sentBytes = 0;
    m_inFlight.serverStarted();
    m_lists.serverStarted();
    m_handshake.serverStarted();
    m_recycling.serverStarted();
    m_isReady = false;
    m_aliveAt = now + aliveTime;
    m_hasAnsweredCall = false;
    if (const auto restart = m_history.addStart(start))
        m_context.add({ProxyAction::Kind::WriteMarker, {}, {}, *restart, {}});
    m_context.phase = Phase::Replaying;
    replayHandshake();
}

// A handshake that the client has begun comes before the recorded one.
void ProxySession::replayHandshake()
{
    if (m_handshake.isPending())
        sendInitialize();
    else
        handshakeStep(m_handshake.replay());
}

void ProxySession::sendInitialize()
{
    const auto isInitialize = [](const ClientRequest &request) {
        return request.role == Role::Initialize;
    };
    for (ClientRequest &request : m_held.takeIf(isInitialize))
        send(std::move(request));
}

void ProxySession::serverProgressed(Instant now)
{
    m_context.now = now;
    if (!m_isReady)
        m_handshake.serverProgressed();
}

void ProxySession::serverLine(const FramedLine &line, Instant now)
{
    m_context.now = now;
    if (!isAway())
        m_serverReader.read(line);
    recycleIfDue();
}

void ProxySession::serverRest(const QByteArray &line, Instant now)
{
    m_context.now = now;
    if (!isAway())
        m_serverReader.readRest(line);
}

bool ProxySession::isAwaited(const MessageId &id) const
{
    return m_handshake.awaits(id) || m_lists.awaits(id) || m_inFlight.contains(id)
        || m_inFlight.isCancelled(id);
}

// Responses.

void ProxySession::serverResponse(const QByteArray &line, const MessagePeek &peek)
{
    const MessageId &id = peek.id;
    if (m_handshake.awaits(id)) {
        handshakeStep(m_handshake.answered(line, peek));
    } else if (m_lists.awaits(id)) {
        if (m_lists.answered(line, peek))
            finishToolsReading();
    } else if (auto request = m_inFlight.take(id)) {
        if (m_calls.retryLater(*request, line, peek))
            return;
        if (clientIdOf(*request) == request->id) {
            forwardResponse(*request, line, peek);
            return;
        }
        const QByteArray response = responseFor(*request, line, peek);
        forwardResponse(*request, response, MessagePeek::at(response));
    } else if (!id.isPresent() || m_inFlight.takeCancelled(id)) {
        m_context.toClient(line); // without an id: about a line that the server could not read
    } else {
        m_context.note(QStringLiteral("unexpected or repeated response with id ")
                       + QString::fromUtf8(id.json().left(100)));
    }
}

void ProxySession::handshakeStep(HandshakeReplay::Step step)
{
    switch (step) {
    case HandshakeReplay::Step::Waiting:
        return;
    case HandshakeReplay::Step::Done:
        if (m_context.phase == Phase::Replaying)
            goLive();
        return;
    case HandshakeReplay::Step::Refused:
        m_context.phase = Phase::Refused;
        m_context.note(QStringLiteral("the new server rejected the handshake of the session: ")
                       + m_handshake.refusedWhy());
        refuseHeld();
        sendInitialize();
        return;
    }
}

void ProxySession::goLive()
{
    m_context.phase = Phase::Live;
    m_history.record().handshakeDone = m_handshake.isRecorded() || m_context.isModern();
    m_handshake.finish();
    if (m_handshake.isRecorded())
        reportReady();
    for (ClientRequest &request : m_held.takeAll())
        send(std::move(request));
    if (m_history.record().server.generation > 1)
        m_lists.scheduleChecks();
    m_lists.readToolsLater();
}

void ProxySession::initializeAnswered(const QByteArray &line, const MessagePeek &peek)
{
    m_handshake.accept(line, peek);
    m_history.record().handshakeDone = true;
    m_context.toClient(InjectedTools::withListChanged(line, peek, m_context.options.inject));
    if (m_context.phase == Phase::Replaying || m_context.phase == Phase::Refused) {
        m_context.phase = Phase::Replaying;
        handshakeStep(m_handshake.replayState());
        return;
    }
    reportReady();
    if (!m_handshake.offers(ListKind::Tools))
        finishToolsReading();
    else if (m_restartTools.held.isEmpty())
        m_lists.readToolsLater();
    else
        m_lists.readTools();
}

// Not before the client's first request, with a modern revision, or after a rejected initialize.
bool ProxySession::awaitsHandshake() const
{
    return m_handshake.isPending() || m_context.phase == Phase::Replaying
        || m_context.phase == Phase::Refused;
}

void ProxySession::reportReady()
{
    m_aliveAt.reset();
    m_wasReady = true;
    if (!std::exchange(m_isReady, true))
        m_context.add({ProxyAction::Kind::ReportReady});
}

// The recorded handshake applies again: a new server gets that one. Without one, the client may
// continue with another revision.
void ProxySession::initializeFailed()
{
    m_handshake.dropPending();
    if (!m_handshake.isRecorded())
        m_context.revision = McpProtocol::Revision::Unknown;
    if (m_context.phase == Phase::Replaying)
        replayHandshake();
}

void ProxySession::forwardResponse(const ClientRequest &request, const QByteArray &line,
                                   const MessagePeek &peek)
{
    if (peek.kind != MessagePeek::Kind::Result) {
        m_context.toClient(m_tasks.failureFor(request, m_context.revision).value_or(line));
        if (request.role == Role::Initialize)
            initializeFailed();
        return;
    }
    switch (request.role) {
    case Role::Initialize:
        initializeAnswered(line, peek);
        return;
    case Role::List:
        forwardList(request, line, peek);
        return;
    case Role::Discover:
        reportReady();
        m_context.toClient(InjectedTools::withListChanged(line, peek, m_context.options.inject));
        return;
    case Role::SetLevel:
    case Role::Subscribe:
    case Role::Unsubscribe:
        m_handshake.setState(request);
        break;
    case Role::ToolCall:
        m_recycling.callAnswered(m_context.now);
        m_tasks.record(line, peek);
        [[fallthrough]];
    case Role::Task:
    case Role::Plain:
        if (!std::exchange(m_hasAnsweredCall, true))
            m_context.add({ProxyAction::Kind::CallAnswered});
        break;
    case Role::Listen:
    case Role::Ping:
        break;
    }
    m_context.toClient(line);
}

void ProxySession::forwardList(const ClientRequest &request, const QByteArray &line,
                               const MessagePeek &peek)
{
    const ListKind kind = listRequestedBy(request.method).value_or(ListKind::Tools);
    if (m_context.isModern())
        m_lists.setMeta(kind, request.line, MessagePeek::at(request.line));
    const std::optional<ListPage> page = readListPage(kind, peek.result.of(line));
    m_lists.clientRead(kind, page, request.isFirstPage);
    if (kind != ListKind::Tools || (page && !page->nextCursor.isEmpty())) {
        m_context.toClient(line);
        return;
    }
    finishToolsReading();
    const QByteArray injected = m_restartTools.definitions();
    m_context.toClient(injected.isEmpty()
                           ? line
                           : InjectedTools::addedTo(line, peek, m_context.revision, injected));
}

void ProxySession::serverRequest(const QByteArray &line, const MessagePeek &peek)
{
    if (m_serverRequests.isFull()) {
        serverRequestRejected(peek.id, ErrorCode::internalError,
                              QStringLiteral("The client has not answered %1 requests yet")
                                  .arg(ServerRequests::maximumOpen));
        return;
    }
    const MessageId id = m_serverRequests.admit(peek.id);
    m_context.toClient(id == peek.id ? line : withId(line, peek, id.json()));
}

void ProxySession::serverNotification(const QByteArray &line, const MessagePeek &peek)
{
    m_lists.noteAnnouncement(peek.method);
    if (peek.method == "notifications/cancelled") {
        serverCancelled(line, peek);
        return;
    }
    const bool isSkipped =
        (peek.method == "notifications/progress" && m_inFlight.skipsProgress(line, peek))
        || (peek.method == "notifications/subscriptions/acknowledged"
            && m_inFlight.skipsAcknowledgment(line, peek));
    if (!isSkipped)
        m_context.toClient(line);
}

void ProxySession::serverCancelled(const QByteArray &line, const MessagePeek &peek)
{
    const MessageId id = requestIdOf(line, peek);
    if (m_context.isModern()) {
        // This is how a subscription ends. Other requests only the client can cancel.
        if (const ClientRequest *request = m_inFlight.find(id);
            request && request->role == Role::Listen)
            (void)m_inFlight.take(id);
        m_context.toClient(line);
        return;
    }
    const MessageId clientId = m_serverRequests.cancelled(id).value_or(id);
    m_context.toClient(clientId.json() == id.json()
                           ? line
                           : withMember(line, peek.params, "requestId", clientId.json()));
}

void ProxySession::serverResponseTooLong(const MessageId &id)
{
    if (m_handshake.awaits(id) || m_lists.awaits(id)) {
        serverResponse({},
                       {.kind = MessagePeek::Kind::Error,
                        .id = id,
                        .fault = QLatin1String("its response exceeds the size limit")});
        return;
    }
    const std::optional<ClientRequest> request = m_inFlight.take(id);
    if (!request) {
        (void)m_inFlight.takeCancelled(id);
        return;
    }
    refuse(*request, Reason::AnswerTooLong);
    m_inFlight.dropProgressOf(*request);
    if (request->role == Role::Initialize)
        initializeFailed();
}

// Without the response its request would wait forever.
void ProxySession::serverMessageLost(const QString &fault)
{
    const bool isAnythingAwaited =
        !m_inFlight.isEmpty() || !m_handshake.isIdle() || !m_lists.isIdle();
    if (m_context.canSend() && isAnythingAwaited)
        failServer(QLatin1String("it wrote ") + fault);
}

void ProxySession::serverRequestRejected(const MessageId &id, int code, const QString &why)
{
    if (m_context.canSend())
        m_context.toServer(makeError(id.json(), code, why));
}

// The exit of the server.

void ProxySession::failServer(const QString &why, Instant now)
{
    m_context.now = now;
    if (m_context.canSend())
        failServer(why);
}

void ProxySession::failServer(const QString &why, FailureReason reason)
{
    m_context.add({.kind = ProxyAction::Kind::FailServer, .text = why, .failure = reason});
    stopUsingServer();
    m_history.setFault(why);
}

// The server is being terminated: it gets no more messages. Its responses are forwarded until
// serverExited().
void ProxySession::stopUsingServer()
{
    m_context.phase = Phase::Terminating;
    m_aliveAt.reset();
    m_handshake.cancel();
    m_lists.cancel();
    finishToolsReading();
}

void ProxySession::serverExited(const ServerExit &exit, Instant now)
{
    m_context.now = now;
    m_context.phase = Phase::Away;
    m_aliveAt.reset();
    m_handshake.cancel();
    m_lists.serverExited();
    m_history.addExit(exit);
    m_tasks.serverExited(m_history.record().lastExit->description());
    for (const MessageId &id : m_serverRequests.serverExited())
        m_context.toClient(cancellation(id, "the server has ended"));
    bool isRequestCause = false;
    for (ClientRequest &request : m_inFlight.takeAll()) {
        const bool isRead = request.endOffset <= exit.bytesTaken;
        isRequestCause = isRequestCause
            || (isRead && request.retries > 0
                && request.retries >= m_context.options.maximumRetries);
        lose(std::move(request), isRead);
    }
    if (isRequestCause && !m_context.isClientClosed)
        m_context.add({.kind = ProxyAction::Kind::StartSooner,
                       .text = QStringLiteral("a request that caused two servers to exit is not "
                                              "sent again")});
    refuseHeld();
    expireHeld();
    finishToolsReading();
}

// The server exited without a response. `isRead`: it may have read the request.
void ProxySession::lose(ClientRequest request, bool isRead)
{
    request.mayBeExecuted = request.mayBeExecuted || isRead;
    m_calls.lost(request);
    if (m_context.isClientClosed || !request.isHoldable()) {
        refuse(request, isRead ? Reason::ServerEnded : Reason::ServerUnavailable);
    } else if (request.role == Role::Ping && !m_context.isModern()) {
        m_context.toClient(makeResult(request.id.json(), "{}"));
    } else if (request.role == Role::Listen) {
        holdAgain(std::move(request), Instant::max());
    } else if (request.role == Role::Discover && isRead
               && m_context.revision == McpProtocol::Revision::Unknown) {
        // A legacy server may exit because of it; its client continues with initialize.
        m_context.toClient(makeError(request.id.json(), ErrorCode::methodNotFound,
                                     QStringLiteral("Method not found: the server exited")));
    } else if (request.role == Role::Initialize) {
        m_held.add(std::move(request)); // its hold time began when it arrived
    } else if (!isRead || mayRetry(request)) {
        repeat(std::move(request), isRead);
    } else {
        refuse(request, Reason::ServerEnded);
    }
}

void ProxySession::repeat(ClientRequest request, bool wasRead)
{
    if (wasRead)
        m_calls.limit(request);
    if (request.isOverdue(m_context.now)) {
        refuse(request, wasRead ? Reason::ServerEnded : Reason::ServerUnavailable);
        return;
    }
    Instant until = m_context.now + m_context.options.holdTime;
    if (wasRead)
        ++request.retries;
    else if (request.heldUntil != Instant{})
        until = request.heldUntil; // in case every server exits before it reads
    until = std::min(until, request.deadline.value_or(Instant::max()));
    holdAgain(std::move(request), until);
}

bool ProxySession::mayRetry(const ClientRequest &request) const
{
    const CallRetry retry = m_context.options.retry;
    if (request.retries >= m_context.options.maximumRetries || retry == CallRetry::Never)
        return false;
    if (retry == CallRetry::Always)
        return true;
    return request.role == Role::ToolCall ? m_lists.isToolRepeatable(request.subject)
                                          : request.isRepeatable;
}

// Restarts and tools.

bool ProxySession::requestRestart(const QString &reason, const QString &method, Instant now)
{
    m_context.now = now;
    if (m_restartTools.isRestartComing() || m_context.isClientClosed)
        return false;
    m_restartTools.requestRestart(reason, method);
    return true;
}

void ProxySession::recycle(const QString &reason, Instant now)
{
    m_context.now = now;
    if (isLive())
        m_recycling.request(reason, now);
    recycleIfDue();
}

// Subscriptions continue with the next server.
void ProxySession::recycleIfDue()
{
    if (!m_recycling.deadline() || !isLive())
        return;
    const auto &inFlight = m_inFlight.all();
    const bool isIdle = std::all_of(inFlight.begin(), inFlight.end(), [](const auto &each) {
        return each.second.role == Role::Listen;
    });
    if (const auto reason = m_recycling.take(isIdle, m_context.now))
        m_restartTools.requestRestart(*reason, QLatin1String(recycleMethod));
}

void ProxySession::restartDecided(bool accepted, Instant now)
{
    m_context.now = now;
    if (!m_restartTools.restartDecided(accepted)) {
        if (isLive() || m_context.phase == Phase::Refused)
            sendInitialize(); // clientInitialize() has held it for the new server
        return;
    }
    const std::optional<RestartMarker> restart = m_history.pendingRestart();
    if (restart && restart->method != QLatin1String(recycleMethod))
        m_calls.serverReplaced();
    if (isAway())
        outlookChanged({}, now);
    else if (m_context.canSend())
        stopUsingServer();
}

// The tools are known or will not be read: handles the calls of injected tools that waited for
// them.
void ProxySession::finishToolsReading()
{
    m_lists.finishToolsReading();
    for (ClientRequest &call : m_restartTools.held.takeAll()) {
        call.heldUntil = {}; // it has not waited for a server
        if (m_context.isClientClosed)
            refuse(call, Reason::ServerUnavailable);
        else if (!m_restartTools.call(call) && m_calls.admit(call))
            dispatch(std::move(call));
    }
}

} // namespace Rekindle
