// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/eventfeed_p.h"

#include "control/internal/messagejson.h"

#include <algorithm>

namespace Rekindle {

namespace {

constexpr int eventsPerTurn = 256;
constexpr std::size_t sharedLines = 1024;
constexpr qsizetype enoughOutgoing = qsizetype{128} * 1024;

bool sendGapLine(ControlSession &session, const EventCursor &from, const EventCursor &to,
                 quint64 count)
{
    return session.notify("events.gap",
                          objectJson("from", from.text(), "to", to.text(), "count", count));
}

QByteArray eventParamsBegin(const EventCursor &cursor)
{
    return R"({"cursor":")" + cursor.text().toUtf8() + R"(","event":)";
}

} // namespace

const QStringList &EventSubscription::typeNames()
{
    static const QStringList names = eventTypes();
    return names;
}

bool EventSubscription::matches(const EventArchive::Event &event) const
{
    if (!agents.isEmpty() && !agents.contains(event.agent))
        return false;
    const qsizetype type = types.all() ? -1 : typeNames().indexOf(event.type);
    return types.all() || (type >= 0 && types[static_cast<std::size_t>(type)]);
}

void EventFeed::subscribe(ControlSession &session, const EventSubscription &subscription)
{
    if (!m_subscriptions.contains(&session))
        session.addStream();
    m_subscriptions[&session] = subscription;
    m_lines.resize(sharedLines);
}

void EventFeed::remove(ControlSession &session)
{
    if (!m_subscriptions.remove(&session))
        return;
    session.removeStream();
    if (m_subscriptions.isEmpty())
        m_lines = {};
}

bool EventFeed::hasGap(ControlSession &session) const
{
    const auto found = m_subscriptions.find(&session);
    return found != m_subscriptions.end() && m_archive == nullptr && isRemoved(*found)
        && m_ring.begin() < m_ring.first();
}

bool EventFeed::fill(ControlSession &session)
{
    const auto found = m_subscriptions.find(&session);
    if (found == m_subscriptions.end())
        return false;
    if (session.outgoing().size() >= enoughOutgoing)
        return true;
    EventSubscription &subscription = *found;
    if (!subscription.archived && m_archive && isRemoved(subscription)) {
        subscription.archived = std::make_shared<ArchivedEvents>(*m_archive, m_ring);
        subscription.archived->onArrival(m_arrived);
        subscription.archived->begin({m_ring.run(), subscription.next - 1});
    }
    if (subscription.archived) {
        const bool isMore = fillArchived(session, subscription);
        if (subscription.archived)
            return isMore;
    }
    if (isRemoved(subscription) && !sendGap(session, subscription))
        return false;
    const quint64 last = std::min(m_ring.last(), subscription.end);
    for (int left = eventsPerTurn; left > 0 && subscription.next <= last; --left) {
        if (session.outgoing().size() >= enoughOutgoing)
            return true;
        if (subscription.matches(m_ring.at(subscription.next))
            && !session.notify(lineAt(subscription.next)))
            return false;
        ++subscription.next;
    }
    if (subscription.next <= subscription.end)
        return subscription.next <= last;
    session.notify("events.end", objectJson("cursor", m_ring.cursorAt(subscription.next - 1)));
    remove(session);
    return false;
}

bool EventFeed::isRemoved(const EventSubscription &subscription) const
{
    return subscription.next < m_ring.first() && subscription.next <= subscription.end;
}

bool EventFeed::fillArchived(ControlSession &session, EventSubscription &subscription) const
{
    using Kind = ArchivedEvents::Step::Kind;
    ArchivedEvents &archived = *subscription.archived;
    for (int left = eventsPerTurn; left > 0; --left) {
        if (session.outgoing().size() >= enoughOutgoing)
            return true;
        const ArchivedEvents::Step step = archived.next();
        const EventCursor position = archived.position();
        if (step.kind == Kind::Wait)
            return false;
        if (step.kind == Kind::Gap) {
            if (!sendGapLine(session, step.from, position, step.count))
                return false;
            continue;
        }
        const bool isAfterEnd =
            position.run == m_ring.run() && position.sequence > subscription.end;
        if (step.kind == Kind::Ring || isAfterEnd) {
            subscription.next = std::min(position.sequence, subscription.end) + 1;
            subscription.archived.reset();
            return true;
        }
        if (!subscription.matches(*step.event))
            continue;
        const QByteArray params = eventParamsBegin(position) + step.event->json + '}';
        if (!session.notify("event", params))
            return false;
    }
    return true;
}

// Events before the first one of the ring were never stored; they are not lost.
bool EventFeed::sendGap(ControlSession &session, EventSubscription &subscription) const
{
    const quint64 first = m_ring.first();
    const quint64 missing = std::max(subscription.next, m_ring.begin());
    const QString &run = m_ring.run();
    if (missing < first && !sendGapLine(session, {run, missing}, {run, first - 1}, first - missing))
        return false;
    subscription.next = first;
    return true;
}

const QByteArray &EventFeed::lineAt(quint64 sequence)
{
    auto &[number, line] = m_lines[sequence % m_lines.size()];
    if (number != sequence) {
        QByteArray params = eventParamsBegin({m_ring.run(), sequence});
        appendCloudEvent(params, m_ring.at(sequence), QLatin1String("urn:uuid:") + m_ring.run());
        params += '}';
        line = makeNotification(QLatin1String("event"), params);
        number = sequence;
    }
    return line;
}

} // namespace Rekindle
