// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "properties.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/policy/governor.h>

#include <vector>

using namespace Rekindle;
using namespace std::chrono_literals;

class GovernorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void admitsUpToMaxStarting();
    void releaseFreesASlot();
    void servesHigherPriorityFirst();
    void servesEarlierDueTimeFirst();
    void servesInOrderOfAdditionIfDueAtTheSameTime();
    void startsGainOneLevelPerTenSeconds();
    void lowPriorityDoesNotStarve();
    void tokensArriveAtTheRate();
    void burstIsTheLargestNumberOfTokens();
    void nextAtIsTheTimeOfTheNextToken();
    void nextAtIsEmptyWithoutASlot();
    void operatorPassesAndIsCounted();
    void operatorTakesAQueuedStartOutOfTheQueue();
    void requestedRestartNeedsASlotButNoToken();
    void newStartDoesNotOvertakeTheQueue();
    void returnedGrantFreesItsSlotAndToken();
    void cancelRemovesAQueuedStart();
    void placeCountsStartsOfAllPriorities();
    void priorityOfAQueuedStartChanges();
    void newLimitsApplyToQueuedStarts();
    void newLimitsGrantNoOtherBurst();
    void firstLimitsReplaceTheDefaultBurst();
    void readsRates();
    void rejectsMalformedRates_data();
    void rejectsMalformedRates();
    void neverExceedsTheLimitsAndGrantsEveryStart();
};

namespace {

constexpr Instant t0{1h};
constexpr auto automatic = GovernedStart::Automatic;

QUuid idOf(uint number) { return QUuid(number + 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0); }

const QUuid a = idOf(0);
const QUuid b = idOf(1);
const QUuid c = idOf(2);
const QUuid d = idOf(3);

GovernorLimits limitsOf(int maxStarting, int rate = 10'000, int burst = 10'000)
{
    return {.maxStarting = maxStarting, .rate = rate, .burst = burst};
}

// All slots are occupied, so that further starts are queued.
Governor busy()
{
    Governor governor(limitsOf(1));
    governor.admit(idOf(99), automatic, 0, t0, t0);
    return governor;
}

// Serves the next start in a slot that becomes free.
QUuid serve(Governor &governor, Instant now, const QUuid &last = idOf(99))
{
    governor.release(last);
    const QUuid id = governor.next(now).value_or(QUuid());
    governor.admit(id, automatic, 0, now, now);
    return id;
}

} // namespace

void GovernorTest::admitsUpToMaxStarting()
{
    Governor governor(limitsOf(2));
    QVERIFY(governor.admit(a, automatic, 0, t0, t0));
    QVERIFY(governor.admit(b, automatic, 0, t0, t0));
    QVERIFY(!governor.admit(c, automatic, 0, t0, t0));
    QVERIFY(!governor.admit(c, automatic, 0, t0, t0));
    QCOMPARE(governor.startingCount(), 2);
    QCOMPARE(governor.queuedCount(), 1);
    QVERIFY(!governor.next(t0 + 1h));
}

void GovernorTest::releaseFreesASlot()
{
    Governor governor = busy();
    QVERIFY(!governor.admit(a, automatic, 0, t0, t0));
    QVERIFY(governor.release(idOf(99)));
    QVERIFY(!governor.release(idOf(99)));
    QCOMPARE(governor.next(t0), std::optional(a));
    QVERIFY(governor.isGranted(a));
    QVERIFY(governor.admit(a, automatic, 0, t0, t0));
    QVERIFY(!governor.isGranted(a));
    QCOMPARE(governor.startingCount(), 1);
}

void GovernorTest::servesHigherPriorityFirst()
{
    Governor governor = busy();
    governor.admit(a, automatic, 1, t0, t0);
    governor.admit(b, automatic, 9, t0 + 5s, t0 + 5s);
    QCOMPARE(serve(governor, t0 + 5s), b);
    QCOMPARE(serve(governor, t0 + 5s, b), a);
}

void GovernorTest::servesEarlierDueTimeFirst()
{
    Governor governor = busy();
    governor.admit(a, automatic, 0, t0 + 1s, t0 + 1s);
    governor.admit(b, automatic, 0, t0, t0 + 1s);
    QCOMPARE(serve(governor, t0 + 1s), b);
}

void GovernorTest::servesInOrderOfAdditionIfDueAtTheSameTime()
{
    Governor governor = busy();
    for (const QUuid &id : {c, a, b})
        governor.admit(id, automatic, 4, t0, t0);
    QCOMPARE(serve(governor, t0), c);
    QCOMPARE(serve(governor, t0, c), a);
    QCOMPARE(serve(governor, t0, a), b);
}

void GovernorTest::startsGainOneLevelPerTenSeconds()
{
    Governor governor = busy();
    governor.admit(a, automatic, 0, t0, t0);
    governor.admit(b, automatic, 1, t0 + 10s, t0 + 10s); // now at the same level
    governor.admit(c, automatic, 1, t0 + 10s + 1ns, t0 + 10s + 1ns);
    QCOMPARE(serve(governor, t0 + 11s), b);
    QCOMPARE(serve(governor, t0 + 11s, b), a);
    QCOMPARE(serve(governor, t0 + 11s, a), c);
}

void GovernorTest::lowPriorityDoesNotStarve()
{
    Governor governor = busy();
    governor.admit(a, automatic, 0, t0, t0);
    QUuid last = idOf(99);
    // One start of the highest priority arrives for each that is served.
    for (uint second = 1; second <= 91; ++second) {
        const Instant now = t0 + std::chrono::seconds(second);
        governor.admit(idOf(100 + second), automatic, 9, now, now);
        last = serve(governor, now, last);
        QCOMPARE(last == a, second == 91);
    }
}

void GovernorTest::tokensArriveAtTheRate()
{
    Governor governor(limitsOf(100, 50, 2));
    QVERIFY(governor.admit(a, automatic, 0, t0, t0));
    QVERIFY(governor.admit(b, automatic, 0, t0, t0));
    QVERIFY(!governor.admit(c, automatic, 0, t0, t0));
    QVERIFY(!governor.admit(d, automatic, 0, t0, t0));
    QVERIFY(!governor.next(t0 + 20ms - 1ns));
    QCOMPARE(governor.next(t0 + 20ms), std::optional(c));
    QVERIFY(!governor.next(t0 + 40ms - 1ns));
    QCOMPARE(governor.next(t0 + 40ms), std::optional(d));
}

void GovernorTest::burstIsTheLargestNumberOfTokens()
{
    Governor governor(limitsOf(100, 50, 3));
    for (const Instant now : {t0, t0 + 1h}) {
        int admitted = 0;
        for (uint i = 0; i < 5; ++i) {
            const QUuid id = idOf(i);
            admitted += governor.admit(id, automatic, 0, now, now) ? 1 : 0;
        }
        QCOMPARE(admitted, 3);
        for (uint i = 0; i < 5; ++i) {
            governor.cancel(idOf(i));
            governor.release(idOf(i));
        }
    }
}

void GovernorTest::nextAtIsTheTimeOfTheNextToken()
{
    Governor governor(limitsOf(100, 50, 1));
    QVERIFY(!governor.nextAt(t0));
    governor.admit(a, automatic, 0, t0, t0);
    QVERIFY(!governor.nextAt(t0));
    governor.admit(b, automatic, 0, t0, t0);
    QCOMPARE(governor.nextAt(t0), std::optional(t0 + 20ms));
    QCOMPARE(governor.nextAt(t0 + 1s), std::optional(t0 + 1s));
}

void GovernorTest::nextAtIsEmptyWithoutASlot()
{
    Governor governor = busy();
    governor.admit(a, automatic, 0, t0, t0);
    QVERIFY(!governor.nextAt(t0));
    governor.release(idOf(99));
    QCOMPARE(governor.nextAt(t0), std::optional(t0));
}

void GovernorTest::operatorPassesAndIsCounted()
{
    Governor governor(limitsOf(1, 50, 2));
    QVERIFY(governor.admit(a, GovernedStart::Operator, 0, t0, t0));
    QVERIFY(governor.admit(b, GovernedStart::Operator, 0, t0, t0));
    QVERIFY(governor.admit(c, GovernedStart::Operator, 0, t0, t0)); // there is no token left
    QCOMPARE(governor.startingCount(), 3);
    QVERIFY(!governor.admit(d, automatic, 0, t0, t0));
    for (const QUuid &id : {a, b, c})
        governor.release(id);
    QCOMPARE(governor.nextAt(t0), std::optional(t0 + 20ms));
}

void GovernorTest::operatorTakesAQueuedStartOutOfTheQueue()
{
    Governor governor = busy();
    governor.admit(a, automatic, 0, t0, t0);
    QVERIFY(governor.admit(a, GovernedStart::Operator, 0, t0, t0));
    QCOMPARE(governor.queuedCount(), 0);
    QCOMPARE(governor.startingCount(), 2);
}

void GovernorTest::requestedRestartNeedsASlotButNoToken()
{
    Governor governor(limitsOf(2, 50, 1));
    governor.admit(a, automatic, 0, t0, t0);
    QVERIFY(!governor.admit(b, automatic, 0, t0, t0));
    QVERIFY(governor.admit(c, GovernedStart::Requested, 0, t0, t0));
    QVERIFY(!governor.admit(d, GovernedStart::Requested, 0, t0, t0));
    QVERIFY(!governor.nextAt(t0));
    governor.release(a);
    QCOMPARE(governor.nextAt(t0), std::optional(t0));
    QCOMPARE(governor.next(t0), std::optional(d));
}

void GovernorTest::newStartDoesNotOvertakeTheQueue()
{
    Governor governor = busy();
    governor.admit(a, automatic, 0, t0, t0);
    governor.release(idOf(99));
    QVERIFY(!governor.admit(b, automatic, 0, t0 + 1s, t0 + 1s));
    QCOMPARE(governor.next(t0 + 1s), std::optional(a));
}

void GovernorTest::returnedGrantFreesItsSlotAndToken()
{
    Governor governor(limitsOf(1, 50, 2));
    governor.admit(a, automatic, 0, t0, t0);
    governor.admit(b, automatic, 0, t0, t0);
    governor.admit(c, automatic, 0, t0, t0);
    governor.release(a);
    QCOMPARE(governor.next(t0), std::optional(b));
    QVERIFY(!governor.next(t0));
    QVERIFY(governor.cancel(b));
    QVERIFY(!governor.cancel(b));
    QCOMPARE(governor.next(t0), std::optional(c));
    governor.cancel(c);
    QVERIFY(!governor.cancel(c));
    QVERIFY(!governor.cancel(a));
}

void GovernorTest::cancelRemovesAQueuedStart()
{
    Governor governor = busy();
    for (const QUuid &id : {a, b, c})
        governor.admit(id, automatic, 0, t0, t0);
    QVERIFY(governor.cancel(b));
    QCOMPARE(governor.place(b), 0);
    QCOMPARE(governor.place(c), 2);
    QCOMPARE(governor.queuedCount(), 2);
    QCOMPARE(governor.longestQueue(), 3);
}

void GovernorTest::placeCountsStartsOfAllPriorities()
{
    Governor governor = busy();
    governor.admit(a, automatic, 0, t0, t0);
    governor.admit(b, automatic, 0, t0, t0);
    governor.admit(c, automatic, 7, t0, t0);
    governor.admit(d, GovernedStart::Requested, 3, t0, t0);
    QCOMPARE(governor.place(c), 1);
    QCOMPARE(governor.place(d), 2);
    QCOMPARE(governor.place(a), 3);
    QCOMPARE(governor.place(b), 4);
    QCOMPARE(governor.place(idOf(99)), 0);
}

void GovernorTest::priorityOfAQueuedStartChanges()
{
    Governor governor = busy();
    governor.admit(a, automatic, 0, t0, t0);
    governor.admit(b, automatic, 0, t0, t0);
    governor.setPriority(b, 1);
    governor.setPriority(idOf(99), 1);
    QCOMPARE(governor.place(b), 1);
    QCOMPARE(governor.queuedCount(), 2);
}

void GovernorTest::newLimitsApplyToQueuedStarts()
{
    Governor governor = busy();
    governor.admit(a, automatic, 0, t0, t0);
    governor.setLimits(limitsOf(2), t0);
    QCOMPARE(governor.next(t0), std::optional(a));
    governor.setLimits(limitsOf(1), t0);
    QCOMPARE(governor.startingCount(), 2);
    governor.release(a);
    QVERIFY(!governor.admit(b, automatic, 0, t0, t0));
}

void GovernorTest::newLimitsGrantNoOtherBurst()
{
    Governor governor(limitsOf(100, 1, 3));
    for (const QUuid &id : {a, b, c})
        QVERIFY(governor.admit(id, automatic, 0, t0, t0));
    governor.setLimits(limitsOf(100, 1, 10), t0);
    QVERIFY(!governor.admit(d, automatic, 0, t0, t0));
    QCOMPARE(governor.nextAt(t0), std::optional(t0 + 1s));
}

void GovernorTest::firstLimitsReplaceTheDefaultBurst()
{
    Governor governor;
    governor.setLimits(limitsOf(100, 1, 60), t0);
    for (int i = 0; i < 60; ++i)
        QVERIFY(governor.admit(QUuid::createUuid(), automatic, 0, t0, t0));
    QVERIFY(!governor.admit(a, automatic, 0, t0, t0));
}

void GovernorTest::readsRates()
{
    for (const QString &text :
         {QStringLiteral("50/s"), QStringLiteral("1/m"), QStringLiteral("10000/h")}) {
        GovernorLimits limits;
        QVERIFY(setRate(limits, text));
        QCOMPARE(rateText(limits), text);
    }
}

void GovernorTest::rejectsMalformedRates_data()
{
    const Rows<QString> row("text");
    for (const char *text : {"", "50", "/s", "50/", "50/d", "0/s", "10001/s", "-1/s", "+1/s",
                             "1.5/s", " 1/s", "1/s ", "1 /s", "99999999999/s"})
        row(text);
}

void GovernorTest::rejectsMalformedRates()
{
    QFETCH(QString, text);
    GovernorLimits limits;
    QVERIFY(!setRate(limits, text));
    QCOMPARE(limits, GovernorLimits());
}

namespace {

// Random inputs against a simple count of what was granted.
class GovernorTrace
{
public:
    explicit GovernorTrace(std::uint32_t seed)
        : m_limits{.maxStarting = static_cast<int>(seed % 4) + 1,
                   .rate = static_cast<int>(seed / 4 % 20) + 1,
                   .burst = static_cast<int>(seed / 80 % 5) + 1}
        , m_governor(m_limits)
    {
    }

    void step(std::uint32_t step)
    {
        m_now += std::chrono::milliseconds(step / 1000 % 100);
        const QUuid id = idOf(step / 8 % 10);
        switch (step % 8) {
        case 0:
            request(id, GovernedStart::Operator, 0);
            break;
        case 1:
            request(id, GovernedStart::Requested, static_cast<int>(step / 100 % 10));
            break;
        case 2:
            m_governor.cancel(id);
            break;
        case 3:
            m_governor.setPriority(id, static_cast<int>(step / 100 % 10));
            break;
        case 4:
            m_governor.release(id);
            m_byOperator.remove(id);
            break;
        case 5:
            serve();
            break;
        default:
            request(id, automatic, static_cast<int>(step / 100 % 10));
        }
        check();
    }

    // All queued starts are granted if slots become free and time passes.
    void finish()
    {
        for (uint i = 0; i < 10; ++i) {
            m_governor.release(idOf(i));
            m_governor.cancel(m_governor.isGranted(idOf(i)) ? idOf(i) : QUuid());
        }
        m_byOperator.clear();
        while (m_governor.queuedCount() > 0) {
            const std::optional<Instant> at = m_governor.nextAt(m_now);
            if (!at) {
                m_fault = QStringLiteral("no queued start has a time");
                return;
            }
            m_now = *at;
            const std::optional<QUuid> id = serve();
            if (!id) {
                m_fault = QStringLiteral("nothing is granted at nextAt()");
                return;
            }
            check();
            m_governor.release(*id);
        }
    }

    [[nodiscard]] QString fault() const { return m_fault; }

private:
    void request(const QUuid &id, GovernedStart start, int priority)
    {
        const bool passed = m_governor.admit(id, start, priority, m_now, m_now);
        if (start == GovernedStart::Operator)
            m_byOperator.insert(id);
        else if (passed)
            m_byOperator.remove(id);
        if (start == GovernedStart::Operator && !passed)
            m_fault = QStringLiteral("an operator's start waits");
    }

    std::optional<QUuid> serve()
    {
        const std::optional<QUuid> id = m_governor.next(m_now);
        if (id && !m_governor.admit(*id, automatic, 0, m_now, m_now))
            m_fault = QStringLiteral("a grant is not honored");
        return id;
    }

    void check()
    {
        qsizetype queued = 0;
        for (uint i = 0; i < 10; ++i)
            queued += m_governor.isQueued(idOf(i)) ? 1 : 0;
        if (queued != m_governor.queuedCount())
            m_fault = QStringLiteral("wrong count of queued starts");
        if (m_governor.startingCount() > m_limits.maxStarting + m_byOperator.size())
            m_fault = QStringLiteral("more than maxStarting");
    }

    GovernorLimits m_limits;
    Governor m_governor;
    Instant m_now = t0;
    QSet<QUuid> m_byOperator;
    QString m_fault;
};

} // namespace

void GovernorTest::neverExceedsTheLimitsAndGrantsEveryStart()
{
    verifyTraces("governor", 2000, 200, [](std::uint32_t seed) { return GovernorTrace(seed); });
}

REKINDLE_TEST(GovernorTest)
#include "governortest.moc"
