// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "inflightrequests_p.h"
#include "mcp/jsonrpc/mcplist_p.h"
#include "proxycontext_p.h"

#include <QHash>
#include <QMap>

#include <array>

namespace Rekindle {

/// Records the lists that the client has read, reads them again from every new server, and
/// notifies the client if one differs and the server has not done so itself.
class ListWatch
{
public:
    ListWatch(ProxyContext &context, ServerHistory &history, const InFlightRequests &inFlight);

    // The client.
    /// A modern client describes itself in the `_meta` of every request; the session's own list
    /// requests repeat that.
    void setMeta(ListKind kind, QByteArrayView line, const MessagePeek &peek);
    [[nodiscard]] bool hasToolsMeta() const;
    /// A page that the client requested; no value if the result is not a list.
    void clientRead(ListKind kind, const std::optional<ListPage> &page, bool isFirst);

    // What is known about the lists.
    [[nodiscard]] bool areToolsKnown() const { return of(ListKind::Tools).isComplete; }
    [[nodiscard]] bool hasTool(const QByteArray &name) const;
    /// The tool is annotated read-only or idempotent.
    [[nodiscard]] bool isToolRepeatable(const QByteArray &name) const;

    // The server.
    void serverStarted();
    /// Reads the known lists again after the settle time.
    void scheduleChecks();
    void serverEnded();
    /// Drops the session's own requests.
    void cancel();
    void noteAnnouncement(const QByteArray &method);
    void request(ListKind kind, const QByteArray &cursor = {});
    [[nodiscard]] bool awaits(const MessageId &id) const { return m_requests.contains(id); }
    [[nodiscard]] bool isIdle() const { return m_requests.isEmpty(); }
    /// A response to a request of this class. Returns whether reading the tools has ended.
    [[nodiscard]] bool answered(const QByteArray &line, const MessagePeek &peek);

    [[nodiscard]] std::optional<Instant> deadline() const { return m_checkAt; }
    /// Returns whether reading the tools has ended.
    [[nodiscard]] bool timePassed(bool serverHasTools);

private:
    struct Entry
    {
        QByteArray digest{};       ///< of the whole entry
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

    struct OwnRequest
    {
        ListKind kind = ListKind::Tools;
        bool isFirstPage = true;
    };

    [[nodiscard]] static Entries entriesOf(ListKind kind, const std::vector<ListItem> &items);
    [[nodiscard]] static QStringList missing(const Entries &in, const Entries &of);
    [[nodiscard]] List &of(ListKind kind) { return m_lists[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] const List &of(ListKind kind) const
    {
        return m_lists[static_cast<std::size_t>(kind)];
    }
    void finishCheck(ListKind kind, const Entries &entries);
    void compareTools(const Entries &entries);
    void announce(ListKind kind);

    ProxyContext &m_context;
    ServerHistory &m_history;
    const InFlightRequests &m_inFlight;
    std::array<List, listKindCount> m_lists;
    QHash<MessageId, OwnRequest> m_requests;
    std::optional<Entries> m_toolsBefore; ///< of the server that ended last
    std::optional<Instant> m_checkAt;
};

} // namespace Rekindle
