// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/groups/startgate.h>

using namespace Rekindle;
using namespace std::chrono_literals;

class StartGateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allStartsPassWithoutLimits();
    void limitsStartingAgents();
    void startThatNeedNotWaitEmitsNoEvent();
    void rateLimitsStarts();
    void burstAboveTheDefaultIsAvailableAtFirst();
    void operatorStartPassesAtOnce();
    void operatorStartTakesAHeldStartOutOfTheQueue();
    void startAfterResetPassesAtOnce();
    void restartAfterAFailureIsGoverned();
    void requestedRestartNeedsNoToken();
    void hangFreesTheSlotAtTheStartTimeout();
    void readyByTimerFreesTheSlotWhenStarted();
    void stopTakesAHeldStartOutOfTheQueue();
    void stopBetweenGrantAndLaunchReturnsTheGrant();
    void holdBetweenGrantAndLaunchReturnsTheGrant();
    void laterRestartReturnsTheGrant();
    void removalFreesTheSlot();
    void higherPriorityIsServedFirst();
    void newLimitsApplyAtOnce();
    void withoutLimitsHeldStartsBegin();
    void withoutLimitsHeldStartsKeepTheirOrder();
    void destructionBeginsHeldStarts();
    void placeIsShownInWords();
    void reportsTheLengthOfTheQueue_data();
    void reportsTheLengthOfTheQueue();
};

namespace {

GovernorLimits limitsOf(int maxStarting, int rate = 10'000, int burst = 10'000)
{
    return {.maxStarting = maxStarting, .rate = rate, .burst = burst};
}

class GatedStage : public Stage
{
public:
    explicit GatedStage(const std::optional<GovernorLimits> &limits)
        : gate(std::make_unique<StartGate>(supervisor))
    {
        gate->setLimits(limits);
    }

    // An agent that becomes ready 1 s after its start.
    QUuid addSlow(const QString &name, const QString &policy = {})
    {
        return add(name, {.runs = QStringLiteral("started +1s ready")}, policy);
    }

    void addSlow(int count)
    {
        for (int i = 0; i < count; ++i) // a, b, ... z, a1, b1, ...
            addSlow(QString(QChar(u'a' + i % 26)) + (i < 26 ? QString() : QString::number(i / 26)));
    }

    [[nodiscard]] qsizetype count(InstanceState state) const
    {
        qsizetype number = 0;
        for (const QUuid &id : supervisor.ids())
            number += supervisor.policyEvaluator().state(id) == state ? 1 : 0;
        return number;
    }
    [[nodiscard]] qsizetype starting() const { return count(InstanceState::Starting); }
    [[nodiscard]] qsizetype running() const { return count(InstanceState::Running); }
    [[nodiscard]] InstanceState stateOf(const char *name) const
    {
        const QUuid id = supervisor.idOf(QString::fromLatin1(name));
        return supervisor.policyEvaluator().state(id).value();
    }

    std::unique_ptr<StartGate> gate;
};

} // namespace

void StartGateTest::allStartsPassWithoutLimits()
{
    GatedStage stage(std::nullopt);
    stage.addSlow(20);
    stage.play(QStringLiteral("startAll"));
    QCOMPARE(stage.starting(), 20);
}

// systemd/systemd#43163: a slot is free when its agent is ready.
void StartGateTest::limitsStartingAgents()
{
    GatedStage stage(limitsOf(2));
    stage.addSlow(5);
    stage.play(QStringLiteral("startAll"));
    QCOMPARE(stage.starting(), 2);
    QCOMPARE(stage.gate->governor().queuedCount(), 3);
    const std::optional<AgentSnapshot> held =
        stage.supervisor.snapshot(stage.supervisor.idOf(QStringLiteral("c")));
    QCOMPARE(held->holds, Holds(Hold::Governor));
    stage.play(QStringLiteral("+1s"));
    QCOMPARE(stage.starting(), 2);
    QCOMPARE(stage.running(), 2);
    stage.play(QStringLiteral("+1s +1s"));
    QCOMPARE(stage.running(), 5);
    QCOMPARE(stage.gate->governor().startingCount(), 0);
    QCOMPARE(stage.gate->governor().longestQueue(), 3);
}

void StartGateTest::startThatNeedNotWaitEmitsNoEvent()
{
    GatedStage stage(limitsOf(1));
    int held = 0;
    QObject::connect(&stage.supervisor, &AgentSupervisor::startHeld, stage.gate.get(),
                     [&] { ++held; });
    stage.addSlow(2);
    stage.play(QStringLiteral("start:a"));
    QCOMPARE(held, 0);
    stage.play(QStringLiteral("startAll"));
    QCOMPARE(held, 1);
}

void StartGateTest::rateLimitsStarts()
{
    GatedStage stage(limitsOf(100, 10, 2));
    stage.addSlow(4);
    stage.play(QStringLiteral("startAll"));
    QCOMPARE(stage.starting(), 2);
    stage.play(QStringLiteral("+99ms"));
    QCOMPARE(stage.starting(), 2);
    stage.play(QStringLiteral("+1ms"));
    QCOMPARE(stage.starting(), 3);
    stage.play(QStringLiteral("+100ms"));
    QCOMPARE(stage.starting(), 4);
}

void StartGateTest::burstAboveTheDefaultIsAvailableAtFirst()
{
    GatedStage stage(limitsOf(100, 1, 60));
    stage.addSlow(60);
    stage.play(QStringLiteral("startAll"));
    QCOMPARE(stage.starting(), 60);
}

void StartGateTest::operatorStartPassesAtOnce()
{
    GatedStage stage(limitsOf(1));
    stage.addSlow(3);
    stage.play(QStringLiteral("start:a start:b"));
    QCOMPARE(stage.starting(), 2);
    stage.play(QStringLiteral("startAll"));
    QCOMPARE(stage.starting(), 2); // both are counted
    stage.play(QStringLiteral("+1s"));
    QCOMPARE(stage.stateOf("c"), InstanceState::Starting);
}

void StartGateTest::operatorStartTakesAHeldStartOutOfTheQueue()
{
    GatedStage stage(limitsOf(1));
    stage.addSlow(3);
    stage.play(QStringLiteral("startAll start:c"));
    QCOMPARE(stage.stateOf("c"), InstanceState::Starting);
    QCOMPARE(stage.gate->governor().queuedCount(), 1);
    QCOMPARE(stage.gate->governor().startingCount(), 2);
}

// "begins at once": the help of `rekindle reset` and `rekindle release`.
void StartGateTest::startAfterResetPassesAtOnce()
{
    for (const char *script : {"start:b start:a reset:b", "start:b start:a +5m reset:b",
                               "start:b start:a isolate:b release:b +5m reset:b"}) {
        GatedStage stage(limitsOf(1));
        stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started")},
                  QStringLiteral("'startTimeout':'1h'"));
        stage.add(QStringLiteral("b"), {.runs = QStringLiteral("started fail|started ready")},
                  QStringLiteral("'circuitBreaker':{'threshold':1}"));
        stage.play(QString::fromLatin1(script));
        QCOMPARE(stage.stateOf("b"), InstanceState::Running);
        QCOMPARE(stage.gate->governor().queuedCount(), 0);
        // The next automatic start is governed again.
        stage.addSlow(QStringLiteral("c"));
        stage.play(QStringLiteral("startAll"));
        QCOMPARE(stage.stateOf("c"), InstanceState::Waiting);
    }
}

void StartGateTest::restartAfterAFailureIsGoverned()
{
    GatedStage stage(limitsOf(1));
    const QString policy = QStringLiteral("'initialDelay':'1s'");
    for (const QString &name : {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")})
        stage.add(name, {.runs = QStringLiteral("started ready +1s fail|started +1s ready")},
                  policy);
    stage.play(QStringLiteral("startAll +1s"));
    QCOMPARE(stage.count(InstanceState::Waiting), 3);
    stage.play(QStringLiteral("+1s"));
    QCOMPARE(stage.starting(), 1);
    stage.play(QStringLiteral("+1s"));
    QCOMPARE(stage.starting(), 1);
    QCOMPARE(stage.running(), 1);
    stage.play(QStringLiteral("+2s"));
    QCOMPARE(stage.running(), 3);
}

void StartGateTest::requestedRestartNeedsNoToken()
{
    GatedStage stage(limitsOf(100, 1, 1));
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started ready +10ms exit42|started")},
              QStringLiteral("'requestedDelay':'0s','minInterval':'0s'"));
    stage.play(QStringLiteral("startAll +10ms"));
    QCOMPARE(stage.stateOf("a"), InstanceState::Starting);
}

void StartGateTest::hangFreesTheSlotAtTheStartTimeout()
{
    GatedStage stage(limitsOf(1));
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started")},
              QStringLiteral("'startTimeout':'5s','initialDelay':'1h','maxDelay':'1h'"));
    stage.addSlow(QStringLiteral("b"));
    stage.play(QStringLiteral("startAll +4999ms"));
    QCOMPARE(stage.starting(), 1);
    QCOMPARE(stage.stateOf("b"), InstanceState::Waiting);
    stage.play(QStringLiteral("+1ms"));
    QCOMPARE(stage.stateOf("b"), InstanceState::Starting);
}

void StartGateTest::readyByTimerFreesTheSlotWhenStarted()
{
    GatedStage stage(limitsOf(1));
    stage.addSlow(3);
    for (const QUuid &id : stage.supervisor.ids())
        stage.gate->setReadyByTimer(id);
    stage.play(QStringLiteral("startAll"));
    QCOMPARE(stage.starting(), 3);
}

void StartGateTest::stopTakesAHeldStartOutOfTheQueue()
{
    GatedStage stage(limitsOf(1));
    stage.addSlow(3);
    stage.play(QStringLiteral("startAll stop:b"));
    QCOMPARE(stage.gate->governor().queuedCount(), 1);
    QCOMPARE(stage.stateOf("b"), InstanceState::Stopped);
    stage.play(QStringLiteral("+1s"));
    QCOMPARE(stage.stateOf("c"), InstanceState::Starting);
    // No hold is left over.
    stage.play(QStringLiteral("start:b"));
    QCOMPARE(stage.stateOf("b"), InstanceState::Starting);
}

void StartGateTest::stopBetweenGrantAndLaunchReturnsTheGrant()
{
    GatedStage stage(limitsOf(1));
    stage.addSlow(3);
    stage.play(QStringLiteral("startAll stop:a&stop:b"));
    QCOMPARE(stage.stateOf("c"), InstanceState::Starting);
    QCOMPARE(stage.gate->governor().startingCount(), 1);
}

void StartGateTest::holdBetweenGrantAndLaunchReturnsTheGrant()
{
    GatedStage stage(limitsOf(1));
    stage.addSlow(3);
    stage.play(QStringLiteral("startAll stop:a&hold:b"));
    QCOMPARE(stage.stateOf("b"), InstanceState::Waiting);
    QCOMPARE(stage.stateOf("c"), InstanceState::Starting);
    QCOMPARE(stage.gate->governor().startingCount(), 1);
    stage.play(QStringLiteral("lift:b"));
    QCOMPARE(stage.stateOf("b"), InstanceState::Waiting);
    stage.play(QStringLiteral("+1s"));
    QCOMPARE(stage.stateOf("b"), InstanceState::Starting);
}

// Its new policy delays the restart of b.
void StartGateTest::laterRestartReturnsTheGrant()
{
    GatedStage stage(limitsOf(1));
    stage.add(QStringLiteral("b"), {.runs = QStringLiteral("started fail")});
    stage.addSlow(QStringLiteral("a"));
    stage.play(QStringLiteral("start:b +500ms start:a +500ms"));
    QCOMPARE(stage.gate->governor().queuedCount(), 1);
    stage.play(QStringLiteral("stop:a&policy:'initialDelay':'1h','maxDelay':'1h'"));
    QCOMPARE(stage.stateOf("b"), InstanceState::Waiting);
    QCOMPARE(stage.gate->governor().startingCount(), 0);
}

void StartGateTest::removalFreesTheSlot()
{
    GatedStage stage(limitsOf(1));
    stage.addSlow(3);
    stage.play(QStringLiteral("startAll remove:b remove:a"));
    QCOMPARE(stage.stateOf("c"), InstanceState::Starting);
    QCOMPARE(stage.gate->governor().queuedCount(), 0);
}

void StartGateTest::higherPriorityIsServedFirst()
{
    GatedStage stage(limitsOf(1));
    stage.addSlow(3);
    stage.gate->setPriority(stage.supervisor.idOf(QStringLiteral("c")), 5);
    stage.play(QStringLiteral("startAll +1s"));
    QCOMPARE(stage.stateOf("c"), InstanceState::Starting);
    QCOMPARE(stage.stateOf("b"), InstanceState::Waiting);
}

void StartGateTest::newLimitsApplyAtOnce()
{
    GatedStage stage(limitsOf(1));
    stage.addSlow(4);
    stage.play(QStringLiteral("startAll"));
    stage.gate->setLimits(limitsOf(3));
    stage.advance(0s);
    QCOMPARE(stage.starting(), 3);
}

void StartGateTest::withoutLimitsHeldStartsBegin()
{
    GatedStage stage(limitsOf(1));
    stage.addSlow(4);
    stage.play(QStringLiteral("startAll"));
    stage.gate->setLimits(std::nullopt);
    stage.advance(0s);
    QCOMPARE(stage.starting(), 4);
    QCOMPARE(stage.gate->governor().queuedCount(), 0);
}

void StartGateTest::withoutLimitsHeldStartsKeepTheirOrder()
{
    GatedStage stage(limitsOf(1));
    stage.addSlow(9);
    stage.gate->setPriority(stage.supervisor.idOf(QStringLiteral("i")), 5);
    stage.play(QStringLiteral("startAll"));
    QStringList started;
    QObject::connect(&stage.supervisor, &AgentSupervisor::agentStarted, stage.gate.get(),
                     [&](const AgentStarted &event) { started.append(event.agent); });
    stage.gate->setLimits(std::nullopt);
    stage.advance(0s);
    QCOMPARE(started.join(u' '), QStringLiteral("i b c d e f g h"));
}

void StartGateTest::destructionBeginsHeldStarts()
{
    GatedStage stage(limitsOf(1));
    stage.addSlow(4);
    stage.play(QStringLiteral("startAll"));
    stage.gate.reset();
    stage.advance(0s);
    QCOMPARE(stage.starting(), 4);
}

void StartGateTest::placeIsShownInWords()
{
    GatedStage stage(limitsOf(1));
    stage.addSlow(25);
    stage.play(QStringLiteral("startAll"));
    const auto placeOf = [&](char16_t name) {
        return stage.gate->placeText(stage.supervisor.idOf(QString(QChar(name))));
    };
    QCOMPARE(placeOf(u'a'), QString());
    QCOMPARE(placeOf(u'b'), QStringLiteral("1st of 24"));
    QCOMPARE(placeOf(u'c'), QStringLiteral("2nd of 24"));
    QCOMPARE(placeOf(u'd'), QStringLiteral("3rd of 24"));
    QCOMPARE(placeOf(u'e'), QStringLiteral("4th of 24"));
    QCOMPARE(placeOf(u'm'), QStringLiteral("12th of 24"));
    QCOMPARE(placeOf(u'v'), QStringLiteral("21st of 24"));
    QCOMPARE(
        toTexts(stage.supervisor.snapshot(stage.supervisor.idOf(QStringLiteral("e")))->holdCauses),
        QStringList(QStringLiteral("governor: 4th of 24")));
}

void StartGateTest::reportsTheLengthOfTheQueue_data()
{
    const Rows<QString, QList<qsizetype>> row("script", "counts");
    row("nothing waits", "start:a", {});
    row("starts begin one after another", "startAll +1s +1s +1s", {1, 2, 1, 0});
    row("an operator starts one", "startAll start:c", {1, 2, 1});
    row("an operator stops one", "startAll stop:c", {1, 2, 1});
    row("the host stops", "startAll stopAll", {1, 2, 1, 0});
}

void StartGateTest::reportsTheLengthOfTheQueue()
{
    QFETCH(const QString, script);
    QList<qsizetype> counts; // the destructor of the gate reports, too
    GatedStage stage(limitsOf(1));
    stage.addSlow(3);
    QObject::connect(stage.gate.get(), &StartGate::queuedCountChanged, stage.gate.get(),
                     [&counts](qsizetype count) { counts.append(count); });
    stage.play(script);
    QTEST(counts, "counts");
}

REKINDLE_TEST(StartGateTest)
#include "startgatetest.moc"
