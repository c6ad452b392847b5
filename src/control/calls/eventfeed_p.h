// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/calls/archivedevents_p.h"
#include "control/rings/eventring_p.h"
#include "control/session/controlsession_p.h"

#include <QHash>
#include <QStringList>

#include <bitset>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace Rekindle {

/// What a client receives.
struct EventSubscription
{
    static constexpr std::size_t typeCount = std::variant_size_v<LifecycleEvent>;

    quint64 next = 1;                                  ///< the number of the event to be sent next
    quint64 end = std::numeric_limits<quint64>::max(); ///< the number of the last event
    std::bitset<typeCount> types = std::bitset<typeCount>().set();
    QStringList agents{};                       ///< names; empty: all
    std::shared_ptr<ArchivedEvents> archived{}; ///< the events before `next`; null: none

    /// The types in the order of LifecycleEvent.
    [[nodiscard]] static const QStringList &typeNames();

    [[nodiscard]] bool matches(const LifecycleEvent &event) const
    {
        return types[event.index()] && (agents.isEmpty() || agents.contains(header(event).agent));
    }
    [[nodiscard]] bool matches(const EventArchive::Event &event) const;
};

/// Sends the events of a ring to the sessions that have subscribed. Each subscription has a
/// position in the ring, and its session receives the next events only when it has read the ones
/// before. A session that reads nothing therefore needs little memory. If the ring has removed
/// events after its position, it receives them from the archive, or one gap notification in their
/// place.
class EventFeed
{
public:
    /// `ring` must outlive it.
    explicit EventFeed(const EventRing &ring)
        : m_ring(ring)
    {
    }

    /// Sets where removed events are read; null: nowhere. `arrived` is called when more events can
    /// be sent.
    void setArchive(EventArchive *archive, std::function<void()> arrived)
    {
        m_archive = archive;
        m_arrived = std::move(arrived);
    }

    /// Replaces an earlier subscription of the session.
    void subscribe(ControlSession &session, const EventSubscription &subscription);
    void remove(ControlSession &session);
    [[nodiscard]] bool isEmpty() const { return m_subscriptions.isEmpty(); }

    /// Whether the session has missed events and is to receive a gap next.
    [[nodiscard]] bool hasGap(ControlSession &session) const;

    /// Adds some of the events that are due to the output of the session, unless it has enough
    /// output. Returns whether more events are due.
    bool fill(ControlSession &session);

private:
    /// Returns whether more events are due. When the ring has the rest, `archived` is null.
    [[nodiscard]] bool fillArchived(ControlSession &session, EventSubscription &subscription) const;
    [[nodiscard]] bool isRemoved(const EventSubscription &subscription) const;
    bool sendGap(ControlSession &session, EventSubscription &subscription) const;
    /// The notification of an event. Sessions at similar positions share its bytes.
    [[nodiscard]] const QByteArray &lineAt(quint64 sequence);

    const EventRing &m_ring;
    EventArchive *m_archive = nullptr;
    std::function<void()> m_arrived;
    QHash<ControlSession *, EventSubscription> m_subscriptions;
    std::vector<std::pair<quint64, QByteArray>> m_lines; ///< by number; empty without subscriptions
};

} // namespace Rekindle
