// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "handshakereplay_p.h"
#include "inflightrequests_p.h"
#include "listwatch_p.h"
#include "mcp/jsonrpc/clientlinereader_p.h"
#include "mcp/jsonrpc/serverlinereader_p.h"
#include "mcp/restart/serverrecycling_p.h"
#include "passingcalls_p.h"
#include "restarttools_p.h"
#include "serverrequests_p.h"
#include "servertasks_p.h"

namespace Rekindle {

/// The watchdog proxy without its pipes: the session of one client, whose server may exit and be
/// replaced. Pure: lines and instants go in, actions come out, in order. It guarantees that
/// - each request of the client gets exactly one response, whatever happens to servers;
/// - the client's own handshake is replayed to a new server before any other message reaches it;
/// - the client sees nothing of the requests that the session itself sends to a server.
/// All other messages pass through byte for byte.
///
/// The path of a message, which ProxiedServer passes in line by line:
/// - A request: clientLine(), ClientLineReader, clientRequest(), dispatch(), send(). Without a live
///   server, hold() stores it, and goLive() sends it.
/// - Its response: serverLine(), ServerLineReader, serverResponse(), forwardResponse().
/// - If the server exits instead: serverExited(), lose(). It is held again or refused.
///
/// The session dispatches messages to the classes that own each concern: HandshakeReplay,
/// InFlightRequests, ListWatch, PassingCalls, RestartTools, ServerHistory, ServerRequests and
/// ServerTasks.
class ProxySession final : private ClientLineReader::Handler, private ServerLineReader::Handler
{
public:
    explicit ProxySession(ProxyOptions options);
    ProxySession(const ProxySession &) = delete;
    ProxySession &operator=(const ProxySession &) = delete;
    ~ProxySession() = default;

    // Events. Blank lines are ignored.
    /// `arrived` is the beginning of the call timeout, if it is not now.
    void clientLine(const FramedLine &line, Instant now,
                    RequestOrigin origin = RequestOrigin::Client,
                    std::optional<Instant> arrived = {});
    void clientClosed(Instant now);
    void serverStarted(const ServerStart &start, Instant now);
    void serverLine(const FramedLine &line, Instant now);
    /// The server has written to stdout or stderr. Until it is ready, this shows progress.
    void serverProgressed(Instant now);
    /// The bytes after the last newline: a whole line or the beginning of one.
    void serverRest(const QByteArray &line, Instant now);
    void serverExited(const ServerExit &exit, Instant now);
    /// The outlook has changed since serverExited().
    void outlookChanged(const ServerOutlook &outlook, Instant now);
    void timePassed(Instant now);

    /// The host requests a new server, as restart_server does; `method` is written to the marker.
    /// Returns false, and does nothing, if a restart is already in progress or the session ends.
    bool requestRestart(const QString &reason, const QString &method, Instant now);

    /// Replaces the running server when no request is in flight, or after
    /// ServerRecycling::longestWait. Ignored without a server.
    void recycle(const QString &reason, Instant now);

    /// The running server is unusable: its policy decides.
    void failServer(const QString &why, Instant now);

    // Results of actions, in any order with events. At most one action of each kind is open.
    void restartDecided(bool accepted, Instant now);
    void markerRead(const MarkerReading &reading) { m_restartTools.markerRead(reading); }

    /// When timePassed() is due.
    [[nodiscard]] std::optional<Instant> nextDeadline() const;
    [[nodiscard]] std::vector<ProxyAction> takeActions() { return m_context.takeActions(); }

    /// A server runs and gets the client's messages.
    [[nodiscard]] bool isLive() const { return m_context.phase == Phase::Live; }
    /// No server runs, and the session knows it.
    [[nodiscard]] bool isAway() const { return m_context.phase == Phase::Away; }
    [[nodiscard]] bool needsServer() const;
    [[nodiscard]] qsizetype bytesInFlight() const { return m_inFlight.bytes(); }
    /// Requests of the client without a response.
    [[nodiscard]] qsizetype unansweredCount() const;
    [[nodiscard]] const RestartRecord &record() const { return m_history.record(); }

private:
    using Phase = ProxyContext::Phase;
    using Role = ClientRequest::Role;
    using Reason = ProxyRefusal::Reason;

    // ClientLineReader::Handler
    void clientRequest(const QByteArray &line, const MessagePeek &peek) override;
    void clientNotification(const QByteArray &line, const MessagePeek &peek) override;
    void clientResponse(const QByteArray &line, const MessagePeek &peek) override;
    void clientResponseFailed(const MessageId &id, const QString &why) override;
    void clientLineRejected(const MessageId &id, int code, const QString &why) override;
    [[nodiscard]] bool isServerRequestOpen(const MessageId &id) const override;

    // ServerLineReader::Handler
    void serverRequest(const QByteArray &line, const MessagePeek &peek) override;
    void serverNotification(const QByteArray &line, const MessagePeek &peek) override;
    void serverResponse(const QByteArray &line, const MessagePeek &peek) override;
    void serverResponseTooLong(const MessageId &id) override;
    void serverMessageLost(const QString &fault) override;
    void serverRequestRejected(const MessageId &id, int code, const QString &why) override;
    void serverLineSkipped(const QString &why) override { m_context.note(why); }
    [[nodiscard]] bool isAwaited(const MessageId &id) const override;

    [[nodiscard]] ClientRequest requestOf(const QByteArray &line, const MessagePeek &peek);
    void clientInitialize(ClientRequest request);
    void clientCancelled(const QByteArray &line, const MessagePeek &peek);
    [[nodiscard]] bool isAnsweredHere(const ClientRequest &request);
    [[nodiscard]] bool rejectDiscovers();
    void dispatch(ClientRequest request);
    void send(ClientRequest request);
    void hold(ClientRequest request);
    void holdAgain(ClientRequest request, Instant until);

    void initializeAnswered(const QByteArray &line, const MessagePeek &peek);
    void initializeFailed();
    void replayHandshake();
    void sendInitialize();
    void handshakeStep(HandshakeReplay::Step step);
    [[nodiscard]] bool awaitsHandshake() const;
    void reportReady();
    void goLive();
    void forwardResponse(const ClientRequest &request, const QByteArray &line,
                         const MessagePeek &peek);
    void forwardList(const ClientRequest &request, const QByteArray &line, const MessagePeek &peek);
    void serverCancelled(const QByteArray &line, const MessagePeek &peek);

    [[nodiscard]] std::optional<Reason> reasonToRefuse(const ClientRequest &request) const;
    void refuse(const ClientRequest &request, Reason reason);
    void refuseHeld();
    void initializeRefused(Reason reason);
    void expireHeld();
    void expireInFlight();
    void failServer(const QString &why, FailureReason reason = FailureReason::InitializationFailed);
    void stopUsingServer();
    void lose(ClientRequest request, bool isRead);
    void repeat(ClientRequest request, bool wasRead);
    [[nodiscard]] bool mayRetry(const ClientRequest &request) const;
    void finishToolsReading();
    void recycleIfDue();

    ProxyContext m_context;
    // Of the line that is being read.
    RequestOrigin m_origin = RequestOrigin::Client;
    Instant m_arrived{};
    quint64 m_nextOrder = 0;
    InFlightRequests m_inFlight;
    RequestQueue m_held; ///< until a server is ready
    ServerRequests m_serverRequests;
    ServerTasks m_tasks;
    ServerHistory m_history;
    HandshakeReplay m_handshake;
    ListWatch m_lists;
    PassingCalls m_calls;
    RestartTools m_restartTools;
    ServerRecycling m_recycling;
    ClientLineReader m_clientReader;
    ServerLineReader m_serverReader;
    // Of the running server.
    bool m_isReady = false;
    std::optional<Instant> m_aliveAt; ///< when it is ready without a handshake
    bool m_hasAnsweredCall = false;

    bool m_wasReady = false; ///< a server of the session
};

} // namespace Rekindle
