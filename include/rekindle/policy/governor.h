// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>
#include <rekindle/policy/timepoint.h>

#include <QHash>
#include <QUuid>

#include <array>
#include <deque>
#include <optional>

namespace Rekindle {

/// The limits of a Governor.
struct GovernorLimits
{
    /// The largest number of agents that are launched and not yet ready; 1 to 10000.
    int maxStarting = 8;

    /// The average number of starts in `period`; 1 to 10000.
    int rate = 50;
    Duration period = std::chrono::seconds(1); ///< 1 s, 1 min or 1 h

    /// The largest number of starts at once after a pause; 1 to 10000.
    int burst = 50;

    bool operator==(const GovernorLimits &) const = default;
};

/// Reads "50/s", "30/m" or "10/h" into `rate` and `period`. Returns false if the text is malformed
/// or the number is not in 1 to 10000.
[[nodiscard]] REKINDLE_POLICY_EXPORT bool setRate(GovernorLimits &limits, QStringView text);
/// The text that setRate() reads.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString rateText(const GovernorLimits &limits);

/// Why an agent is started, for a Governor.
enum class GovernedStart {
    Automatic, ///< needs a slot and a token
    Requested, ///< the agent requested its restart: needs a slot, but no token
    Operator,  ///< never waits; occupies a slot, and takes a token if one is left
};

/// Limits how many agents start at the same time and how fast. A value without clock, timer and
/// lock: the caller passes the time, which must not decrease.
///
/// A start needs a slot and a token. A slot is occupied from the launch until the agent is ready,
/// has failed or has stopped. Tokens arrive at the rate of the limits, up to `burst`. A start
/// without a slot or a token is queued. The queue is ordered by priority, then due time, then order
/// of addition. Each 10 s in the queue count like one more level of priority, so that no start
/// starves.
///
/// An operation takes constant time on average, or O(log n) of the queued starts. Two cases move up
/// to half of the queued starts of one priority: to remove one from the middle of the queue, and to
/// insert one that was due earlier than others. Reentrant; not thread-safe.
class REKINDLE_POLICY_EXPORT Governor
{
public:
    static constexpr int lowestPriority = 0;
    static constexpr int highestPriority = 9;
    /// The time in the queue that counts like one more level of priority.
    static constexpr Duration agingTime = std::chrono::seconds(10);

    explicit Governor(const GovernorLimits &limits = {});

    [[nodiscard]] const GovernorLimits &limits() const { return m_limits; }
    /// Changes the limits. Occupied slots and queued starts remain. A larger burst adds no tokens,
    /// unless none was ever taken; a smaller one limits them.
    void setLimits(const GovernorLimits &limits, Instant now);

    /// Requests a start. Returns whether the agent may be launched now; its slot is then occupied.
    /// Otherwise the start is queued, unless it is queued already. `dueAt` is when it was due. If
    /// the agent has a slot from an earlier start, the slot is freed first; if it has a grant of
    /// next(), the grant is used.
    bool admit(const QUuid &id, GovernedStart start, int priority, Instant dueAt, Instant now);

    /// Grants the next queued start: removes it from the queue and occupies its slot. Call admit()
    /// to use the grant, or cancel() to return it. Returns nothing if no start can be granted.
    std::optional<QUuid> next(Instant now);

    /// Returns when next() grants a start if no slot is freed before: after `now`, when a token
    /// arrives. Returns nothing if that is never the case.
    [[nodiscard]] std::optional<Instant> nextAt(Instant now) const;

    /// Frees the slot of a launched agent, because it is ready, has failed or has stopped. Returns
    /// whether it had one.
    bool release(const QUuid &id);

    /// Removes a start from the queue, or returns its grant, including the token. Returns whether
    /// there was one.
    bool cancel(const QUuid &id);

    /// Moves a queued start to another priority; the start keeps its due time.
    void setPriority(const QUuid &id, int priority);

    /// The place in the queue, from 1; 0 if the agent is not queued.
    [[nodiscard]] qsizetype place(const QUuid &id) const;
    [[nodiscard]] bool isQueued(const QUuid &id) const;
    [[nodiscard]] bool isGranted(const QUuid &id) const;

    [[nodiscard]] qsizetype queuedCount() const { return m_queued; }
    /// The number of occupied slots, including granted starts. It exceeds `maxStarting` only by
    /// starts of operators, or after the limit was reduced.
    [[nodiscard]] qsizetype startingCount() const { return m_agents.size() - m_queued; }
    /// The largest queuedCount() so far.
    [[nodiscard]] qsizetype longestQueue() const { return m_longest; }

private:
    struct Key
    {
        Instant dueAt{};
        quint64 order = 0;
        bool operator<(const Key &other) const
        {
            return dueAt != other.dueAt ? dueAt < other.dueAt : order < other.order;
        }
    };
    struct Entry
    {
        Key key{};
        QUuid id;
    };
    using Queue = std::deque<Entry>; // in the order of the keys
    struct Agent
    {
        enum class Phase { Queued, Granted, Launched };
        Phase phase = Phase::Queued;
        bool needsToken = true;
        bool hasToken = false;
        int priority = 0;
        Key key{};
    };
    /// A start needs a token or not, and has a priority.
    static constexpr std::size_t queueCount = 2 * (std::size_t{highestPriority} + 1);

    [[nodiscard]] static std::size_t queueOf(const Agent &agent);
    [[nodiscard]] static int priorityOf(std::size_t queue);
    /// The due time minus the age that a priority is worth: the smallest one is served first.
    [[nodiscard]] static Instant rankOf(const Key &key, int priority);
    [[nodiscard]] static bool precedes(const Key &a, int priorityA, const Key &b, int priorityB);
    [[nodiscard]] Duration interval() const;
    [[nodiscard]] Instant tokenAt() const;
    void takeToken(Instant now);
    [[nodiscard]] std::optional<std::size_t> nextQueue(Instant now) const;
    [[nodiscard]] std::optional<std::size_t> firstQueue(bool withTokens) const;
    void grant(Agent &agent, Instant now);
    void enqueue(const QUuid &id, const Agent &agent);
    void dequeue(const Agent &agent);

    GovernorLimits m_limits;
    std::array<Queue, queueCount> m_queues;
    QHash<QUuid, Agent> m_agents;      // queued, granted or launched
    Instant m_fullAt = Instant::min(); // when all tokens will have arrived
    qsizetype m_queued = 0;
    qsizetype m_longest = 0;
    quint64 m_order = 0;
};

} // namespace Rekindle
