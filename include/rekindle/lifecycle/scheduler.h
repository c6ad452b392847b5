// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/clock.h>
#include <rekindle/lifecycle/export.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace Rekindle {

class Deadline;

/// One ordered queue of deadlines. Everything that waits, waits here: TimerScheduler runs the
/// queue behind one precise QTimer, VirtualScheduler is advanced by hand (spec 8).
///
/// A deadline never fires early and survives delays of weeks. Deadlines of the same moment fire
/// in the order in which they were armed. Use a scheduler from the thread it lives in; a callback
/// must not destroy it.
class REKINDLE_LIFECYCLE_EXPORT Scheduler
{
public:
    virtual ~Scheduler();
    Q_DISABLE_COPY_MOVE(Scheduler)

    /// The clock that the deadlines are measured by.
    [[nodiscard]] const Clock &clock() const { return m_clock; }
    [[nodiscard]] Instant now() const { return m_clock.now(); }

    /// How many deadlines are armed.
    [[nodiscard]] std::size_t armedCount() const { return m_heap.size(); }

    /// When the next one is due; Instant::max() if none is armed.
    [[nodiscard]] Instant nextDue() const;

protected:
    explicit Scheduler(const Clock &clock);

    /// Runs what is due at `now`, one after the other, at most `most` of them; true if more is due.
    bool fireDue(Instant now, std::size_t most);

    /// The earliest deadline has changed.
    virtual void nextDueChanged() = 0;

private:
    friend class Deadline;
    struct Entry
    {
        Instant due;
        quint64 order = 0;
        Deadline *deadline = nullptr;
        [[nodiscard]] bool operator<(const Entry &other) const
        {
            return due != other.due ? due < other.due : order < other.order;
        }
    };

    void arm(Deadline &deadline, Instant due);
    void disarm(Deadline &deadline);
    void place(std::size_t index, const Entry &entry);
    void siftUp(std::size_t index, const Entry &entry);
    void siftDown(std::size_t index, const Entry &entry);

    const Clock &m_clock;
    std::vector<Entry> m_heap;
    quint64 m_order = 0;
};

/// One thing that waits for its moment. Arming again moves it, destroying it disarms it; the
/// callback may do both, and may destroy the object that owns the deadline. One shot.
class REKINDLE_LIFECYCLE_EXPORT Deadline
{
public:
    using Callback = std::function<void()>;

    /// The scheduler must outlive the deadline.
    Deadline(Scheduler &scheduler, Callback callback);
    ~Deadline();
    Q_DISABLE_COPY_MOVE(Deadline)

    void arm(Instant due) { m_scheduler.arm(*this, due); }
    void armIn(Duration delay);
    void disarm() { m_scheduler.disarm(*this); }
    [[nodiscard]] bool isArmed() const { return m_index != notArmed; }

    /// When it is due; Instant::max() if it is not armed.
    [[nodiscard]] Instant due() const;

private:
    friend class Scheduler;
    static constexpr std::size_t notArmed = static_cast<std::size_t>(-1);

    Scheduler &m_scheduler;
    std::size_t m_index = notArmed;
    Callback m_callback;
};

} // namespace Rekindle
