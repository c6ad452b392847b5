// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "gatewayaction_p.h"
#include "mcp/jsonrpc/mcplist_p.h"
#include "mcp/jsonrpc/mcpmembers_p.h"

#include <QHash>

#include <functional>
#include <optional>
#include <vector>

namespace Rekindle {

struct GatewayServer
{
    enum class Phase {
        Disconnected, ///< no handshake was sent, or it failed; the process may run
        Handshaking,  ///< initialize was sent, or is held by the proxy session
        Open,         ///< it has accepted the handshake
    };

    QString name{};
    Phase phase = Phase::Disconnected;
    bool isRunning = false;
    bool isModern = false;      ///< it uses the modern revision
    bool isReady = false;       ///< the running process has completed the handshake
    bool isInitialized = false; ///< notifications/initialized was sent
    bool isRespawned = false;   ///< on demand: its process exited before its lists were known
    std::optional<Instant> handshakeAt{};
    QString why{};                     ///< why the last handshake or tools/list failed
    Instant startedAt{};               ///< of the running process
    std::optional<Instant> deadline{}; ///< of the handshake
    ByListKind<bool> offers{};
    bool hasLogging = false;
    bool listsTasks = false;
    QByteArray logLevel{}; ///< the request that it has accepted; its proxy session replays it
};

/// What the parts of a gateway session share: options, time, servers, the gateway's own requests
/// and the actions.
class GatewayContext
{
public:
    /// Processes the response to a request of the gateway. If it is not a Result, `why` is the
    /// reason; if the proxy session has refused the request, there is no line.
    using Answered =
        std::function<void(const QByteArray &line, const MessagePeek &peek, const QString &why)>;

    explicit GatewayContext(GatewayOptions theOptions);

    void toClient(QByteArray line);
    void toServer(int server, QByteArray line);
    /// Sends a message of the client, with the members of the server's revision.
    void forward(int server, const QByteArray &line, std::optional<Instant> arrived = {});

    /// Sends a request of the gateway itself.
    void request(int server, QLatin1String method, QByteArrayView params, Answered answered);
    /// Sends a copy of a request of the client for the gateway itself.
    void repeat(int server, const QByteArray &clientRequest, Answered answered);
    // Both return false if the server has no request of the gateway with this id.
    [[nodiscard]] bool answered(int server, const QByteArray &line, const MessagePeek &peek);
    [[nodiscard]] bool refused(int server, const MessageId &id, const QString &why);

    void refuse(const MessageId &id, int code, const QString &text, QByteArrayView data = {});
    void failServer(int server, const QString &why);
    void note(int server, const QString &text);
    void add(GatewayAction action) { m_actions.push_back(std::move(action)); }
    [[nodiscard]] std::vector<GatewayAction> takeActions();

    [[nodiscard]] MessageId newId() { return m_ownIds.next(); }
    [[nodiscard]] bool isOwnId(const MessageId &id) const { return m_ownIds.contains(id); }
    [[nodiscard]] int serverCount() const { return static_cast<int>(servers.size()); }
    [[nodiscard]] GatewayServer &at(int server)
    {
        return servers[static_cast<std::size_t>(server)];
    }
    /// The time in which a server must have completed its handshake, or one more part of its start.
    [[nodiscard]] Duration handshakeTime(int server) const
    {
        return options.handshakeTimes.value(server, GatewayOptions::defaultHandshakeTime);
    }
    [[nodiscard]] bool isModern() const { return revision == McpProtocol::Revision::Modern; }
    [[nodiscard]] bool isLegacy() const { return revision == McpProtocol::Revision::Legacy; }

    const GatewayOptions options;
    Instant now{};
    McpProtocol::Revision revision = McpProtocol::Revision::Unknown;
    bool isOpened = false; ///< the client has opened the session
    bool isClientClosed = false;
    QByteArray clientInfo; ///< the JSON object that identifies the client
    QByteArray logLevel;   ///< JSON text of the level for all servers; empty if not set
    std::vector<GatewayServer> servers;

private:
    struct OwnRequest
    {
        int server = -1;
        Answered answered{};
    };

    void send(int server, const MessageId &id, QByteArray line, Answered answered);
    [[nodiscard]] QByteArray withModernMeta(const QByteArray &line) const;
    [[nodiscard]] Answered take(int server, const MessageId &id);

    QHash<MessageId, OwnRequest> m_requests;
    std::vector<GatewayAction> m_actions;
    OwnIds m_ownIds{options.firstId};
};

} // namespace Rekindle
