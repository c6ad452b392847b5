// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/models/timelinepaint.h>

#include <algorithm>

namespace Rekindle {

namespace {

// The first index from `index` on whose time is not earlier. Fast if it is near.
template<typename Entries, typename IsEarlier>
std::size_t gallop(const Entries &entries, std::size_t index, const IsEarlier &isEarlier)
{
    std::size_t step = 1;
    std::size_t end = index;
    while (end < entries.size() && isEarlier(entries[end].time())) {
        index = end + 1;
        end += step;
        step *= 2;
    }
    end = std::min(end, entries.size());
    while (index < end) {
        const std::size_t middle = index + (end - index) / 2;
        if (isEarlier(entries[middle].time()))
            index = middle + 1;
        else
            end = middle;
    }
    return index;
}

// Sums the time of each state. In a tie, the last one in the order of InstanceState is the longest.
class LongestState
{
public:
    void add(std::size_t state, qint64 time)
    {
        const qint64 sum = m_times[state] += time;
        if (sum > m_times[m_longest] || (sum == m_times[m_longest] && state > m_longest))
            m_longest = state;
    }
    [[nodiscard]] InstanceState get() const { return static_cast<InstanceState>(m_longest); }

private:
    TimelineRow::Times m_times{};
    std::size_t m_longest = 0;
};

// A position is a time since the left edge in units of a millisecond divided by the width. In this
// unit, columns have a whole length, and nothing is rounded.
class TimelinePainter
{
public:
    TimelinePainter(TimelinePaint &paint, const TimelinePaint::Frame &frame)
        : m_paint(paint)
        , m_frame(frame)
        , m_end(std::clamp(frame.now, frame.from, frame.to))
        , m_length((frame.to - frame.from).count())
    {
    }

    void paintStates(int index, const TimelineRow &row);
    void paintMarks(int index, const TimelineRow &row);
    void paintFuture(int index, const TimelineRow::Future &future);

private:
    [[nodiscard]] qint64 position(UtcTime time) const
    {
        return (time - m_frame.from).count() * m_frame.width;
    }
    // The column of a visible time.
    [[nodiscard]] int columnOf(UtcTime time) const
    {
        return static_cast<int>(position(time) / m_length);
    }
    // For gallop(); without a division.
    [[nodiscard]] auto isBefore(qint64 end) const
    {
        return [this, end](UtcTime time) { return position(time) < end; };
    }
    void addBar(int row, int left, int right, InstanceState state);

    TimelinePaint &m_paint;
    const TimelinePaint::Frame &m_frame;
    UtcTime m_end;   // of the states
    qint64 m_length; // of a column
};

void TimelinePainter::addBar(int row, int left, int right, InstanceState state)
{
    if (!m_paint.bars.empty()) {
        auto &last = m_paint.bars.back();
        if (last.right == left && last.meaning == state && last.row == row) {
            last.right = right;
            return;
        }
    }
    m_paint.bars.push_back({row, left, right, state});
}

void TimelinePainter::paintStates(int index, const TimelineRow &row)
{
    const std::vector<TimelineRow::Change> &changes = row.changes();
    if (changes.empty() || changes.front().time() >= m_end)
        return;
    // The last change that is not after the left edge, or the first one after it.
    std::size_t current = gallop(changes, 0, isBefore(1));
    current -= current > 0 ? 1 : 0;
    const qint64 end = position(m_end);
    const auto positionOf = [&](std::size_t i) {
        return i < changes.size() ? std::min(position(changes[i].time()), end) : end;
    };
    int column = columnOf(std::max(changes[current].time(), m_frame.from));
    qint64 start = positionOf(current); // of the current state
    qint64 next = positionOf(current + 1);
    for (qint64 left = column * m_length; left < end; left = column * m_length) {
        const qint64 right = std::min(left + m_length, end);
        if (next >= right) { // columns without another change
            const int until = std::max(static_cast<int>(next / m_length), column + 1);
            addBar(index, column, until, changes[current].state());
            column = until;
            if (next == until * m_length && next < end) {
                start = next;
                next = positionOf(++current + 1);
            }
            continue;
        }
        constexpr std::size_t few = 8;
        LongestState longest;
        longest.add(changes[current].index(), next - std::max(start, left));
        start = next;
        ++current;
        if (positionOf(current + few) < right) {
            const std::size_t last = gallop(changes, current + few, isBefore(right)) - 1;
            TimelineRow::Times times{};
            row.addTimes(current, last, times);
            for (std::size_t state = 0; state < times.size(); ++state)
                longest.add(state, times[state] * m_frame.width);
            current = last;
            start = positionOf(current);
        }
        while ((next = positionOf(current + 1)) < right) {
            longest.add(changes[current].index(), next - start);
            start = next;
            ++current;
        }
        longest.add(changes[current].index(), right - start);
        addBar(index, column, column + 1, longest.get());
        ++column;
        if (next == right && next < end) {
            start = next;
            next = positionOf(++current + 1);
        }
    }
}

void TimelinePainter::paintMarks(int index, const TimelineRow &row)
{
    std::array<std::size_t, TimelineRow::markKindCount> nextOf{};
    const auto marksOf = [&](std::size_t kind) -> const std::vector<TimelineRow::Mark> & {
        return row.marks(static_cast<TimelineRow::MarkKind>(kind));
    };
    for (std::size_t kind = 0; kind < nextOf.size(); ++kind)
        nextOf[kind] = gallop(marksOf(kind), 0, isBefore(0));
    for (;;) {
        UtcTime first = m_frame.to;
        for (std::size_t kind = 0; kind < nextOf.size(); ++kind) {
            if (nextOf[kind] < marksOf(kind).size())
                first = std::min(first, marksOf(kind)[nextOf[kind]].at);
        }
        if (first == m_frame.to)
            return;
        TimelinePaint::Mark mark{.row = index, .column = columnOf(first)};
        const auto isOfColumn = isBefore((mark.column + 1) * m_length);
        for (std::size_t kind = 0; kind < nextOf.size(); ++kind) {
            const std::size_t next = gallop(marksOf(kind), nextOf[kind], isOfColumn);
            if (next == nextOf[kind])
                continue;
            mark.count += static_cast<int>(next - nextOf[kind]);
            mark.kind = static_cast<TimelineRow::MarkKind>(kind);
            mark.latest = marksOf(kind)[next - 1];
            nextOf[kind] = next;
        }
        m_paint.marks.push_back(mark);
    }
}

void TimelinePainter::paintFuture(int index, const TimelineRow::Future &future)
{
    using Plan = TimelinePaint::Plan;
    const auto paint = [&](UtcTime first, UtcTime last, Plan plan) {
        first = std::max({first, m_frame.now, m_frame.from});
        last = std::min(last, m_frame.to - UtcTime::duration(1));
        if (first <= last)
            m_paint.futures.push_back({index, columnOf(first), columnOf(last) + 1, plan});
    };
    if (future.breakerReset)
        paint(m_frame.now, *future.breakerReset, Plan::BreakerReset);
    if (future.earliestStart && future.latestStart)
        paint(*future.earliestStart, *future.latestStart, Plan::StartBand);
    if (future.start) // one that is overdue is expected now
        paint(std::max(*future.start, m_frame.now), std::max(*future.start, m_frame.now),
              Plan::Start);
}

} // namespace

void TimelinePaint::paint(const TimelineData &data, const Frame &frame)
{
    bars.clear();
    marks.clear();
    futures.clear();
    if (frame.width <= 0 || frame.to <= frame.from)
        return;
    TimelinePainter painter(*this, frame);
    const int first = std::max(frame.firstRow, 0);
    const int last = first + std::min(data.rowCount() - first, frame.rowCount);
    for (int index = first; index < last; ++index) {
        const TimelineRow &row = data.row(index);
        painter.paintStates(index, row);
        painter.paintMarks(index, row);
        painter.paintFuture(index, row.future());
    }
}

} // namespace Rekindle
