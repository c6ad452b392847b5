// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/archivedevents_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

void ArchivedEvents::begin(const EventCursor &after)
{
    m_position = after;
    read({.run = after.run, .sequence = after.sequence});
}

// The client may disconnect before the page arrives.
void ArchivedEvents::read(const EventArchive::Position &position)
{
    m_isReading = true;
    m_lastAtReading = m_ring.last();
    m_archive.read(position, [weak = weak_from_this()](EventArchive::Page page) {
        if (const auto self = weak.lock())
            self->receive(std::move(page));
    });
}

void ArchivedEvents::receive(EventArchive::Page page)
{
    m_isReading = false;
    m_page = std::move(page);
    m_index = 0;
    m_removed += m_page.removed;
    if (!m_page.error.isEmpty() || m_page.isGone) { // what is missing is reported as a gap
        m_page.isLast = true;
        m_page.isComplete = false;
        m_index = m_page.events.size();
    }
    if (m_position.run.isEmpty()) {
        m_position = m_page.events.empty()
            ? EventCursor{m_ring.run(), m_ring.first() - 1}
            : EventCursor{m_page.events.front().run, m_page.events.front().previous()};
    }
    m_arrived();
}

ArchivedEvents::Step ArchivedEvents::next()
{
    using Kind = Step::Kind;
    for (;;) {
        if (m_isReading)
            return {Kind::Wait};
        if (isInRing(m_position.run, m_position.sequence + 1))
            return {Kind::Ring};
        std::optional<Step> step;
        if (m_index < m_page.events.size())
            step = stepTo(m_page.events[m_index]);
        else if (m_page.isLast)
            step = stepAtEnd();
        else
            read({.next = m_page.next});
        if (step)
            return *step;
    }
}

std::optional<ArchivedEvents::Step> ArchivedEvents::stepTo(const EventArchive::Event &event)
{
    const EventCursor before{event.run, event.previous()};
    if (event.run != m_position.run) {
        if (m_missingUpTo > m_position.sequence)
            return gapTo({m_position.run, m_missingUpTo}, m_missingUpTo - m_position.sequence);
        if (m_removed > 0)
            return gapTo(before, m_removed);
        m_position = before;
        m_missingUpTo = 0;
        return {};
    }
    if (std::exchange(m_removed, 0) > 0)
        m_missingUpTo = std::max(m_missingUpTo, before.sequence);
    if (event.missing > 0 || event.sequence <= m_position.sequence) {
        if (event.missing > 0)
            m_missingUpTo = std::max(m_missingUpTo, event.sequence);
        ++m_index;
        return {};
    }
    // The numbers of lines of agents are missing too: these events are in the ring only.
    const bool isInRing = this->isInRing(event.run, event.sequence);
    const quint64 last = isInRing ? m_ring.first() - 1 : before.sequence;
    if (m_missingUpTo > m_position.sequence && last > m_position.sequence)
        return gapTo({event.run, last}, last - m_position.sequence);
    if (isInRing) {
        m_position.sequence = last;
        return {};
    }
    m_position.sequence = event.sequence;
    ++m_index;
    return Step{Step::Kind::Event, &event};
}

std::optional<ArchivedEvents::Step> ArchivedEvents::stepAtEnd()
{
    const bool isComplete = m_page.isComplete && m_removed == 0;
    if (isComplete && m_ring.first() > m_lastAtReading + 1) {
        read({.next = m_page.next}); // the ring has removed further events in the meantime
        return {};
    }
    if (m_position.run != m_ring.run()) {
        if (m_missingUpTo > m_position.sequence)
            return gapTo({m_position.run, m_missingUpTo}, m_missingUpTo - m_position.sequence);
        m_position = {m_ring.run(), 0};
        m_missingUpTo = 0;
    }
    m_removed = 0;
    const quint64 last = m_ring.first() - 1;
    if (last > m_position.sequence && (!isComplete || m_missingUpTo > m_position.sequence))
        return gapTo({m_ring.run(), last}, last - m_position.sequence);
    m_position.sequence = std::max(m_position.sequence, last);
    return Step{Step::Kind::Ring};
}

ArchivedEvents::Step ArchivedEvents::gapTo(const EventCursor &last, quint64 count)
{
    const EventCursor from{m_position.run, m_position.sequence + 1};
    m_position = last;
    m_missingUpTo = 0;
    m_removed = 0;
    return {Step::Kind::Gap, nullptr, from, count};
}

} // namespace Rekindle
