// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "injectedtools_p.h"
#include "mcp/client/listing_p.h"
#include "mcp/client/pendingrequests_p.h"
#include "mcp/jsonrpc/messagepeek_p.h"
#include "mcp/transport/lineframer_p.h"
#include "proxyaction_p.h"
#include "proxyerrors_p.h"

#include <QHash>
#include <QMap>
#include <QSet>

#include <array>
#include <map>
#include <vector>

namespace Rekindle {

/// The watchdog proxy (spec 9) without its pipes: one session of a client, whose server may die and
/// come back. Pure: lines and moments go in, actions come out, in order. It holds that
/// - each request of the client gets exactly one answer, whatever happens to servers;
/// - a new server is taken through the client's own handshake before anything else reaches it;
/// - nothing that the proxy asks a server itself is seen by the client.
/// Whatever it need not understand passes through byte for byte.
///
/// In the source: proxyclient.cpp has what the client sends, proxyserver.cpp what a server sends,
/// proxyoddlines.cpp what of both is no single message that can be read, proxyrestart.cpp the end
/// of a server and the way back, proxylists.cpp what has changed by it, proxytools.cpp the tools
/// that the proxy offers itself, and proxysession.cpp the rest.
class ProxySession
{
public:
    explicit ProxySession(ProxyOptions options);

    // What happens. Lines come without their end; blank ones are ignored.
    void clientLine(const QByteArray &line, Instant now);
    void clientLineTooLong(const FramedLine &line, Instant now);
    void clientClosed(Instant now);
    void serverStarted(const ServerStart &start, Instant now);
    void serverLine(const QByteArray &line, Instant now);
    void serverLineTooLong(const FramedLine &line, Instant now);
    /// What a server left without an end: all of a line, or as much as it could write of one.
    void serverRest(const QByteArray &line, Instant now);
    void serverGone(const ServerEnd &end, Instant now);
    /// Something else is to be expected than serverGone() said.
    void outlookChanged(const ServerOutlook &outlook, Instant now);
    void timePassed(Instant now);

    /// The host wants a new server, as if restart_server had been called; `method` goes into the
    /// marker. One that is on its way already, and not started yet, is as good.
    void restartWanted(const QString &reason, const QString &method, Instant now);

    /// The server that runs may have read that much of what it was sent: what it has read and will
    /// not be sent again need not be kept until it is answered.
    void serverHasTaken(quint64 bytes);

    /// The client has no use for the server that runs: its policy decides.
    void failServer(const QString &why, Instant now);

    // Answers to actions, in whatever order with what happens meanwhile. Of each kind of action one
    // at most is open; several calls may wait for it.
    void restartDecided(bool accepted, Instant now);
    void markerRead(const MarkerReading &reading);

    /// When timePassed() is wanted.
    [[nodiscard]] std::optional<Instant> nextDeadline() const;

    /// What is to be done since the last call.
    [[nodiscard]] std::vector<ProxyAction> takeActions();

    [[nodiscard]] ProtocolEra era() const { return m_era; }
    /// A server runs and gets what the client sends.
    [[nodiscard]] bool isLive() const { return m_phase == Phase::Live; }
    /// There is none, and that was told.
    [[nodiscard]] bool isAway() const { return m_phase == Phase::Away; }
    /// A request waits for one; those without a time limit count if `withUntimed`.
    [[nodiscard]] bool wantsServer(bool withUntimed) const;
    /// What is kept of requests that the server works on.
    [[nodiscard]] qsizetype bytesInFlight() const { return m_inFlight.bytes(); }
    /// Requests of the client that have no answer yet.
    [[nodiscard]] qsizetype unansweredCount() const;
    [[nodiscard]] const InjectedTools::RestartRecord &record() const { return m_record; }

private:
    enum class Phase {
        Away,      ///< there is no server
        Replaying, ///< a new one, on its way through the handshake
        Live,      ///< it gets what the client sends
        Leaving,   ///< it is being ended
        Refused,   ///< it runs, and does not take the handshake
    };

    using Role = ClientRequest::Role;
    using Reason = ProxyErrors::Reason;

    /// The client's way into the session, for servers to come.
    struct Handshake
    {
        QByteArray line{};
        QByteArray protocolVersion{}; ///< that the client was told
        QByteArray initialized{};     ///< its notifications/initialized; empty if it sent none
        QByteArray logLevel{};        ///< its last logging/setLevel that was answered
        QMap<QByteArray, QByteArray> subscriptions{}; ///< resources/subscribe by URI
    };

    struct OwnRequest
    {
        enum class Purpose { Initialize, State, List };
        Purpose purpose = Purpose::State;
        ListKind kind = ListKind::Tools;
        bool isFirstPage = true;
    };

    /// A restart that was asked for, until restartDecided().
    struct RestartAsk
    {
        RestartMarker marker{}; ///< all but its time
        bool wasAway = false;   ///< there was no server when it was asked for
        std::vector<MessageId> calls{};
    };

    /// The proxy's own reading of a list of the server that runs.
    struct ListCheck
    {
        ListReader reader{};
        QSet<QByteArray> cursors{};
    };

    // proxyclient.cpp
    void clientMessage(const QByteArray &line);
    void clientRequest(const QByteArray &line, const MessagePeek &peek);
    void clientInitialize(ClientRequest request);
    void sendInitialize();
    void clientNotification(const QByteArray &line, const MessagePeek &peek);
    void clientCancelled(const QByteArray &line, const MessagePeek &peek);
    void clientAnswer(const QByteArray &line, const MessagePeek &peek);
    void learnEra(const QByteArray &line, const MessagePeek &peek);
    [[nodiscard]] bool isUntimed(const MessageId &id) const;
    [[nodiscard]] ClientRequest requestOf(const QByteArray &line, const MessagePeek &peek);
    [[nodiscard]] bool answeredByUs(const ClientRequest &request, const MessagePeek &peek);
    [[nodiscard]] bool answerDiscovers();

    // proxytools.cpp
    [[nodiscard]] bool offers(const char *tool) const;
    [[nodiscard]] bool calledOurs(const ClientRequest &request, const MessagePeek &peek);
    void callRestart(const ClientRequest &request, const MessagePeek &peek);
    void askForRestart(const QString &reason, const QString &method,
                       std::optional<MessageId> call = {});
    void callVerify(const ClientRequest &request, const MessagePeek &peek);
    [[nodiscard]] bool isRestartComing() const;
    [[nodiscard]] bool willKnowTools() const;
    [[nodiscard]] bool canAskForTools() const;
    void planToAskForTools();
    void askForTools();
    void waitForTools(const ClientRequest &request);
    void settleTools();

    // proxyoddlines.cpp
    void clientBatch(const QByteArray &line);
    void clientNotMessage(const QByteArray &line, const MessagePeek &peek);
    void clientUnreadable(const MessagePeek &ends, int code, const QString &why);
    void serverBatch(const QByteArray &line);
    void serverNotMessage(const QByteArray &line, const MessagePeek &peek);
    void serverNotJson(const QByteArray &line, const MessagePeek &peek);
    [[nodiscard]] bool isAwaited(const MessageId &id) const;
    void refuseServerRequest(const MessageId &id, int code, const QString &why);

    // proxyserver.cpp
    void serverMessage(const QByteArray &line);
    void serverAnswer(const QByteArray &line, const MessagePeek &peek);
    void passAnswer(const ClientRequest &request, const QByteArray &line, const MessagePeek &peek);
    void initializeAnswered(const QByteArray &line, const MessagePeek &peek);
    void initializeFailed(const QByteArray &answer);
    [[nodiscard]] bool serverHasTools(const QByteArray &line, const MessagePeek &peek) const;
    void listAnswered(const ClientRequest &request, const QByteArray &line,
                      const MessagePeek &peek);
    void serverRequest(const QByteArray &line, const MessagePeek &peek);
    void serverNotification(const QByteArray &line, const MessagePeek &peek);
    [[nodiscard]] bool isOldProgress(const QByteArray &line, const MessagePeek &peek);
    [[nodiscard]] bool isOldAcknowledgement(const QByteArray &line, const MessagePeek &peek);
    void serverCancelled(const QByteArray &line, const MessagePeek &peek);

    // proxyrestart.cpp
    void replay();
    void replayAnswered(const QByteArray &line, const MessagePeek &peek);
    void replayState();
    void ownAnswer(const OwnRequest &request, const QByteArray &line, const MessagePeek &peek);
    void refuseHandshake(const QString &why);
    void goLive();
    void loseInFlight(const ServerEnd &end);
    void lose(ClientRequest request, const ServerEnd &end);
    void holdAgain(ClientRequest request, Instant until);
    [[nodiscard]] bool mayRepeat(const ClientRequest &request) const;
    void noteEnd(const ServerEnd &end);
    void noteStart(const ServerStart &start);
    void leave();

    // proxylists.cpp
    void beginListChecks();
    void askForList(ListKind kind, const QByteArray &cursor);
    void checkListPage(const OwnRequest &request, const QByteArray &line, const MessagePeek &peek);
    void giveUpListCheck(ListKind kind);
    void finishListCheck(ListKind kind, const ListedEntries &entries);
    void announceChange(ListKind kind);
    void compareTools(const ListedEntries &entries);
    [[nodiscard]] static QByteArray metaForUs(QByteArrayView line, const MessagePeek &peek);

    // proxysession.cpp
    void toClient(QByteArray line);
    void toServer(const QByteArray &line);
    void note(const QString &text);
    [[nodiscard]] static QByteArray cancellation(const MessageId &id, const char *why);
    void failServer(const QString &why);
    void send(ClientRequest request);
    void dispatch(ClientRequest request);
    void hold(ClientRequest request);
    [[nodiscard]] std::optional<Reason> refusal(const ClientRequest &request) const;
    void refuse(const ClientRequest &request, Reason reason);
    void refuseHeld();
    void refuseInitialize(Reason reason);
    void expireHeld();
    void expireInFlight();
    void forgetProgress(const ClientRequest &request);
    void dropHeld(std::map<quint64, ClientRequest>::iterator held);
    [[nodiscard]] ProxyErrors::Circumstances circumstances() const;
    [[nodiscard]] MessageId newId();
    [[nodiscard]] bool isServerThere() const;
    [[nodiscard]] Handshake &session();

    const ProxyOptions m_options;
    Instant m_now{};
    std::vector<ProxyAction> m_actions;

    Phase m_phase = Phase::Away;
    ProtocolEra m_era = ProtocolEra::Unknown;
    bool m_clientClosed = false;
    ServerOutlook m_outlook{};
    Instant m_outlookSince{};
    std::optional<ServerEnd> m_lastEnd;
    QString m_refusedWhy;
    QString m_failedWhy; ///< the server that is leaving

    // The client's side.
    quint64 m_nextOrder = 0;
    PendingRequests m_inFlight;
    std::map<quint64, ClientRequest> m_held;
    qsizetype m_heldBytes = 0;
    QSet<MessageId> m_cancelled;                      ///< whose answers may still come and pass
    std::optional<Handshake> m_handshake;             ///< answered
    std::optional<ClientRequest> m_initialize;        ///< not answered; it waits, or is in flight
    Handshake m_pendingHandshake;                     ///< what goes with that
    std::array<QByteArray, listKindCount> m_listMeta; ///< _meta of its list requests (modern)
    std::array<ListReader, listKindCount> m_listed;   ///< what it was told
    QSet<MessageId> m_finishedTokens; ///< of calls that were answered instead of the server
    std::optional<RestartAsk> m_restartAsk;
    std::optional<RestartMarker> m_askedRestart; ///< accepted; the server is about to end
    std::vector<std::pair<MessageId, UtcTime>> m_verifyCalls; ///< that wait for the marker
    std::vector<ClientRequest> m_waitingCalls; ///< of our tools, until the server's are known
    qsizetype m_waitingBytes = 0;

    // The server's side.
    quint64 m_sentBytes = 0; ///< to this server
    quint64 m_ownIds = 0;
    QHash<MessageId, OwnRequest> m_own;
    ServerRequests m_serverRequests;
    bool m_initializeSent = false; ///< the client's own, that is not answered
    bool m_initializedSent = false;
    bool m_proven = false;
    bool m_hasTools = true; ///< it has said so, or nobody knows
    std::optional<Instant> m_handshakeDeadline;
    std::optional<Instant> m_listCheckAt;
    std::array<ListCheck, listKindCount> m_checking; ///< what a new server says
    std::array<bool, listKindCount> m_announced{};   ///< the new server has itself

    std::optional<ListedEntries> m_toolsBefore; ///< the last end of a server
    std::optional<Instant> m_askForToolsAt;
    std::optional<Instant> m_toolsDeadline; ///< for what m_waitingCalls wait for
    bool m_toolsAsked = false;              ///< by us, this server
    bool m_toolsSettled = false;            ///< they are known, or will not be

    InjectedTools::RestartRecord m_record;
    std::optional<RestartMarker> m_comingRestart; ///< all but its time
};

} // namespace Rekindle
