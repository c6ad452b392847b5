// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/models/timelinepaint.h>

#include <algorithm>

namespace Rekindle {

namespace {

// Sums the time of each state. In a tie, the last one in the order of InstanceState is the longest.
class LongestState
{
public:
    void add(InstanceState state, qint64 time)
    {
        const auto index = static_cast<std::size_t>(state);
        const qint64 sum = m_times[index] += time;
        if (sum > m_times[m_longest] || (sum == m_times[m_longest] && index > m_longest))
            m_longest = index;
    }
    [[nodiscard]] InstanceState get() const { return static_cast<InstanceState>(m_longest); }

private:
    std::array<qint64, instanceStateCount> m_times{};
    std::size_t m_longest = 0;
};

} // namespace

void TimelinePaint::paint(const std::vector<TimelineRow> &rows, const Frame &frame)
{
    bars.clear();
    marks.clear();
    futures.clear();
    if (frame.width <= 0 || frame.to <= frame.from)
        return;
    m_frame = frame;
    m_length = (frame.to - frame.from).count();
    const int first = std::max(frame.firstRow, 0);
    const int last = first + std::min(static_cast<int>(rows.size()) - first, frame.rowCount);
    for (int index = first; index < last; ++index) {
        const TimelineRow &row = rows[static_cast<std::size_t>(index)];
        paintStates(index, row);
        paintMarks(index, row);
        paintFuture(index, row.future());
    }
}

// A time since the left edge in units of a millisecond divided by the width. In this unit, columns
// have a whole length, and nothing is rounded.
qint64 TimelinePaint::position(UtcTime time) const
{
    return (time - m_frame.from).count() * m_frame.width;
}

// Of a visible time.
int TimelinePaint::columnOf(UtcTime time) const
{
    return static_cast<int>(position(time) / m_length);
}

void TimelinePaint::addBar(int row, int left, int right, InstanceState state)
{
    if (left >= right)
        return;
    if (!bars.empty()) {
        auto &last = bars.back();
        if (last.right == left && last.meaning == state && last.row == row) {
            last.right = right;
            return;
        }
    }
    bars.push_back({row, left, right, state});
}

void TimelinePaint::paintStates(int index, const TimelineRow &row)
{
    const std::vector<TimelineRow::Change> &changes = row.changes();
    const qint64 end = position(std::clamp(m_frame.now, m_frame.from, m_frame.to));
    auto each = std::partition_point(changes.begin(), changes.end(), [this](const auto &change) {
        return change.time() <= m_frame.from;
    });
    each -= each == changes.begin() ? 0 : 1;
    int column = 0;
    bool isEmpty = true;  // the column
    LongestState longest; // of the column
    for (qint64 next = 0; each != changes.end() && next < end;) {
        const qint64 start = std::max(position(each->time()), qint64{0});
        const InstanceState state = each->state();
        next = ++each == changes.end() ? end : std::min(position(each->time()), end);
        if (start >= next)
            continue;
        if (isEmpty)
            column = static_cast<int>(start / m_length);
        isEmpty = false;
        const qint64 right = (column + 1) * m_length;
        longest.add(state, std::min(next, right) - start);
        if (next < right)
            continue;
        addBar(index, column, column + 1, longest.get());
        longest = {};
        const int until = next < right + m_length ? column + 1 : static_cast<int>(next / m_length);
        addBar(index, column + 1, until, state); // the columns without another change
        column = until;
        isEmpty = next == column * m_length;
        if (!isEmpty)
            longest.add(state, next - column * m_length);
    }
    if (!isEmpty)
        addBar(index, column, column + 1, longest.get());
}

void TimelinePaint::paintMarks(int index, const TimelineRow &row)
{
    using Iterator = std::vector<TimelineRow::Mark>::const_iterator;
    std::array<std::pair<Iterator, Iterator>, TimelineRow::markKindCount> rests; // of each kind
    for (std::size_t kind = 0; kind < rests.size(); ++kind) {
        const auto &all = row.marks(static_cast<TimelineRow::MarkKind>(kind));
        rests[kind] = {
            std::partition_point(all.begin(), all.end(),
                                 [this](const auto &mark) { return mark.at < m_frame.from; }),
            all.end()};
    }
    for (;;) {
        UtcTime first = m_frame.to;
        for (const auto &[next, end] : rests) {
            if (next != end)
                first = std::min(first, next->at);
        }
        if (first == m_frame.to)
            return;
        Mark mark{.row = index, .column = columnOf(first)};
        const qint64 right = (mark.column + 1) * m_length;
        for (std::size_t kind = 0; kind < rests.size(); ++kind) {
            auto &[next, end] = rests[kind];
            for (; next != end && position(next->at) < right; ++next) {
                mark.latest = *next;
                mark.kind = static_cast<TimelineRow::MarkKind>(kind);
                ++mark.count;
            }
        }
        marks.push_back(mark);
    }
}

void TimelinePaint::paintFuture(int index, const TimelineRow::Future &future)
{
    const auto paint = [&](UtcTime first, UtcTime last, Plan plan) {
        first = std::max({first, m_frame.now, m_frame.from});
        last = std::min(last, m_frame.to - UtcTime::duration(1));
        if (first <= last)
            futures.push_back({index, columnOf(first), columnOf(last) + 1, plan});
    };
    if (future.breakerReset)
        paint(m_frame.now, *future.breakerReset, Plan::BreakerReset);
    if (future.earliestStart && future.latestStart)
        paint(*future.earliestStart, *future.latestStart, Plan::StartBand);
    if (future.start) // one that is overdue is expected now
        paint(*future.start, std::max(*future.start, m_frame.now), Plan::Start);
}

} // namespace Rekindle
