// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/calls/eventfeed_p.h"
#include "control/calls/statuscalls_p.h"
#include "control/session/controlconnection_p.h"

#include <QHash>

#include <functional>
#include <memory>
#include <optional>

namespace Rekindle {

/// Carries out the request events.subscribe. If it begins with events of the archive, the response
/// follows when their first page has arrived.
class EventCalls
{
public:
    /// The arguments must outlive it. `changed` is called when a session has output to be written.
    EventCalls(const AgentSupervisor &supervisor, const StatusCalls &agents, EventRing &ring,
               EventFeed &feed, std::function<void()> changed)
        : m_supervisor(supervisor)
        , m_agents(agents)
        , m_ring(ring)
        , m_feed(feed)
        , m_changed(std::move(changed))
    {
    }

    /// Null: there is none. It must outlive this object.
    void setArchive(EventArchive *archive);

    /// Returns nothing if the response follows later.
    [[nodiscard]] std::optional<ControlResponse> subscribe(ControlRequest &request);

    /// Ends a request without a response.
    void cancel(const ControlConnection &client, const MessageId &id);
    /// The same for all requests of a client.
    void cancelAll(const ControlConnection &client) { m_pending.remove(&client); }

private:
    struct Params
    {
        QString from{};
        EventSubscription subscription{};
        bool hasSnapshot = false;
    };
    struct Pending
    {
        ControlConnection *client = nullptr;
        MessageId id;
        Params params; ///< with `archived`
    };

    [[nodiscard]] std::optional<ControlError> faultIn(QStringList agents) const;
    /// The number of the first event after `from`, which is "now", "recent", "oldest" or a cursor,
    /// or the cursor of a position in the archive; with an empty run for the oldest one.
    [[nodiscard]] std::variant<quint64, EventCursor, ControlError>
    positionOf(const QString &from) const;
    [[nodiscard]] ControlResponse begin(ControlSession &session, const EventCursor &cursor,
                                        const Params &params);
    void respond(const ControlConnection *client, const ArchivedEvents *archived);
    [[nodiscard]] ControlResponse responseTo(Pending &pending);

    const AgentSupervisor &m_supervisor;
    const StatusCalls &m_agents;
    EventRing &m_ring;
    EventFeed &m_feed;
    const std::function<void()> m_changed;
    EventArchive *m_archive = nullptr;
    QHash<const ControlConnection *, Pending> m_pending; ///< at most one of each client
};

} // namespace Rekindle
