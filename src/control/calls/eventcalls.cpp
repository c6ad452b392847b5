// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/eventcalls_p.h"

#include "control/calls/controlcalls_p.h"
#include "control/internal/messagejson.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

ControlError cursorGone(const QString &from, const QString &oldest, const QString &fault = {})
{
    const QString text = fault.isEmpty()
        ? QStringLiteral("the events after the cursor %1 are not stored anymore; the oldest cursor "
                         "is %2")
        : QStringLiteral("the events after the cursor %1 cannot be read: %3; the oldest cursor is "
                         "%2");
    return {ControlError::Code::CursorGone,
            fault.isEmpty() ? text.arg(from, oldest) : text.arg(from, oldest, fault),
            objectJson("oldest", oldest)};
}

} // namespace

void EventCalls::setArchive(EventArchive *archive)
{
    m_host.archive = archive;
    m_host.feed.setArchive(archive, m_changed);
}

ControlReply EventCalls::subscribe(ControlRequest &request)
{
    JsonObjectReader &reader = request.params;
    ControlConnection *const client = request.client.get();
    Request asked{.client = client, .id = request.id, .from = request.text(QStringLiteral("from"))};
    EventSubscription &subscription = asked.subscription;
    const QStringList &known = EventSubscription::typeNames();
    if (reader.member(QStringLiteral("types")))
        subscription.types.reset(); // an empty list selects no event
    for (const JsonPlace &each : reader.items(QStringLiteral("types"))) {
        if (const auto name = each.oneOf(known))
            subscription.types.set(static_cast<std::size_t>(known.indexOf(*name)));
    }
    subscription.agents = request.texts(QStringLiteral("agents"));
    const auto until = reader.member(QStringLiteral("until"));
    const bool endsNow = until && until->oneOf({QStringLiteral("now")});
    reader.read(QStringLiteral("snapshot"), asked.hasSnapshot);
    if (const auto fault = request.fault())
        return *fault;
    if (const auto error = faultIn(subscription.agents))
        return error;
    subscription.agents.removeDuplicates(); // of agents that were removed
    const auto position = positionOf(asked.from);
    if (const auto *error = std::get_if<ControlError>(&position))
        return *error;
    if (m_pending.contains(client)) {
        client->session().answer(
            m_pending.take(client).id,
            ControlError{ControlError::Code::RequestCancelled,
                         QStringLiteral("replaced by another events.subscribe")});
    }
    m_host.events.observe();
    if (endsNow)
        subscription.end = m_host.events.last();
    if (const auto *next = std::get_if<quint64>(&position)) {
        subscription.next = *next;
        return begin(asked, {m_host.events.run(), *next - 1});
    }
    // The object does not outlive this one or the client.
    const auto archived = std::make_shared<ArchivedEvents>(*m_host.archive, m_host.events);
    archived->onArrival([this, client, self = archived.get()] {
        respond(client, self);
        m_changed();
    });
    subscription.archived = archived;
    m_pending.insert(client, asked);
    archived->begin(std::get<EventCursor>(position));
    return {};
}

// Agents that were removed can be selected while their events are in memory.
std::optional<ControlError> EventCalls::faultIn(QStringList agents) const
{
    const auto isUnknown = [this](const QString &name) {
        return m_host.supervisor.idOf(name).isNull();
    };
    if (std::any_of(agents.cbegin(), agents.cend(), isUnknown)) {
        agents.removeIf([&isUnknown, removed = m_host.events.agents()](const QString &name) {
            return isUnknown(name) && removed.contains(name);
        });
    }
    return m_host.faultIn(agents);
}

void EventCalls::cancel(const ControlConnection &client, const MessageId *id)
{
    const auto found = m_pending.constFind(&client);
    if (found != m_pending.constEnd() && (id == nullptr || found->id == *id))
        m_pending.erase(found);
}

ControlResponse EventCalls::begin(const Request &request, const EventCursor &cursor)
{
    std::optional<QList<AgentStatus>> snapshot;
    if (request.hasSnapshot)
        snapshot = m_host.statusOf(m_host.supervisor.ids());
    m_host.feed.subscribe(request.client->session(), request.subscription);
    return objectJson("cursor", cursor.text(), "snapshot", FieldWriter::optional(snapshot));
}

// Pages after the first one arrive for the subscription.
void EventCalls::respond(const ControlConnection *client, const ArchivedEvents *archived)
{
    const auto found = m_pending.find(client);
    if (found == m_pending.end() || found->subscription.archived.get() != archived)
        return;
    Request request = *found;
    m_pending.erase(found);
    request.client->session().answer(request.id, responseTo(request));
}

ControlResponse EventCalls::responseTo(Request &request)
{
    EventSubscription &subscription = request.subscription;
    const EventArchive::Page &page = subscription.archived->page();
    if (page.error.isEmpty() && !page.isGone)
        return begin(request, subscription.archived->position());
    const EventRing &ring = m_host.events;
    if (request.from == QLatin1String("oldest")) {
        subscription.archived.reset();
        subscription.next = ring.first();
        return begin(request, {ring.run(), ring.first() - 1});
    }
    const EventCursor oldest = page.events.empty()
        ? EventCursor{ring.run(), ring.first() - 1}
        : EventCursor{page.events.front().run, page.events.front().previous()};
    return cursorGone(request.from, oldest.text(), page.error);
}

std::variant<quint64, EventCursor, ControlError> EventCalls::positionOf(const QString &from) const
{
    if (from == QLatin1String("now"))
        return m_host.events.last() + 1;
    if (from == QLatin1String("recent") || (from == QLatin1String("oldest") && !m_host.archive))
        return m_host.events.first();
    if (from == QLatin1String("oldest"))
        return EventCursor{};
    const std::optional<EventCursor> cursor = EventCursor::of(from);
    const bool isFuture =
        cursor && cursor->run == m_host.events.run() && cursor->sequence > m_host.events.last();
    if (!cursor || isFuture) {
        return invalidParams({Fault{
            .path = QStringLiteral("/from"),
            .message = QStringLiteral("expected \"now\", \"recent\", \"oldest\" or a cursor up "
                                      "to %1, found \"%2\"")
                           .arg(m_host.events.cursor(), from)}});
    }
    // With an archive, also the events before the first one of the ring can be read.
    if (m_host.events.contains(*cursor)
        && (!m_host.archive || cursor->sequence + 1 >= m_host.events.first()))
        return cursor->sequence + 1;
    if (m_host.archive)
        return *cursor;
    return cursorGone(from, m_host.events.oldestCursor());
}

} // namespace Rekindle
