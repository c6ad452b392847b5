// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/calls/controlrequest_p.h"
#include "control/calls/eventfeed_p.h"

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
    /// `host` must outlive it. `changed` is called when a session has output to be written.
    EventCalls(ControlCalls &host, std::function<void()> changed)
        : m_host(host)
        , m_changed(std::move(changed))
    {
    }

    /// Null: there is none. It must outlive this object.
    void setArchive(EventArchive *archive);

    [[nodiscard]] ControlReply subscribe(ControlRequest &request);

    /// Ends a request without a response; without an id, all requests of the client.
    void cancel(const ControlConnection &client, const MessageId *id = nullptr);

private:
    struct Request
    {
        ControlConnection *client = nullptr;
        MessageId id{};
        QString from{};
        EventSubscription subscription{};
        bool hasSnapshot = false;
    };

    [[nodiscard]] std::optional<ControlError> faultIn(QStringList agents) const;
    /// The number of the first event after `from`, which is "now", "recent", "oldest" or a cursor,
    /// or the cursor of a position in the archive; with an empty run for the oldest one.
    [[nodiscard]] std::variant<quint64, EventCursor, ControlError>
    positionOf(const QString &from) const;
    [[nodiscard]] ControlResponse begin(const Request &request, const EventCursor &cursor);
    void respond(const ControlConnection *client, const ArchivedEvents *archived);
    [[nodiscard]] ControlResponse responseTo(Request &request);

    ControlCalls &m_host;
    const std::function<void()> m_changed;
    /// With events of the archive. At most one of each client.
    QHash<const ControlConnection *, Request> m_pending;
};

} // namespace Rekindle
