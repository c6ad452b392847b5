// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "properties.h"
#include "testprogram.h"

#include <rekindle/lifecycle/virtualscheduler.h>

#include <map>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

using namespace Rekindle;
using namespace std::chrono_literals;

static_assert(!std::is_copy_constructible_v<Deadline> && !std::is_move_constructible_v<Deadline>);
static_assert(!std::is_copy_constructible_v<Scheduler> && std::is_abstract_v<Scheduler>);

class SchedulerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void behavesLikeSortedList();
    void sameTimeFiresInOrderOfArming();
    void armingAgainMovesToEnd();
    void firesOnce();
    void callbackMayDestroyItsDeadline();
    void callbackMayDestroyItsOwner();
    void callbackMayArmAndDisarmOthers();
    void firesDeadlinesArmedWithinSpan();
    void supportsDelaysOfWeeks();
    void maximumTimeNeverFires();
    void advancesToMaximumTime();
    void callbackMayAdvance();
    void firesPastDeadlinesAtOnce();

private:
    std::optional<VirtualClock> m_clock;
    std::optional<VirtualScheduler> m_scheduler;
};

namespace {

// Compares the heap with a std::multimap, which keeps the order of equal keys.
class Model
{
public:
    void step()
    {
        const auto which = static_cast<std::size_t>(*rc::gen::inRange(0, count));
        switch (*rc::gen::inRange(0, 5)) {
        case 0:
        case 1:
            arm(which, m_clock.now() + std::chrono::seconds(*rc::gen::inRange(0, 20)));
            break;
        case 2:
            disarm(which);
            break;
        case 3:
            advance(std::chrono::seconds(*rc::gen::inRange(0, 6)));
            break;
        default:
            destroy(which);
        }
        compare();
    }

private:
    static constexpr int count = 24;

    void arm(std::size_t which, Instant due)
    {
        forget(which);
        m_sorted.emplace(due, which);
        auto &deadline = m_deadlines[which];
        if (!deadline)
            deadline.emplace(m_scheduler, [this, which] { m_fired.push_back(which); });
        deadline->arm(due);
    }
    void disarm(std::size_t which)
    {
        forget(which);
        if (m_deadlines[which])
            m_deadlines[which]->disarm();
    }
    void destroy(std::size_t which)
    {
        forget(which);
        m_deadlines[which].reset();
    }
    void advance(Duration span)
    {
        std::vector<std::size_t> expected;
        const auto end = m_sorted.upper_bound(m_clock.now() + span);
        for (auto it = m_sorted.begin(); it != end; ++it)
            expected.push_back(it->second);
        m_sorted.erase(m_sorted.begin(), end);
        m_fired.clear();
        const int ran = m_scheduler.advance(span);
        RC_ASSERT(m_fired == expected);
        RC_ASSERT(ran == static_cast<int>(expected.size()));
    }
    void forget(std::size_t which)
    {
        std::erase_if(m_sorted, [which](const auto &entry) { return entry.second == which; });
    }
    void compare() const
    {
        RC_ASSERT(m_scheduler.armedCount() == m_sorted.size());
        RC_ASSERT(m_scheduler.nextDue()
                  == (m_sorted.empty() ? Instant::max() : m_sorted.begin()->first));
        for (const auto &[due, which] : m_sorted)
            RC_ASSERT(m_deadlines[which]->due() == due);
    }

    VirtualClock m_clock;
    VirtualScheduler m_scheduler{m_clock};
    std::array<std::optional<Deadline>, count> m_deadlines;
    std::multimap<Instant, std::size_t> m_sorted;
    std::vector<std::size_t> m_fired;
};

} // namespace

void SchedulerTest::init()
{
    m_scheduler.reset();
    m_clock.emplace();
    m_scheduler.emplace(*m_clock);
}

void SchedulerTest::behavesLikeSortedList()
{
    verifyProperty("a heap of deadlines is a sorted list", 300, [] {
        Model model;
        for (int i = *rc::gen::resize(100, rc::gen::inRange(1, 200)); i > 0; --i)
            model.step();
    });
}

void SchedulerTest::sameTimeFiresInOrderOfArming()
{
    std::vector<int> fired;
    std::vector<std::unique_ptr<Deadline>> deadlines;
    for (int i = 0; i < 1000; ++i) {
        deadlines.push_back(
            std::make_unique<Deadline>(*m_scheduler, [&fired, i] { fired.push_back(i); }));
        deadlines.back()->armIn(1s);
    }
    QCOMPARE(m_scheduler->advance(1s), 1000);
    QVERIFY(std::is_sorted(fired.begin(), fired.end()));
}

void SchedulerTest::armingAgainMovesToEnd()
{
    QString fired;
    Deadline a(*m_scheduler, [&] { fired += u'a'; });
    Deadline b(*m_scheduler, [&] { fired += u'b'; });
    a.armIn(1s);
    b.armIn(1s);
    a.armIn(1s);
    m_scheduler->advance(1s);
    QCOMPARE(fired, QStringLiteral("ba"));
}

void SchedulerTest::firesOnce()
{
    int fired = 0;
    Deadline deadline(*m_scheduler, [&] { ++fired; });
    deadline.armIn(1s);
    QVERIFY(deadline.isArmed());
    QCOMPARE(m_scheduler->advance(999'999'999ns), 0);
    QCOMPARE(m_scheduler->advance(1ns), 1);
    QVERIFY(!deadline.isArmed());
    QCOMPARE(deadline.due(), Instant::max());
    QCOMPARE(m_scheduler->advance(1h), 0);
    QCOMPARE(fired, 1);
}

void SchedulerTest::callbackMayDestroyItsDeadline()
{
    std::unique_ptr<Deadline> deadline;
    const std::vector<int> captured{1, 2, 3};
    std::size_t seen = 0;
    deadline = std::make_unique<Deadline>(*m_scheduler, [&deadline, &seen, captured] {
        deadline.reset();
        seen = captured.size(); // what was captured is still there
    });
    deadline->armIn(1s);
    QCOMPARE(m_scheduler->advance(1s), 1);
    QCOMPARE(seen, std::size_t{3});
    QCOMPARE(m_scheduler->armedCount(), std::size_t{0});
}

void SchedulerTest::callbackMayDestroyItsOwner()
{
    struct Owner
    {
        explicit Owner(Scheduler &scheduler, std::unique_ptr<Owner> &self)
            : first(scheduler, [&self] { self.reset(); })
            , second(scheduler, [] { QFAIL("its owner is gone"); })
        {
        }
        Deadline first;
        Deadline second;
    };
    std::unique_ptr<Owner> owner;
    owner = std::make_unique<Owner>(*m_scheduler, owner);
    owner->first.armIn(1s);
    owner->second.armIn(1s);
    QCOMPARE(m_scheduler->advance(2s), 1);
    QVERIFY(!owner);
}

void SchedulerTest::callbackMayArmAndDisarmOthers()
{
    QString fired;
    Deadline never(*m_scheduler, [&] { fired += u'n'; });
    Deadline other(*m_scheduler, [&] { fired += u'o'; });
    Deadline first(*m_scheduler, [&] {
        fired += u'f';
        never.disarm();
        other.arm(m_scheduler->now());
    });
    first.armIn(1s);
    never.armIn(1s);
    other.armIn(1h);
    QCOMPARE(m_scheduler->advance(1s), 2);
    QCOMPARE(fired, QStringLiteral("fo"));
}

void SchedulerTest::firesDeadlinesArmedWithinSpan()
{
    std::vector<Instant> moments;
    Deadline *again = nullptr;
    Deadline deadline(*m_scheduler, [&] {
        moments.push_back(m_scheduler->now());
        again->armIn(1s);
    });
    again = &deadline;
    const Instant begin = m_scheduler->now();
    deadline.armIn(1s);
    QCOMPARE(m_scheduler->advance(3s), 3);
    QCOMPARE(moments, (std::vector<Instant>{begin + 1s, begin + 2s, begin + 3s}));
}

void SchedulerTest::supportsDelaysOfWeeks()
{
    int fired = 0;
    Deadline deadline(*m_scheduler, [&] { ++fired; });
    deadline.armIn(std::chrono::weeks(60));
    m_scheduler->advance(std::chrono::weeks(60) - 1ns);
    QCOMPARE(fired, 0);
    QVERIFY(m_scheduler->advanceToNext());
    QCOMPARE(fired, 1);
    QVERIFY(!m_scheduler->advanceToNext());
}

void SchedulerTest::maximumTimeNeverFires()
{
    m_clock->advance(1h);
    Deadline deadline(*m_scheduler, [] { QFAIL("never"); });
    deadline.arm(Instant::max());
    QVERIFY(deadline.isArmed());
    QCOMPARE(m_scheduler->armedCount(), std::size_t{1});
    QVERIFY(!m_scheduler->advanceToNext());
    deadline.armIn(Duration::max()); // saturates
    QCOMPARE(deadline.due(), Instant::max());
    QCOMPARE(m_scheduler->advance(std::chrono::years(100)), 0);
    deadline.disarm();
    QCOMPARE(m_scheduler->armedCount(), std::size_t{0});
}

void SchedulerTest::advancesToMaximumTime()
{
    int fired = 0;
    Deadline deadline(*m_scheduler, [&] { ++fired; });
    deadline.armIn(1s);
    m_scheduler->advance(1h);
    deadline.armIn(1s);
    QCOMPARE(m_scheduler->advance(Duration::max()), 1);
    QCOMPARE(m_clock->now(), Instant::max());
    QCOMPARE(m_scheduler->advance(1s), 0);
    QCOMPARE(fired, 2);
}

void SchedulerTest::callbackMayAdvance()
{
    Instant seen{};
    Deadline inner(*m_scheduler, [&] { seen = m_scheduler->now(); });
    Deadline outer(*m_scheduler, [&] { m_scheduler->advance(10s); });
    outer.armIn(1s);
    inner.armIn(5s);
    m_scheduler->advance(2s);
    QCOMPARE(seen, Instant{5s});
    QCOMPARE(m_clock->now(), Instant{11s}); // it never goes back
}

void SchedulerTest::firesPastDeadlinesAtOnce()
{
    m_clock->advance(1h);
    int fired = 0;
    Deadline deadline(*m_scheduler, [&] { ++fired; });
    deadline.arm(Instant{1s});
    QCOMPARE(fired, 0); // never from inside arm()
    QCOMPARE(m_scheduler->advance(0s), 1);
    QCOMPARE(m_clock->now(), Instant{1h});
}

REKINDLE_TEST(SchedulerTest)
#include "schedulertest.moc"
