// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "gatewaycatalog_p.h"
#include "gatewaycontext_p.h"

#include <QHash>

#include <array>

namespace Rekindle {

/// Reads the lists of all servers into the catalog, answers the client's list requests from it, and
/// notifies the client of changes.
class MergedLists
{
public:
    MergedLists(GatewayContext &context, GatewayCatalog &catalog);

    // The client.
    /// Whether a list request still waits for servers.
    [[nodiscard]] bool mustWait(ListKind kind) const;
    /// Whether a server that is starting may still provide an entry of this list.
    [[nodiscard]] bool mayStillCome(ListKind kind) const;
    void answer(ListKind kind, const MessageId &id);
    /// subscriptions/listen of a modern client.
    void listen(const QByteArray &line, const MessagePeek &peek);
    void stopListening(const MessageId &id) { m_listeners.remove(id); }

    // The servers.
    /// Reads all lists that the server offers, after each handshake. The others are empty.
    void readAll(int server);
    /// Whether each list that the server offers was read, or its last request has failed.
    [[nodiscard]] bool areKnown(int server) const;
    /// Called before the requests in flight fail.
    void serverExited(int server);
    /// Each list may be read again: the next process may be fixed.
    void restartRequested(int server);
    /// Returns whether it is a list_changed notification.
    bool notified(int server, const QByteArray &method);

private:
    struct Reading
    {
        ListReader reader{};
        bool isActive = false;
        bool isStale = false; ///< the list changed while it was read
        bool isKnown = false;
        bool isSkipped = false;      ///< a process exited while it was read
        bool isExitExpected = false; ///< a restart was requested while it was read
    };
    using Readings = std::array<Reading, listKindCount>; // of one server

    /// What the client knows of a list.
    struct ClientView
    {
        bool isCurrent = false;  ///< it has listed, and no change was announced since
        bool hasChanged = false; ///< it has not been notified of a change since
    };

    [[nodiscard]] Reading &readingOf(int server, ListKind kind);
    [[nodiscard]] bool isSettled(int server, ListKind kind) const;
    [[nodiscard]] bool isWithinListTime(int server) const;
    [[nodiscard]] bool isStarting(int server, ListKind kind) const;
    [[nodiscard]] ClientView &viewOf(ListKind kind);
    void read(int server, ListKind kind);
    void requestPage(int server, ListKind kind, const QByteArray &cursor);
    void answered(int server, ListKind kind, const QByteArray &line, const MessagePeek &peek,
                  const QString &why);
    void end(int server, ListKind kind);
    void fail(int server, ListKind kind, const QString &why);
    void announce(ListKind kind);

    GatewayContext &m_context;
    GatewayCatalog &m_catalog;
    std::vector<Readings> m_readings; ///< by server
    std::array<ClientView, listKindCount> m_views{};
    QHash<MessageId, QByteArray> m_listeners; ///< what subscriptions/listen requested
};

} // namespace Rekindle
