// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/eventcalls_p.h"

#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"
#include "json/jsonwriter.h"

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
    return {ErrorCode::cursorGone,
            fault.isEmpty() ? text.arg(from, oldest) : text.arg(from, oldest, fault),
            inlineJson({{"oldest", oldest.toStdString()}})};
}

} // namespace

struct EventCalls::Params
{
    QString from;
    EventSubscription subscription;
    bool hasSnapshot = false;
    bool endsNow = false;
};

EventCalls::Params EventCalls::read(const JsonPlace &object)
{
    const QStringList &typeNames = EventSubscription::typeNames();
    Params params;
    EventSubscription &subscription = params.subscription;
    JsonObjectReader reader(object);
    if (const auto from = reader.required(QStringLiteral("from")))
        params.from = from->textNotEmpty().value_or(QString());
    if (const auto types = reader.member(QStringLiteral("types"))) {
        subscription.types.reset();
        for (const JsonPlace &each : types->items().value_or(std::vector<JsonPlace>())) {
            if (const auto name = each.oneOf(typeNames))
                subscription.types.set(static_cast<std::size_t>(typeNames.indexOf(*name)));
        }
    }
    if (const auto agents = reader.member(QStringLiteral("agents"))) {
        for (const JsonPlace &each : agents->items().value_or(std::vector<JsonPlace>()))
            subscription.agents.append(each.textNotEmpty().value_or(QString()));
    }
    if (const auto until = reader.member(QStringLiteral("until")))
        params.endsNow = until->oneOf({QStringLiteral("now")}).has_value();
    reader.read(QStringLiteral("snapshot"), params.hasSnapshot);
    reader.finish();
    return params;
}

void EventCalls::setArchive(EventArchive *archive)
{
    m_archive = archive;
    m_feed.setArchive(archive, m_changed);
}

std::optional<ControlResponse> EventCalls::subscribe(ControlConnection &client, const MessageId &id,
                                                     const QByteArray &params)
{
    const Parsed<Params> read = readParsed(parseJson(params), &EventCalls::read);
    if (!read)
        return invalidParams(read.faults);
    EventSubscription subscription = read.value->subscription;
    if (const auto error = faultIn(subscription.agents))
        return error;
    subscription.agents.removeDuplicates(); // of agents that were removed
    const auto position = positionOf(read.value->from);
    if (const auto *error = std::get_if<ControlError>(&position))
        return *error;
    if (m_pending.contains(&client)) {
        client.session().refuse(m_pending.take(&client).id,
                                {ErrorCode::requestCancelled,
                                 QStringLiteral("replaced by another events.subscribe"),
                                 {}});
    }
    m_ring.observe();
    if (read.value->endsNow)
        subscription.end = m_ring.last();
    if (const auto *next = std::get_if<quint64>(&position)) {
        subscription.next = *next;
        return begin(client.session(), {m_ring.run(), *next - 1}, subscription,
                     read.value->hasSnapshot);
    }
    // The object does not outlive this one or the client.
    const auto archived = std::make_shared<ArchivedEvents>(*m_archive, m_ring);
    archived->onArrival([this, connection = &client, self = archived.get()] {
        respond(connection, self);
        m_changed();
    });
    subscription.archived = archived;
    m_pending.insert(&client,
                     {&client, id, subscription, read.value->from, read.value->hasSnapshot});
    archived->begin(std::get<EventCursor>(position));
    return {};
}

// Agents that were removed can be selected while their events are in memory.
std::optional<ControlError> EventCalls::faultIn(QStringList agents) const
{
    const auto isUnknown = [this](const QString &name) { return m_supervisor.idOf(name).isNull(); };
    if (std::any_of(agents.cbegin(), agents.cend(), isUnknown)) {
        agents.removeIf([&isUnknown, removed = m_ring.agents()](const QString &name) {
            return isUnknown(name) && removed.contains(name);
        });
    }
    const auto ids = m_agents.idsOf(agents);
    const auto *error = std::get_if<ControlError>(&ids);
    return error ? std::optional(*error) : std::nullopt;
}

void EventCalls::cancel(const ControlConnection &client, const MessageId &id)
{
    const auto found = m_pending.constFind(&client);
    if (found != m_pending.constEnd() && found->id == id)
        m_pending.erase(found);
}

ControlResponse EventCalls::begin(ControlSession &session, const EventCursor &cursor,
                                  const EventSubscription &subscription, bool hasSnapshot)
{
    QByteArray result;
    JsonWriter json(result);
    json.beginObject();
    json.member(QLatin1String("cursor"), cursor.text());
    if (hasSnapshot) {
        json.key(QLatin1String("snapshot"));
        m_agents.writeSnapshots(json, m_supervisor.ids());
    }
    json.endObject();
    m_feed.subscribe(session, subscription);
    return result;
}

// Pages after the first one arrive for the subscription.
void EventCalls::respond(const ControlConnection *client, const ArchivedEvents *archived)
{
    const auto found = m_pending.find(client);
    if (found == m_pending.end() || found->subscription.archived.get() != archived)
        return;
    Pending pending = *found;
    m_pending.erase(found);
    pending.client->session().answer(pending.id, responseTo(pending));
}

ControlResponse EventCalls::responseTo(Pending &pending)
{
    EventSubscription &subscription = pending.subscription;
    const EventArchive::Page &page = subscription.archived->page();
    const bool isFromOldest = pending.from == QLatin1String("oldest");
    ControlSession &session = pending.client->session();
    if (page.error.isEmpty() && !page.isGone)
        return begin(session, subscription.archived->position(), subscription, pending.hasSnapshot);
    if (isFromOldest) {
        subscription.archived.reset();
        subscription.next = m_ring.first();
        return begin(session, {m_ring.run(), m_ring.first() - 1}, subscription,
                     pending.hasSnapshot);
    }
    const EventCursor oldest = page.events.empty()
        ? EventCursor{m_ring.run(), m_ring.first() - 1}
        : EventCursor{page.events.front().run, page.events.front().previous()};
    return cursorGone(pending.from, oldest.text(), page.error);
}

std::variant<quint64, EventCursor, ControlError> EventCalls::positionOf(const QString &from) const
{
    if (from == QLatin1String("now"))
        return m_ring.last() + 1;
    if (from == QLatin1String("recent") || (from == QLatin1String("oldest") && !m_archive))
        return m_ring.first();
    if (from == QLatin1String("oldest"))
        return EventCursor{};
    const std::optional<EventCursor> cursor = EventCursor::of(from);
    const bool isFuture = cursor && cursor->run == m_ring.run() && cursor->sequence > m_ring.last();
    if (!cursor || isFuture) {
        return invalidParams({Fault{
            .path = QStringLiteral("/from"),
            .message = QStringLiteral("expected \"now\", \"recent\", \"oldest\" or a cursor up "
                                      "to %1, found \"%2\"")
                           .arg(m_ring.cursor(), from)}});
    }
    // With an archive, also the events before the first one of the ring can be read.
    if (m_ring.contains(*cursor) && (!m_archive || cursor->sequence + 1 >= m_ring.first()))
        return cursor->sequence + 1;
    if (m_archive)
        return *cursor;
    return cursorGone(from, m_ring.oldestCursor());
}

} // namespace Rekindle
