// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "gatewaytasks_p.h"
#include "gatewaytools_p.h"
#include "mcp/proxy/proxyrefusal_p.h"
#include "mcp/proxy/requestqueue_p.h"
#include "mergedlists_p.h"

#include <QHash>

namespace Rekindle {

/// Answers the client's list requests and routes its other requests to the server that has the
/// tool, prompt, resource or task. Requests wait until the servers have started or failed.
class GatewayRouter
{
public:
    GatewayRouter(GatewayContext &context, GatewayCatalog &catalog, MergedLists &lists,
                  GatewayTools &tools, GatewayTasks &tasks);

    /// Whether the request may need a server that is not connected: a list, or the use of an entry
    /// that no list contains.
    [[nodiscard]] bool needsMoreServers(const QByteArray &line, const MessagePeek &peek);
    /// Returns false if the request concerns neither a list nor an entry nor a task.
    [[nodiscard]] bool handle(const QByteArray &line, const MessagePeek &peek, Instant arrived);
    /// Handles waiting requests again.
    void resume();
    [[nodiscard]] bool isWaiting() const { return !m_waiting.isEmpty(); }
    /// When the first waiting request is refused.
    [[nodiscard]] std::optional<Instant> nextDeadline() const { return m_waiting.nextHeldUntil(); }
    void cancel(const QByteArray &line, const MessageId &id);
    void clientClosed();

    void answered(int server, const QByteArray &line, const MessagePeek &peek);
    void refused(int server, ProxyRefusal refusal);
    /// Returns whether a request in flight at the server requests log messages of this level.
    [[nodiscard]] bool requestsMessage(int server, const QByteArray &line,
                                       const MessagePeek &peek) const;

private:
    struct Routed
    {
        int server = -1;
        QByteArray method{};
        std::optional<std::size_t> severity{}; ///< of the log messages that it requests
    };

    void hold(const QByteArray &line, const MessagePeek &peek, Instant arrived, Instant until);
    void route(ListKind kind, const QByteArray &line, const MessagePeek &peek, Instant arrived);
    void holdForServers(ListKind kind, const QByteArray &line, const MessagePeek &peek,
                        Instant arrived);
    void routeToTask(const QByteArray &line, const MessagePeek &peek);
    void send(int server, const QByteArray &line, const MessagePeek &peek, Instant arrived);
    void refuseUnknown(ListKind kind, const QByteArray &name, const MessagePeek &peek);
    [[nodiscard]] QString missingServers(ListKind kind) const;
    [[nodiscard]] int unavailableCode() const;

    GatewayContext &m_context;
    GatewayCatalog &m_catalog;
    MergedLists &m_lists;
    GatewayTools &m_tools;
    GatewayTasks &m_tasks;
    QHash<MessageId, Routed> m_routed;   // by the client's id
    QHash<QByteArray, int> m_subscribed; // servers by URI
    RequestQueue m_waiting;
    quint64 m_lastOrder = 0; ///< of m_waiting
};

} // namespace Rekindle
