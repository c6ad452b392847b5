// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "gatewaycatalog_p.h"
#include "gatewaycontext_p.h"

#include <QHash>

#include <limits>

namespace Rekindle {

/// Reads the lists of all servers into the catalog, answers the client's list requests from it, and
/// notifies the client of changes.
class MergedLists
{
public:
    MergedLists(GatewayContext &context, GatewayCatalog &catalog);

    // The client.
    /// Whether a list request still waits for servers; only for those before `end` in the file.
    [[nodiscard]] bool mustWait(ListKind kind, int end = std::numeric_limits<int>::max()) const;
    /// Whether this server, which is starting, may still provide an entry of the list.
    [[nodiscard]] bool mayStillCome(int server, ListKind kind) const;
    /// Whether the list of the server was read, or cannot be read.
    [[nodiscard]] bool isKnown(int server, ListKind kind) const;
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
    /// Requests lists again that could not be read. A server whose tools cannot be read fails.
    void timePassed();
    [[nodiscard]] std::optional<Instant> nextDeadline() const;
    /// Returns whether it is a list_changed notification.
    bool notified(int server, const QByteArray &method);

private:
    struct Reading
    {
        ListReader reader{};
        bool isActive = false;
        bool isStale = false; ///< the list changed while it was read
        bool isKnown = false;
        bool isCurrent = false;            ///< it was read from the running process
        int failures = 0;                  ///< of its requests since it was read
        std::optional<Instant> retryAt{};  ///< after a failure
        std::optional<Instant> giveUpAt{}; ///< when it must have been read
        bool isSkipped = false;            ///< a process exited while it was read
        bool isExitExpected = false;       ///< a restart was requested while it was read
    };
    using Readings = ByListKind<Reading>; // of one server

    /// What the client knows of a list.
    struct ClientView
    {
        bool isCurrent = false;  ///< it has listed, and no change was announced since
        bool hasChanged = false; ///< it has not been notified of a change since
    };

    [[nodiscard]] Reading &readingOf(int server, ListKind kind);
    [[nodiscard]] bool isSettled(int server, ListKind kind) const;
    void read(int server, ListKind kind);
    void requestPage(int server, ListKind kind, const QByteArray &cursor);
    void answered(int server, ListKind kind, const QByteArray &line, const MessagePeek &peek,
                  const QString &why);
    void end(int server, ListKind kind);
    void fail(int server, ListKind kind, const QString &why);
    void giveUp(int server, ListKind kind, const QString &why);
    void announce(ListKind kind);

    GatewayContext &m_context;
    GatewayCatalog &m_catalog;
    std::vector<Readings> m_readings; ///< by server
    ByListKind<ClientView> m_views;
    QHash<MessageId, QByteArray> m_listeners; ///< what subscriptions/listen requested
};

} // namespace Rekindle
