// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "control/rings/eventring_p.h"

#include <rekindle/control/eventarchive.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace Rekindle {

/// The events of a subscription that are in an archive, page by page, until the ring has the rest.
class ArchivedEvents : public std::enable_shared_from_this<ArchivedEvents>
{
public:
    /// The arguments must outlive it.
    ArchivedEvents(EventArchive &archive, const EventRing &ring)
        : m_archive(archive)
        , m_ring(ring)
    {
    }

    /// Sets what is called when a page has arrived.
    void onArrival(std::function<void()> arrived) { m_arrived = std::move(arrived); }

    /// Begins after this cursor, or with the oldest event if its run is empty. Call it once.
    void begin(const EventCursor &after);

    /// The page that has arrived last.
    [[nodiscard]] const EventArchive::Page &page() const { return m_page; }

    /// The cursor after the last step.
    [[nodiscard]] const EventCursor &position() const { return m_position; }

    struct Step
    {
        enum class Kind {
            Event,
            Gap,  ///< events from `from` to position() are missing
            Wait, ///< until a page arrives
            Ring, ///< the ring has all events after position()
        };
        Kind kind{};
        const EventArchive::Event *event = nullptr; ///< valid until the next step
        EventCursor from{};
        quint64 count = 0;
    };
    [[nodiscard]] Step next();

private:
    void read(const EventArchive::Position &position);
    void receive(EventArchive::Page page);
    [[nodiscard]] std::optional<Step> stepTo(const EventArchive::Event &event);
    [[nodiscard]] std::optional<Step> stepAtEnd();
    [[nodiscard]] Step gapTo(const EventCursor &last, quint64 count);
    [[nodiscard]] bool isInRing(const QString &run, quint64 sequence) const
    {
        return run == m_ring.run() && m_ring.has(sequence);
    }

    EventArchive &m_archive;
    const EventRing &m_ring;
    std::function<void()> m_arrived;
    EventArchive::Page m_page;
    std::size_t m_index = 0; ///< of the next event in the page
    EventCursor m_position;
    quint64 m_missingUpTo = 0;   ///< the last event of a gap in the run of the position
    quint64 m_removed = 0;       ///< EventArchive::Page::removed, until it is reported
    quint64 m_lastAtReading = 0; ///< the newest event when the page was requested
    bool m_isReading = false;
};

} // namespace Rekindle
