// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/export.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/timepoint.h>

#include <QObject>
#include <QString>
#include <QUuid>

#include <array>
#include <chrono>
#include <optional>
#include <vector>

namespace Rekindle {

/// The history of one agent: its states, the marks of events that need attention, and the planned
/// start. A value without a clock; reentrant.
///
/// Times have the resolution of UtcTime. If several states have the same time, the one that was
/// added last is used. Entries may be added late; the duration is proportional to the number of
/// newer entries.
class REKINDLE_MODELS_EXPORT TimelineRow
{
    Q_GADGET

public:
    /// What a mark reports; a later one is more severe.
    enum class MarkKind {
        LongHold,      ///< a start was held back for longer than `longHold`
        Failure,       ///< the agent failed
        BreakerOpened, ///< its circuit breaker, or one that it shares, opened
        Exhausted,     ///< the agent was given up
    };
    Q_ENUM(MarkKind)
    static constexpr int markKindCount = 4;
    static constexpr std::chrono::seconds longHold{10};

    /// A state and the time of its beginning, in 8 bytes.
    class Change
    {
    public:
        Change(InstanceState state, UtcTime since)
            : m_bits(since.time_since_epoch().count() * 16 + static_cast<int>(state))
        {
        }
        [[nodiscard]] InstanceState state() const
        {
            return static_cast<InstanceState>(m_bits & 15);
        }
        [[nodiscard]] UtcTime time() const { return UtcTime(UtcTime::duration(m_bits >> 4)); }

    private:
        qint64 m_bits;
    };
    static_assert(instanceStateCount <= 16);

    struct Mark
    {
        UtcTime at{};
        quint64 event = 0; ///< EventHeader::sequence

        [[nodiscard]] UtcTime time() const { return at; }
        bool operator==(const Mark &) const = default;
    };

    /// What is planned. The band is the range of the start with jitter; empty if it is unknown.
    struct Future
    {
        std::optional<UtcTime> start{};
        std::optional<UtcTime> earliestStart{};
        std::optional<UtcTime> latestStart{};
        std::optional<UtcTime> breakerReset{};

        bool operator==(const Future &) const = default;
    };

    explicit TimelineRow(const QUuid &instanceId, QString name = {});

    [[nodiscard]] QUuid instanceId() const { return m_instanceId; }
    [[nodiscard]] QString name() const { return m_name; }

    /// Adds what the event means for the states, marks and plans. With the policy in force, the
    /// plan has the band of the next start.
    void add(const LifecycleEvent &event, const std::optional<RestartPolicy> &policy = {});
    void addState(InstanceState state, UtcTime since);
    void addMark(MarkKind kind, const Mark &mark);
    /// Adds the mark of a hold that is longer than `longHold` at `now`.
    void advance(UtcTime now);

    [[nodiscard]] const Future &future() const { return m_future; }
    void setFuture(const Future &future);

    /// Sorted; each time is later than the one before it. A state lasts until the next change.
    [[nodiscard]] const std::vector<Change> &changes() const { return m_changes; }
    /// Sorted by time; those of the same time in the order in which they were added.
    [[nodiscard]] const std::vector<Mark> &marks(MarkKind kind) const
    {
        return m_marks[static_cast<std::size_t>(kind)];
    }

    /// The number of changes and marks.
    [[nodiscard]] std::size_t size() const;
    /// Changes whenever the row changes.
    [[nodiscard]] quint64 revision() const { return m_revision; }

    /// The number of entries that dropBefore() would drop.
    [[nodiscard]] std::size_t sizeBefore(UtcTime time) const;
    /// Drops the entries before this time, except the change to the state at this time. Entries
    /// that would precede them are ignored from now on.
    void dropBefore(UtcTime time);

private:
    [[nodiscard]] InstanceState stateAt(UtcTime time) const;
    [[nodiscard]] bool isLatest(UtcTime time) const;
    void plan(const RestartScheduled &event, const std::optional<RestartPolicy> &policy);
    void endHold(UtcTime time);

    QUuid m_instanceId;
    QString m_name;
    std::vector<Change> m_changes;
    std::array<std::vector<Mark>, markKindCount> m_marks;
    std::optional<Mark> m_hold; ///< since when a start that is due is held back
    bool m_holdIsMarked = false;
    std::optional<UtcTime> m_droppedBefore;
    Future m_future;
    quint64 m_revision = 0;
};

} // namespace Rekindle
