// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "gatewayaction_p.h"
#include "mcp/jsonrpc/mcplist_p.h"
#include "mcp/jsonrpc/protocolrevision_p.h"

#include <array>
#include <optional>
#include <vector>

namespace Rekindle {

/// A server of a gateway session.
struct GatewayServer
{
    enum class Phase {
        Away,        ///< no handshake was sent, or it failed
        Handshaking, ///< initialize was sent, or is held by the proxy session
        Open,        ///< it has answered initialize; its proxy session restores that when needed
    };

    QString name{};
    Phase phase = Phase::Away;
    bool isRunning = false;
    bool isInitialized = false; ///< notifications/initialized was sent
    std::optional<Instant> handshakeAt{};
    QString why{}; ///< why the last handshake failed
    std::optional<Instant> deadline{};
    std::array<bool, listKindCount> offers{};
    bool hasLogging = false;
};

/// What the parts of a gateway session share: options, time, servers and the actions.
class GatewayContext
{
public:
    explicit GatewayContext(GatewayOptions theOptions);

    void toClient(QByteArray line);
    void toServer(int server, QByteArray line);
    /// Sends a request of the gateway itself and returns its id.
    MessageId request(int server, QLatin1String method, QByteArrayView params = {});
    /// Sends a copy of a request of the client for the gateway itself and returns its id.
    MessageId repeat(int server, const QByteArray &clientRequest);
    void refuse(const MessageId &id, int code, const QString &text, QByteArrayView data = {});
    void failServer(int server, const QString &why);
    void note(int server, const QString &text);
    void add(GatewayAction action) { m_actions.push_back(std::move(action)); }
    [[nodiscard]] std::vector<GatewayAction> takeActions();

    [[nodiscard]] MessageId newId();
    [[nodiscard]] int serverCount() const { return static_cast<int>(servers.size()); }
    [[nodiscard]] GatewayServer &at(int server)
    {
        return servers[static_cast<std::size_t>(server)];
    }
    [[nodiscard]] bool isModern() const { return revision == ProtocolRevision::Modern; }
    [[nodiscard]] bool isLegacy() const { return revision == ProtocolRevision::Legacy; }

    const GatewayOptions options;
    Instant now{};
    ProtocolRevision revision = ProtocolRevision::Unknown;
    bool isOpened = false; ///< the client has opened the session
    bool isClientClosed = false;
    std::vector<GatewayServer> servers;

private:
    void addRequest(int server, QByteArray line);

    std::vector<GatewayAction> m_actions;
    quint64 m_ownIds = 0;
};

/// A JSON string.
[[nodiscard]] QByteArray jsonText(const QString &text);

} // namespace Rekindle
