// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "gatewayaction_p.h"
#include "gatewaycatalog_p.h"
#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/jsonrpc/messagepeek_p.h"
#include "mcp/proxy/injectedtools_p.h"
#include "mcp/proxy/proxyerrors_p.h"
#include "mcp/transport/lineframer_p.h"

#include <QHash>
#include <QSet>

#include <array>
#include <optional>
#include <vector>

namespace Rekindle {

/// Many MCP servers as one (spec 9), without pipes: one session of a client. Each server stands
/// behind a ProxySession, whose client this is: that one brings a new server to where the old one
/// was, and answers every request exactly once. Pure: lines and moments go in, actions come out.
///
/// A request of the client goes to one server as it is, but for the name of what is called, and so
/// does its answer: both have the client's own id. The client is greeted by the gateway itself, in
/// the era that it opens with; servers are greeted with the client's initialize, and a client of
/// the modern era with one that says what it can.
///
/// In the source: gatewayclient.cpp has what the client sends, gatewayrouting.cpp which server it
/// goes to, gatewayserver.cpp what servers send, gatewaygreeting.cpp both handshakes,
/// gatewaylists.cpp the lists, gatewaytools.cpp the tools of the gateway, gatewaysession.cpp the
/// rest.
class GatewaySession
{
public:
    explicit GatewaySession(GatewayOptions options);

    // What happens. Lines come without their end; blank ones are ignored.
    void clientLine(const QByteArray &line, Instant now);
    void clientLineTooLong(const FramedLine &line, Instant now);
    void clientClosed(Instant now);
    /// A process runs; its proxy session has been told before.
    void serverStarted(int server, Instant now);
    /// The process has ended; its proxy session is told afterwards.
    void serverGone(int server, Instant now);
    /// What its proxy session says to its client.
    void serverLine(int server, const QByteArray &line, Instant now);
    void timePassed(Instant now);

    // Answers to actions.
    void restartDecided(int server, bool accepted, Instant now);
    void serverDescribed(int server, const InjectedTools::RestartRecord &record);

    /// When timePassed() is wanted.
    [[nodiscard]] std::optional<Instant> nextDeadline() const;

    /// What is to be done since the last call.
    [[nodiscard]] std::vector<GatewayAction> takeActions();

    [[nodiscard]] ProtocolEra era() const { return m_era; }

private:
    struct Reading
    {
        std::vector<GatewayEntry> entries{};
        QSet<QByteArray> cursors{};
        qsizetype bytes = 0; ///< of the pages
        bool isGoingOn = false;
        bool isStale = false; ///< it has changed while it was read
        bool isKnown = false;
    };

    struct Server
    {
        enum class Phase {
            Away,     ///< it has not been greeted, or that went wrong
            Greeting, ///< initialize was sent, or waits for the server
            Open,     ///< it was greeted; its proxy session sees to the rest
        };

        QString name{};
        Phase phase = Phase::Away;
        bool isRunning = false;
        bool isInitialized = false; ///< it was told so
        std::optional<Instant> greetedAt{};
        QString why{}; ///< it did not come up, as far as it has tried
        std::optional<Instant> deadline{};
        std::array<bool, gatewayListCount> offers{};
        bool hasLogging = false;
        std::array<Reading, gatewayListCount> readings{};
    };

    struct OwnRequest
    {
        enum class Purpose { Initialize, List, LogLevel };
        int server = -1;
        Purpose purpose = Purpose::Initialize;
        GatewayList kind = GatewayList::Tools;
    };

    /// A request of a server that the client works on.
    struct ServerRequest
    {
        int server = -1;
        MessageId id{};
        MessageId progressToken{};
    };

    /// A request of the client that a server works on.
    struct Routed
    {
        int server = -1;
        QByteArray method{};
    };

    struct VerifyCall
    {
        int server = -1;
        MessageId id{};
        UtcTime since{};
    };

    // gatewayclient.cpp
    void clientMessage(const QByteArray &line);
    void clientRequest(const QByteArray &line, const MessagePeek &peek);
    [[nodiscard]] bool isRefused(const QByteArray &line, const MessagePeek &peek);
    void clientNotification(const QByteArray &line, const MessagePeek &peek);
    void clientCancelled(const QByteArray &line, const MessagePeek &peek);
    void clientProgress(const QByteArray &line, const MessagePeek &peek);
    void clientAnswer(const QByteArray &line, const MessagePeek &peek);
    void clientBatch(const QByteArray &line);
    void clientNotMessage(const QByteArray &line, const MessagePeek &peek);
    void clientUnreadable(const MessagePeek &ends, int code, const QString &why);
    void setLogLevel(const QByteArray &line, const MessagePeek &peek);
    void listen(const QByteArray &line, const MessagePeek &peek);

    // gatewaygreeting.cpp
    void initialize(const QByteArray &line, const MessagePeek &peek);
    void discover(const MessagePeek &peek);
    void openModern(const QByteArray &line, const MessagePeek &peek);
    void openSession();
    void greetOnDemand(const QByteArray &line, const MessagePeek &peek);
    void greet(int server);
    void greeted(int server, const QByteArray &line, const MessagePeek &peek);
    void notGreeted(int server, const QByteArray &line, const MessagePeek &peek);
    void tellInitialized(int server);
    void sendLogLevel(int server);
    [[nodiscard]] QByteArray ownFacts() const;

    // gatewayrouting.cpp
    void wait(const QByteArray &line, const MessagePeek &peek);
    void request(const QByteArray &line, const MessagePeek &peek);
    [[nodiscard]] static std::optional<GatewayList> listOf(const QByteArray &method);
    [[nodiscard]] static std::optional<GatewayList> wantedOf(const QByteArray &line,
                                                             const MessagePeek &peek);
    [[nodiscard]] std::optional<GatewayCatalog::Owner> ownerOf(GatewayList kind,
                                                               const QByteArray &name);
    [[nodiscard]] static QByteArray subjectOf(GatewayList kind, const QByteArray &line,
                                              const MessagePeek &peek);
    void route(const QByteArray &line, const MessagePeek &peek);
    void send(int server, QByteArray line, const MessagePeek &peek);
    void refuseUnknown(const QByteArray &line, const MessagePeek &peek, const QString &what);
    [[nodiscard]] QString missingServers() const;
    [[nodiscard]] static QByteArray withoutModernMeta(const QByteArray &line);

    // gatewaylists.cpp
    [[nodiscard]] bool isSettled(const Server &server, GatewayList kind) const;
    [[nodiscard]] bool mustWait(GatewayList kind) const;
    [[nodiscard]] bool mayStillCome(GatewayList kind) const;
    void resume();
    void answerList(GatewayList kind, const MessagePeek &peek);
    void readList(int server, GatewayList kind);
    void readAgain(int server);
    void askForPage(int server, GatewayList kind, const QByteArray &cursor);
    void pageRead(int server, GatewayList kind, const QByteArray &line, const MessagePeek &peek);
    void readingFailed(int server, GatewayList kind, const QString &why);
    void finishReading(int server, GatewayList kind);
    void announce(GatewayList kind);

    // gatewayserver.cpp
    void serverMessage(int server, const QByteArray &line);
    void serverAnswer(int server, const QByteArray &line, const MessagePeek &peek);
    void ownAnswer(const OwnRequest &own, const QByteArray &line, const MessagePeek &peek);
    [[nodiscard]] QByteArray forClient(const Routed &routed, const QByteArray &line,
                                       const MessagePeek &peek) const;
    void nameServer(int server, const QByteArray &line, const MessagePeek &peek,
                    JsonEdit &edit) const;
    void serverRequest(int server, const QByteArray &line, const MessagePeek &peek);
    void serverNotification(int server, const QByteArray &line, const MessagePeek &peek);
    void serverCancelled(int server, const QByteArray &line, const MessagePeek &peek);

    // gatewaytools.cpp
    void offerTools();
    void callOurs(const QByteArray &name, const QByteArray &line, const MessagePeek &peek);
    [[nodiscard]] std::optional<int> serverArgument(const QByteArray &line,
                                                    const MessagePeek &peek);
    void answerTool(const MessageId &id, const QString &text, bool isError);

    // gatewaysession.cpp
    void toClient(QByteArray line);
    void toServer(int server, QByteArray line);
    void note(int server, const QString &text);
    void refuse(const MessageId &id, int code, const QString &text, QByteArrayView data = {});
    [[nodiscard]] MessageId newId();
    [[nodiscard]] int serverCount() const { return static_cast<int>(m_servers.size()); }
    [[nodiscard]] Server &at(int server) { return m_servers[static_cast<std::size_t>(server)]; }
    [[nodiscard]] bool isOpened() const { return m_openedAt.has_value(); }

    const GatewayOptions m_options;
    Instant m_now{};
    std::vector<GatewayAction> m_actions;

    ProtocolEra m_era = ProtocolEra::Unknown;
    std::optional<Instant> m_openedAt;
    bool m_isReady = false; ///< the client has said that it is initialized, or acts like it
    bool m_clientClosed = false;
    QByteArray m_greeting; ///< initialize for servers
    QByteArray m_logLevel; ///< the client's last logging/setLevel

    std::vector<Server> m_servers;
    GatewayCatalog m_catalog;
    std::array<bool, gatewayListCount> m_isListed{}; ///< the client knows the list as it is
    /// Since the client's last list, and nobody has been told.
    std::array<bool, gatewayListCount> m_hasChanged{};
    std::array<bool, gatewayListCount> m_isNamed{}; ///< names were given, and hold

    quint64 m_ownIds = 0;
    QHash<MessageId, OwnRequest> m_own;
    QHash<MessageId, Routed> m_routed;
    QHash<MessageId, ServerRequest> m_serverRequests; // by the client's id
    QHash<MessageId, QByteArray> m_listening;         // subscriptions/listen: what it asked for
    QHash<QByteArray, int> m_subscribed;              // servers, by URI
    std::vector<QByteArray> m_waiting;                // requests, for the lists of servers
    QHash<int, std::vector<MessageId>> m_restartCalls;
    std::vector<VerifyCall> m_verifyCalls;
};

} // namespace Rekindle
