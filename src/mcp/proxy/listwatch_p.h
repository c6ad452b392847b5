// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "handshakereplay_p.h"
#include "inflightrequests_p.h"
#include "mcp/jsonrpc/mcplist_p.h"

#include <QHash>
#include <QMap>

namespace Rekindle {

/// Records the lists that the client has read, reads them again from every new server, and
/// notifies the client if one differs and the server has not done so itself.
///
/// Reads the tools if the client does not: a call may only be retried if its tool permits it, and
/// an injected tool must not hide a tool of the server.
class ListWatch
{
public:
    ListWatch(ProxyContext &context, ServerHistory &history, const InFlightRequests &inFlight,
              const HandshakeReplay &handshake);

    // The client.
    /// A modern client describes itself in the `_meta` of every request; the session's own list
    /// requests repeat that.
    void setMeta(ListKind kind, QByteArrayView line, const MessagePeek &peek);
    [[nodiscard]] bool hasToolsMeta() const { return !m_lists[ListKind::Tools].meta.isEmpty(); }
    /// A page that the client requested; no value if the result is not a list.
    void clientRead(ListKind kind, const std::optional<ListPage> &page, bool isFirst);

    // What is known about the lists.
    /// The server has tools that are unknown and will be read.
    [[nodiscard]] bool areToolsExpected() const;
    [[nodiscard]] bool hasTool(const QByteArray &name) const;
    /// The tool is annotated read-only or idempotent.
    [[nodiscard]] bool isToolRepeatable(const QByteArray &name) const;

    // The server.
    void serverStarted();
    /// Reads the known lists again after the settle time.
    void scheduleChecks();
    void serverExited();
    /// Drops the session's own requests.
    void cancel();
    void noteAnnouncement(const QByteArray &method);
    /// Reads the tools after the settle time, unless the client does so before.
    void readToolsLater();
    void readTools();
    /// The tools of this server are known or will not be read.
    void finishToolsReading();
    [[nodiscard]] bool awaits(const MessageId &id) const { return m_requests.contains(id); }
    [[nodiscard]] bool isIdle() const { return m_requests.isEmpty(); }
    /// A response to a request of this class. Returns whether reading the tools has ended.
    [[nodiscard]] bool answered(const QByteArray &line, const MessagePeek &peek);

    [[nodiscard]] std::optional<Instant> deadline() const { return earlier(m_checkAt, m_toolsAt); }
    /// Returns whether reading the tools has ended.
    [[nodiscard]] bool timePassed();

private:
    struct Entry
    {
        std::size_t digest = 0;    ///< of the whole entry
        bool isRepeatable = false; ///< of a tool: annotated read-only or idempotent

        bool operator==(const Entry &) const = default;
    };
    using Entries = QMap<QByteArray, Entry>; // by name or URI

    struct List
    {
        Entries entries{}; ///< that the client knows
        bool isComplete = false;
        Entries reading{}; ///< the pages that the client has read so far
        QByteArray meta{};
        ListReader check{};       ///< the session's own reading
        bool isAnnounced = false; ///< the running server has sent list_changed
    };

    [[nodiscard]] static Entries entriesOf(ListKind kind, const std::vector<ListItem> &items);
    [[nodiscard]] static QStringList missing(const Entries &in, const Entries &of);
    [[nodiscard]] bool canReadTools() const;
    void request(ListKind kind, const QByteArray &cursor = {});
    void finishCheck(ListKind kind, const Entries &entries);
    void compareTools();
    void announce(ListKind kind);

    ProxyContext &m_context;
    ServerHistory &m_history;
    const InFlightRequests &m_inFlight;
    const HandshakeReplay &m_handshake;
    ByListKind<List> m_lists;
    QHash<MessageId, ListKind> m_requests;
    std::optional<Entries> m_toolsBefore; ///< of the server that ended last
    std::optional<Instant> m_checkAt;     ///< when the known lists are read again
    std::optional<Instant> m_toolsAt;     ///< when unknown tools are read
    bool m_areToolsRequested = false;     ///< from this server
    bool m_isToolsReadingDone = false;    ///< for this server
};

} // namespace Rekindle
