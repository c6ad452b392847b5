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

/// One ordered queue of all deadlines (spec 8). TimerScheduler drives it with one precise QTimer;
/// VirtualScheduler is advanced manually.
///
/// A deadline never fires early, even if it is weeks ahead. Deadlines of the same time fire in the
/// order in which they were armed. Use the object from its own thread. A callback must not destroy
/// it.
class REKINDLE_LIFECYCLE_EXPORT Scheduler
{
public:
    virtual ~Scheduler();
    Q_DISABLE_COPY_MOVE(Scheduler)

    /// Returns the clock of the deadlines.
    [[nodiscard]] const Clock &clock() const { return m_clock; }
    [[nodiscard]] Instant now() const { return m_clock.now(); }

    /// Returns the number of armed deadlines.
    [[nodiscard]] std::size_t armedCount() const { return m_heap.size(); }

    /// Returns the time of the next deadline; Instant::max() if none is armed.
    [[nodiscard]] Instant nextDue() const;

protected:
    explicit Scheduler(const Clock &clock);

    /// Calls at most `limit` callbacks that are due at `now`.
    void fireDue(Instant now, std::size_t limit);

    /// nextDue() changed.
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

/// Calls a callback once at a given time. Arming it again moves it; the destructor disarms it. The
/// callback may do both, and may destroy the object that owns the deadline.
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

    /// Returns when the deadline is due; Instant::max() if it is not armed.
    [[nodiscard]] Instant due() const;

private:
    friend class Scheduler;
    static constexpr std::size_t notArmed = static_cast<std::size_t>(-1);

    Scheduler &m_scheduler;
    std::size_t m_index = notArmed;
    Callback m_callback;
};

} // namespace Rekindle
