// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

#include <functional>
#include <vector>

namespace Rekindle {

/// Reads the events that a ControlServer does not have in memory, for events.subscribe: older
/// events, and those of earlier runs of the host. Set it with ControlServer::setArchive().
class EventArchive
{
public:
    /// An event, or a gap that stands for events that were not stored.
    struct Event
    {
        QString run{};        ///< RestartPolicyEvaluator::run() of the host that emitted it
        quint64 sequence = 0; ///< of the event, or of the last one in the gap
        quint64 missing = 0;  ///< events in the gap; 0: this is an event
        QString type{};       ///< eventType()
        QString agent{};
        QByteArray json{}; ///< one line of CloudEvents JSON

        /// The sequence number before the event or the gap.
        [[nodiscard]] quint64 previous() const { return sequence - (missing > 0 ? missing : 1); }
    };

    /// Where a page begins.
    struct Position
    {
        QString run{};        ///< empty: with the oldest event
        quint64 sequence = 0; ///< after this event of the run
        qint64 next = 0;      ///< Page::next of the page before, instead of `run` and `sequence`
    };

    /// Some events in order, without the lines of agents (AgentOutput).
    struct Page
    {
        std::vector<Event> events{};
        qint64 next = 0;
        bool isLast = false; ///< the archive has no further events
        /// Of the last page: it has all events that were emitted before read() was called.
        bool isComplete = false;
        bool isGone = false; ///< the position is not stored; `events` begins with the oldest one
        quint64 removed = 0; ///< events between the page before and this one that were removed
        QString error{};     ///< why the archive cannot be read; empty if it can
    };

    using Done = std::function<void(Page page)>;

    EventArchive() = default;
    Q_DISABLE_COPY_MOVE(EventArchive)
    virtual ~EventArchive() = default;

    /// Reads a page of bounded size and calls `done` from the event loop of this thread, but not
    /// after the archive was destroyed. Must not block.
    virtual void read(const Position &position, Done done) = 0;

    /// Returns the number of rows that the archive has dropped since the host started.
    [[nodiscard]] virtual quint64 droppedRows() const { return 0; }

    /// Returns why the archive cannot be written now; empty if it can.
    [[nodiscard]] virtual QString writeFailure() const { return {}; }
};

} // namespace Rekindle
