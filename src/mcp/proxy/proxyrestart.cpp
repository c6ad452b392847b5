// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxysession_p.h"

#include "mcp/jsonrpc/errorcodes_p.h"
#include "mcp/jsonrpc/messagewriter_p.h"

#include <rekindle/process/exitcodetable.h>

#include <algorithm>
#include <array>
#include <utility>

namespace Rekindle {

namespace {

constexpr int signalBase = 128;

// They ask, or set what may be set twice.
constexpr std::array<QByteArrayView, 12> repeatable{
    "tools/list",          "prompts/list",
    "resources/list",      "resources/templates/list",
    "resources/read",      "prompts/get",
    "completion/complete", "logging/setLevel",
    "resources/subscribe", "resources/unsubscribe",
    "server/discover",     "tasks/get"};

} // namespace

void ProxySession::serverStarted(const ServerStart &start, Instant now)
{
    m_now = now;
    m_sentBytes = 0;
    m_own.clear();
    m_cancelled.clear();
    m_finishedTokens.clear();
    m_toolsAsked = false;
    m_toolsSettled = false;
    m_initializeSent = false;
    m_initializedSent = false;
    m_proven = false;
    m_listCheckAt.reset();
    m_announced = {};
    m_checking = {};
    noteStart(start);
    replay();
}

// What comes first on a new server: an initialize that the client still waits for, or the one that
// it has had its answer to.
void ProxySession::replay()
{
    m_phase = Phase::Replaying;
    if (m_initialize) {
        sendInitialize();
    } else if (m_handshake) {
        const MessageId id = newId();
        m_own.insert(id, {OwnRequest::Purpose::Initialize, ListKind::Tools, true});
        m_handshakeDeadline = m_now + m_options.handshakeTimeout;
        toServer(withId(m_handshake->line, MessagePeek::at(m_handshake->line), id.json()));
    } else {
        goLive();
    }
}

void ProxySession::ownAnswer(const OwnRequest &request, const QByteArray &line,
                             const MessagePeek &peek)
{
    switch (request.purpose) {
    case OwnRequest::Purpose::Initialize:
        replayAnswered(line, peek);
        return;
    case OwnRequest::Purpose::State: {
        const bool isLast = std::none_of(m_own.cbegin(), m_own.cend(), [](const OwnRequest &own) {
            return own.purpose == OwnRequest::Purpose::State;
        });
        if (isLast && m_phase == Phase::Replaying)
            goLive();
        return;
    }
    case OwnRequest::Purpose::List:
        checkListPage(request, line, peek);
        return;
    }
}

void ProxySession::replayAnswered(const QByteArray &line, const MessagePeek &peek)
{
    m_handshakeDeadline.reset();
    if (peek.kind == MessagePeek::Kind::Error) {
        const auto message = jsonStringText(jsonMember(line, peek.error, "message").of(line));
        refuseHandshake(message ? QString::fromUtf8(*message) : QString(peek.fault));
        return;
    }
    const QByteArray version = protocolVersionOf(line, peek).value_or(QByteArray());
    if (version != m_handshake->protocolVersion) {
        refuseHandshake(
            QStringLiteral("it speaks protocol version %1 now, and the session %2")
                .arg(QString::fromUtf8(version), QString::fromUtf8(m_handshake->protocolVersion)));
        return;
    }
    m_hasTools = serverHasTools(line, peek);
    replayState();
}

// After the handshake: what the client has set in the session. Its end is waited for, so that the
// calls that wait find the session as it was.
void ProxySession::replayState()
{
    const Handshake &handshake = *m_handshake;
    if (!handshake.initialized.isEmpty()) {
        toServer(handshake.initialized);
        m_initializedSent = true;
        QList<QByteArray> lines = handshake.subscriptions.values();
        if (!handshake.logLevel.isEmpty())
            lines.prepend(handshake.logLevel);
        for (const QByteArray &line : lines) {
            const MessageId id = newId();
            m_own.insert(id, {OwnRequest::Purpose::State, ListKind::Tools, true});
            toServer(withId(line, MessagePeek::at(line), id.json()));
        }
        if (!lines.isEmpty()) {
            m_handshakeDeadline = m_now + m_options.handshakeTimeout;
            return;
        }
    }
    goLive();
}

// No start over: the next server would most likely say the same.
void ProxySession::refuseHandshake(const QString &why)
{
    m_phase = Phase::Refused;
    m_refusedWhy = why;
    note(QStringLiteral("the new server does not take up the session: ") + why);
    refuseHeld();
    if (m_initialize)
        sendInitialize();
}

void ProxySession::goLive()
{
    m_phase = Phase::Live;
    m_handshakeDeadline.reset();
    m_record.handshakeDone = m_handshake || m_era == ProtocolEra::Modern;
    if (m_handshake && !m_handshake->initialized.isEmpty() && !m_initializedSent) {
        toServer(m_handshake->initialized); // the client has sent it meanwhile
        m_initializedSent = true;
    }
    if (m_initialize && !m_initializeSent)
        sendInitialize();
    m_heldBytes = 0;
    for (auto &[order, request] : std::exchange(m_held, {}))
        send(std::move(request));
    const bool hasListed = std::any_of(m_listed.begin(), m_listed.end(),
                                       [](const ListReader &list) { return list.isComplete(); });
    if (hasListed && m_record.generation > 1)
        m_listCheckAt = m_now + m_options.settleTime;
    planToAskForTools();
}

void ProxySession::leave()
{
    m_phase = Phase::Leaving;
    m_handshakeDeadline.reset();
    m_listCheckAt.reset();
    m_own.clear();
    settleTools();
}

void ProxySession::serverGone(const ServerEnd &end, Instant now)
{
    m_now = now;
    m_phase = Phase::Away;
    m_outlook = end.outlook;
    m_outlookSince = now;
    m_handshakeDeadline.reset();
    m_listCheckAt.reset();
    m_own.clear();
    const ListReader &tools = m_listed[static_cast<std::size_t>(ListKind::Tools)];
    if (tools.isComplete())
        m_toolsBefore = tools.entries();
    noteEnd(end);
    for (const MessageId &id : m_serverRequests.serverGone()) {
        toClient(cancellation(id, "the server has ended"));
    }
    loseInFlight(*m_lastEnd);
    refuseHeld();
    expireHeld();
    settleTools();
}

void ProxySession::noteEnd(const ServerEnd &end)
{
    m_lastEnd = end;
    const QString why = std::exchange(m_failedWhy, {});
    const auto asked = std::exchange(m_askedRestart, std::nullopt);
    if (!why.isEmpty())
        m_lastEnd->detail = {why, {}, {}, end.detail.processId, end.detail.stderrTail, false};
    if (asked) {
        if (why.isEmpty())
            m_lastEnd->kind = ServerEnd::Kind::Requested;
        m_comingRestart = asked;
    } else if (end.kind == ServerEnd::Kind::Requested) {
        m_comingRestart = RestartMarker{{},
                                        markerReason(end.detail.message),
                                        ExitCodeTable::restartRequested,
                                        QStringLiteral("exit 42")};
    } else {
        const FailureDetail &detail = m_lastEnd->detail;
        const int code = detail.signal ? signalBase + *detail.signal : detail.exitCode.value_or(0);
        const QString reason = QLatin1String("it ") + ProxyErrors::describe(*m_lastEnd);
        m_comingRestart = RestartMarker{{}, markerReason(reason), code, QStringLiteral("crash")};
    }
    m_record.isRunning = false;
    m_record.handshakeDone = false;
    m_record.lastEnd = ProxyErrors::describe(*m_lastEnd);
}

void ProxySession::noteStart(const ServerStart &start)
{
    if (m_comingRestart && m_record.processId != 0) {
        m_comingRestart->timestamp = start.time;
        m_record.lastRestart = m_comingRestart;
        m_record.oldProcessId = m_record.processId;
        m_record.toolsAdded.clear();
        m_record.toolsRemoved.clear();
        m_actions.push_back({ProxyAction::Kind::WriteMarker, {}, {}, *m_comingRestart});
    }
    m_comingRestart.reset();
    m_record.isRunning = true;
    m_record.generation = start.generation;
    m_record.processId = start.processId;
    m_record.startedAt = start.time;
    m_record.handshakeDone = false;
}

void ProxySession::loseInFlight(const ServerEnd &end)
{
    for (ClientRequest &request : m_inFlight.takeAll())
        lose(std::move(request), end);
    if (m_initialize && std::exchange(m_initializeSent, false) && m_clientClosed) {
        refuse(*m_initialize, Reason::ServerEnded);
        m_initialize.reset();
    }
}

void ProxySession::lose(ClientRequest request, const ServerEnd &end)
{
    const bool wasSeen = request.endsAt <= end.bytesTaken;
    request.mayBeDone = request.mayBeDone || wasSeen;
    if (m_clientClosed) {
        refuse(request, wasSeen ? Reason::ServerEnded : Reason::ServerUnavailable);
    } else if (request.role == Role::Ping && m_era != ProtocolEra::Modern) {
        toClient(makeResult(request.id.json(), "{}"));
    } else if (request.role == Role::Listen) {
        request.swallowAcknowledgement = request.acknowledged;
        holdAgain(std::move(request), Instant::max());
    } else if (request.role == Role::Discover && m_era == ProtocolEra::Unknown && wasSeen) {
        // Servers of the legacy era may die of it, and their clients go on with initialize.
        toClient(makeError(request.id.json(), ErrorCode::methodNotFound,
                           QStringLiteral("Method not found: the server ended on it")));
    } else if (!wasSeen) {
        // Servers that end before they read must not keep it for ever.
        const bool hasWaited = request.heldUntil != Instant{};
        const Instant until = hasWaited ? request.heldUntil : m_now + m_options.holdTime;
        holdAgain(std::move(request), until);
    } else if (!request.line.isEmpty() && mayRepeat(request)) {
        ++request.retries;
        holdAgain(std::move(request), m_now + m_options.holdTime);
    } else {
        refuse(request, Reason::ServerEnded);
    }
}

// With its old order, so that it goes out before what came later.
void ProxySession::holdAgain(ClientRequest request, Instant until)
{
    request.heldUntil = until;
    request.isAgain = true;
    m_heldBytes += request.line.size();
    m_held.emplace(request.order, std::move(request));
}

// While a server's tools are not known yet, any call may turn out to be one that may be repeated.
void ProxySession::serverHasTaken(quint64 bytes)
{
    const bool isDecided = m_options.retry == CallRetry::Never || m_toolsSettled
        || m_listed[static_cast<std::size_t>(ListKind::Tools)].isComplete();
    m_inFlight.dropLines([&](const ClientRequest &request) {
        const bool isCall = request.role == Role::ToolCall && isDecided;
        return (isCall || request.role == Role::Plain) && request.endsAt <= bytes
            && !mayRepeat(request);
    });
}

bool ProxySession::mayRepeat(const ClientRequest &request) const
{
    if (request.retries >= m_options.mostRetries || m_options.retry == CallRetry::Never)
        return false;
    if (m_options.retry == CallRetry::Always)
        return true;
    if (request.role == Role::ToolCall) {
        const auto &tools = m_listed[static_cast<std::size_t>(ListKind::Tools)];
        return tools.entries().value(request.subject).repeatable;
    }
    return std::find(repeatable.begin(), repeatable.end(), request.method) != repeatable.end();
}

} // namespace Rekindle
