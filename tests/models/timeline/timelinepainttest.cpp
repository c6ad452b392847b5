// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "properties.h"
#include "testprogram.h"
#include "timelinestage.h"

#include <QtTest>

#include <map>
#include <random>
#include <utility>
#include <vector>

using namespace Rekindle;
using namespace std::chrono_literals;
using Frame = TimelinePaint::Frame;
using Kind = TimelineRow::MarkKind;
using State = InstanceState;

namespace {

Frame frameOf(qint64 from, qint64 to, int width, qint64 now)
{
    return {ms(from), ms(to), ms(now), width, 0, 100};
}

// The same in a simple way: sums each column over all changes.
struct NaiveRow
{
    std::map<qint64, State> changes;
    std::vector<std::pair<qint64, Kind>> marks;

    [[nodiscard]] std::optional<State> stateOf(int column, const Frame &frame) const
    {
        const qint64 from = frame.from.time_since_epoch().count();
        const qint64 length = (frame.to - frame.from).count();
        std::map<State, qint64> times;
        for (auto each = changes.begin(); each != changes.end(); ++each) {
            const qint64 now = frame.now.time_since_epoch().count();
            const qint64 end = std::next(each) == changes.end() ? now : std::next(each)->first;
            const qint64 first = std::max((each->first - from) * frame.width, column * length);
            const qint64 last =
                std::min((std::min(end, now) - from) * frame.width, (column + 1) * length);
            if (last > first)
                times[each->second] += last - first;
        }
        std::optional<State> found;
        for (const auto &[state, time] : times) {
            if (!found || time >= times[*found])
                found = state;
        }
        return found;
    }

    [[nodiscard]] QString bars(const Frame &frame) const
    {
        QStringList texts;
        int left = 0;
        for (int column = 1; column <= frame.width; ++column) {
            const std::optional<State> state = stateOf(left, frame);
            if (column < frame.width && stateOf(column, frame) == state)
                continue;
            if (state)
                texts += QStringLiteral("0:%1-%2 %3").arg(left).arg(column).arg(toText(*state));
            left = column;
        }
        return texts.join(QLatin1String(", "));
    }

    // Column, most severe kind and count.
    [[nodiscard]] std::map<int, std::pair<Kind, int>> marksOf(const Frame &frame) const
    {
        std::map<int, std::pair<Kind, int>> found;
        for (const auto &[time, kind] : marks) {
            if (ms(time) < frame.from || ms(time) >= frame.to)
                continue;
            const qint64 position = (ms(time) - frame.from).count() * frame.width;
            auto &mark = found[static_cast<int>(position / (frame.to - frame.from).count())];
            mark.first = std::max(mark.first, kind);
            ++mark.second;
        }
        return found;
    }
};

std::map<int, std::pair<Kind, int>> marksOf(const TimelinePaint &paint)
{
    std::map<int, std::pair<Kind, int>> found;
    for (const TimelinePaint::Mark &each : paint.marks)
        found[each.column] = {each.kind, each.count};
    return found;
}

// A row with random entries, mostly in order, and the same in a simple way.
struct RandomRow
{
    explicit RandomRow(std::uint64_t seed)
        : random(seed)
    {
        const int count = number(0, 3) == 0 ? number(0, 2000) : number(0, 60);
        const int states = number(1, instanceStateCount);
        qint64 time = 0;
        for (int i = 0; i < count; ++i) {
            time += number(0, 3) == 0 ? number(0, 500) : number(0, 5);
            const qint64 late = number(0, 5) == 0 ? number(0, 100) : 0;
            add(time - late, static_cast<State>(number(0, states - 1)), number(0, 20));
        }
        end = time;
    }

    TimelineRow &row() { return rows[0]; }

    int number(int least, int greatest)
    {
        return std::uniform_int_distribution<int>(least, greatest)(random);
    }

    void add(qint64 time, State state, int mark)
    {
        row().addState(state, ms(time));
        naive.changes[time] = state;
        if (mark >= TimelineRow::markKindCount)
            return;
        const auto kind = static_cast<Kind>(mark);
        row().addMark(kind, {ms(time), 0});
        naive.marks.emplace_back(time, kind);
    }

    // At every zoom: also beyond both ends, and with columns that are shorter than a millisecond.
    Frame frame()
    {
        const int length = static_cast<int>(end) + 100;
        const qint64 from = number(-200, length);
        const qint64 span = number(0, 1) == 0 ? number(1, 2 * length) : number(1, 200);
        return frameOf(from, from + span, number(1, 150), from + number(-50, 2 * length));
    }

    std::mt19937_64 random;
    std::vector<TimelineRow> rows = emptyRows(1);
    NaiveRow naive;
    qint64 end = 0;
};

} // namespace

class TimelinePaintTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void paintsStates_data();
    void paintsStates();
    void paintsOnlyVisibleRows();
    void paintsNothingInAnEmptyFrame();
    void combinesMarksOfAColumn();
    void paintsFuture_data();
    void paintsFuture();
    void paintsTheSameAsASimpleLoop();
    void paintsTheSameAfterDropping();
};

void TimelinePaintTest::paintsStates_data()
{
    QTest::addColumn<Frame>("frame");
    QTest::addColumn<QString>("bars");
    const auto row = [](const char *name, const Frame &frame, const char *bars) {
        QTest::newRow(name) << frame << QString::fromLatin1(bars);
    };
    // 0 Starting, 10 Running, 33 Waiting, 37 Starting, 40 Running
    row("whole columns", frameOf(0, 40, 4, 40), "0:0-1 Starting, 0:1-3 Running, 0:3-4 Waiting");
    row("longest state", frameOf(30, 40, 1, 40), "0:0-1 Waiting");
    row("tie: the last state", frameOf(31, 35, 1, 40), "0:0-1 Waiting");
    row("sum of several times", frameOf(29, 43, 1, 43), "0:0-1 Running");
    row("until now", frameOf(0, 80, 8, 44),
        "0:0-1 Starting, 0:1-3 Running, 0:3-4 Waiting, 0:4-5 Running");
    row("now within a column", frameOf(40, 80, 4, 41), "0:0-1 Running");
    row("before the first state", frameOf(-20, 20, 4, 100), "0:2-3 Starting, 0:3-4 Running");
    row("begins within a column", frameOf(-14, 16, 3, 100), "0:1-2 Starting, 0:2-3 Running");
    row("all before it", frameOf(-20, 0, 4, 100), "");
    row("now before it", frameOf(-20, 20, 4, -10), "");
    row("after the last change", frameOf(50, 90, 4, 100), "0:0-4 Running");
    row("shorter than a millisecond", frameOf(9, 11, 10, 100), "0:0-5 Starting, 0:5-10 Running");
    row("one column", frameOf(0, 1000, 1, 1000), "0:0-1 Running");
}

void TimelinePaintTest::paintsStates()
{
    QFETCH(const Frame, frame);
    QFETCH(const QString, bars);
    std::vector<TimelineRow> rows = emptyRows(1);
    rows[0].addState(State::Starting, ms(0));
    rows[0].addState(State::Running, ms(10));
    rows[0].addState(State::Waiting, ms(33));
    rows[0].addState(State::Starting, ms(37));
    rows[0].addState(State::Running, ms(40));
    QCOMPARE(Rekindle::bars(painted(rows, frame)), bars);
}

void TimelinePaintTest::paintsOnlyVisibleRows()
{
    std::vector<TimelineRow> rows = emptyRows(4);
    for (TimelineRow &row : rows)
        row.addState(State::Running, ms(0));
    Frame frame = frameOf(0, 10, 5, 10);
    frame.firstRow = 1;
    frame.rowCount = 2;
    QCOMPARE(bars(painted(rows, frame)), QStringLiteral("1:0-5 Running, 2:0-5 Running"));
    frame.firstRow = 3;
    QCOMPARE(bars(painted(rows, frame)), QStringLiteral("3:0-5 Running"));
    frame.firstRow = 9;
    QCOMPARE(bars(painted(rows, frame)), QString());
}

void TimelinePaintTest::paintsNothingInAnEmptyFrame()
{
    std::vector<TimelineRow> rows = emptyRows(1);
    rows[0].add(at<AgentFailed>(5));
    rows[0].setFuture({.start = ms(7)});
    for (const Frame &frame :
         {frameOf(0, 10, 0, 10), frameOf(5, 5, 10, 10), frameOf(9, 5, 10, 5)}) {
        const TimelinePaint paint = painted(rows, frame);
        QVERIFY(paint.bars.empty() && paint.marks.empty() && paint.futures.empty());
    }
}

void TimelinePaintTest::combinesMarksOfAColumn()
{
    std::vector<TimelineRow> rows = emptyRows(1);
    for (const qint64 time : {5, 12, 14, 19, 20, 39, 40})
        rows[0].addMark(Kind::Failure, {ms(time), static_cast<quint64>(time)});
    rows[0].addMark(Kind::Exhausted, {ms(13), 13});
    rows[0].addMark(Kind::LongHold, {ms(18), 18});
    rows[0].addMark(Kind::LongHold, {ms(35), 35});
    QCOMPARE(marks(painted(rows, frameOf(0, 40, 4, 0))),
             QStringLiteral("0:0 Failure x1 #5, 0:1 Exhausted x5 #13, 0:2 Failure x1 #20, "
                            "0:3 Failure x2 #39"));
    QCOMPARE(marks(painted(rows, frameOf(13, 53, 1, 0))), QStringLiteral("0:0 Exhausted x8 #13"));
}

void TimelinePaintTest::paintsFuture_data()
{
    QTest::addColumn<TimelineRow::Future>("future");
    QTest::addColumn<QString>("futures");
    const auto row = [](const char *name, const TimelineRow::Future &future, const char *futures) {
        QTest::newRow(name) << future << QString::fromLatin1(futures);
    };
    // From 100 to 200, now 150, 10 columns
    row("nothing", {}, "");
    row("start", {.start = ms(175)}, "0:7-8 Start");
    row("band", {.start = ms(175), .earliestStart = ms(160), .latestStart = ms(189)},
        "0:6-9 StartBand, 0:7-8 Start");
    row("band from the past", {.earliestStart = ms(120), .latestStart = ms(169)},
        "0:5-7 StartBand");
    row("band beyond the edge", {.earliestStart = ms(180), .latestStart = ms(300)},
        "0:8-10 StartBand");
    row("overdue", {.start = ms(110), .earliestStart = ms(105), .latestStart = ms(112)},
        "0:5-6 Start");
    row("breaker", {.start = ms(180), .breakerReset = ms(180)}, "0:5-9 BreakerReset, 0:8-9 Start");
    row("later", {.start = ms(200), .breakerReset = ms(900)}, "0:5-10 BreakerReset");
}

void TimelinePaintTest::paintsFuture()
{
    QFETCH(const TimelineRow::Future, future);
    QFETCH(const QString, futures);
    std::vector<TimelineRow> rows = emptyRows(1);
    rows[0].setFuture(future);
    QCOMPARE(Rekindle::futures(painted(rows, frameOf(100, 200, 10, 150))), futures);
}

void TimelinePaintTest::paintsTheSameAsASimpleLoop()
{
    verifyProperty("paint", 2000, [] {
        RandomRow row(*rc::gen::arbitrary<std::uint64_t>());
        for (int i = 0; i < 5; ++i) {
            const Frame frame = row.frame();
            const TimelinePaint paint = painted(row.rows, frame);
            RC_ASSERT(bars(paint).toStdString() == row.naive.bars(frame).toStdString());
            RC_ASSERT(marksOf(paint) == row.naive.marksOf(frame));
        }
    });
}

void TimelinePaintTest::paintsTheSameAfterDropping()
{
    verifyProperty("drop", 500, [] {
        RandomRow row(*rc::gen::arbitrary<std::uint64_t>());
        const qint64 first = row.number(0, static_cast<int>(row.end) + 10);
        row.row().dropBefore(ms(first));
        for (int i = 0; i < 20; ++i) { // also late ones after the dropped ones
            const auto state = static_cast<State>(row.number(0, instanceStateCount - 1));
            row.add(first + row.number(0, 300), state, row.number(0, 20));
        }
        Frame frame = row.frame();
        frame.from = ms(first + row.number(0, 100));
        frame.to = std::max(frame.to, frame.from + 1ms);
        const TimelinePaint paint = painted(row.rows, frame);
        RC_ASSERT(bars(paint).toStdString() == row.naive.bars(frame).toStdString());
        RC_ASSERT(marksOf(paint) == row.naive.marksOf(frame));
    });
}

REKINDLE_TEST(TimelinePaintTest)

#include "timelinepainttest.moc"
