// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "gatewaycatalog_p.h"
#include "gatewaycontext_p.h"

#include <deque>
#include <initializer_list>
#include <map>

namespace Rekindle {

/// Records which server has created a task of revision 2025-11-25, and merges the lists of tasks.
/// A task keeps its id for the client unless another server has a task with this id. The proxy
/// session of the server answers for tasks of a process that has exited.
class GatewayTasks
{
public:
    GatewayTasks(GatewayContext &context, const GatewayCatalog &catalog);

    // The client.
    /// Reads the lists of all ready servers and answers with them. Servers that have not responded
    /// within the list time are left out.
    void list(const MessageId &id);
    void cancelList(const MessageId &id);
    /// The server of a task, and its id there.
    [[nodiscard]] std::optional<UniqueNames::Owner> ownerOf(const QByteArray &id) const
    {
        return m_ids.ownerOf(id);
    }

    // The servers. Each returns the message with the ids of tasks that the client uses.
    /// The result of a request with this method.
    [[nodiscard]] QByteArray result(int server, const QByteArray &method, const QByteArray &line,
                                    const MessagePeek &peek);
    /// A request or notification.
    [[nodiscard]] QByteArray message(int server, const QByteArray &line, const MessagePeek &peek);

    void timePassed();
    [[nodiscard]] std::optional<Instant> nextDeadline() const;

private:
    /// A tasks/list of the client.
    struct Listing
    {
        MessageId id{};
        Instant deadline{};
        std::map<int, ListReader> readers{}; ///< by server
        int awaited = 0;                     ///< servers
    };

    void requestPage(quint64 listing, int server, const QByteArray &cursor);
    void pageAnswered(quint64 listing, int server, const QByteArray &line, const MessagePeek &peek,
                      const QString &why);
    void answer(quint64 listing);
    [[nodiscard]] QByteArray clientId(int server, const QByteArray &id);
    [[nodiscard]] QByteArray withClientIds(int server, const QByteArray &line,
                                           std::initializer_list<JsonSpan> tasks);
    [[nodiscard]] JsonSpan relatedTask(const QByteArray &line, JsonSpan object) const;

    GatewayContext &m_context;
    const GatewayCatalog &m_catalog;
    UniqueNames m_ids;                           ///< of tasks
    std::vector<std::deque<QByteArray>> m_order; ///< ids by server; the oldest is removed first
    bool m_isAnyRenamed = false;
    std::map<quint64, Listing> m_listings; ///< that are not answered, by their number
    quint64 m_lastListing = 0;
};

} // namespace Rekindle
