// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/eventfeed_p.h"

#include "wire/messagewriter_p.h"
#include "json/jsontext.h"

#include <algorithm>

namespace Rekindle {

namespace {

constexpr int eventsPerTurn = 256;
constexpr std::size_t sharedLines = 1024;
constexpr qsizetype enoughOutgoing = qsizetype{128} * 1024;

} // namespace

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

bool EventFeed::fill(ControlSession &session)
{
    const auto found = m_subscriptions.find(&session);
    if (found == m_subscriptions.end())
        return false;
    if (session.outgoing().size() >= enoughOutgoing)
        return true;
    EventSubscription &subscription = *found;
    if (subscription.next < m_ring.first() && !sendGap(session, subscription))
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
    session.notify(makeNotification(
        QLatin1String("events.end"),
        inlineJson({{"cursor", m_ring.cursorAt(subscription.next - 1).toStdString()}})));
    remove(session);
    return false;
}

// Events before the first one of the ring were never stored; they are not lost.
bool EventFeed::sendGap(ControlSession &session, EventSubscription &subscription) const
{
    const quint64 first = m_ring.first();
    if (!m_ring.contains({m_ring.run(), subscription.next - 1})
        && !session.notify(
            makeNotification(QLatin1String("events.gap"),
                             inlineJson({{"from", m_ring.cursorAt(subscription.next).toStdString()},
                                         {"to", m_ring.cursorAt(first - 1).toStdString()},
                                         {"count", first - subscription.next}}))))
        return false;
    subscription.next = first;
    return true;
}

const QByteArray &EventFeed::lineAt(quint64 sequence)
{
    auto &[number, line] = m_lines[sequence % m_lines.size()];
    if (number != sequence) {
        QByteArray params = R"({"cursor":")" + m_ring.cursorAt(sequence).toUtf8() + R"(","event":)";
        appendCloudEvent(params, m_ring.at(sequence), QLatin1String("urn:uuid:") + m_ring.run());
        params += '}';
        line = makeNotification(QLatin1String("event"), params);
        number = sequence;
    }
    return line;
}

} // namespace Rekindle
