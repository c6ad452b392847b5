// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"
#include "lifecycle/slot.h"
#include "stage.h"
#include "testprogram.h"

#include <rekindle/lifecycle/agentmonitor.h>

using namespace Rekindle;
using namespace std::chrono_literals;
using Evaluator = RestartPolicyEvaluator;
using Supervisor = AgentSupervisor;

namespace {

// A stage with three agents that cause all signals, and what a host does in a slot.
struct Play
{
    Play() { addAgents(); }

    void addAgents()
    {
        const QString policy = QStringLiteral(
            "'maxRetries':4,'stableAfter':'5s','startTimeout':'5s','rearmAfter':'1h',"
            "'circuitBreaker':{'threshold':3,'timeout':'20s'}");
        stage->add(
            QStringLiteral("a"),
            {QStringLiteral("started fail|started ready +1s fail|started|fail|"
                            "started ready +6s ask +10s fail|started ready +1s exit42|started "
                            "ready +1s stopped"),
             QStringLiteral("+1s stopped"), QStringLiteral("stopped")},
            policy);
        stage->add(QStringLiteral("b"), {QStringLiteral("started fail")}, policy);
        stage->add(QStringLiteral("s"),
                   {QStringLiteral("started ready"), QStringLiteral("+1s stuck +5s stopped"), {}},
                   policy);
    }

    void watch()
    {
        QObject::connect(&policyEvaluator(), &Evaluator::lifecycleEvent, &stage->log,
                         [this](const LifecycleEvent &event) {
                             const quint64 sequence = header(event).sequence;
                             ++seen;
                             inOrder = inOrder && sequence == seen;
                             highest = std::max(highest, sequence);
                         });
    }

    // Connects a signal of all objects of this class.
    void connectSlot(const QMetaObject *type, const QMetaMethod &signal,
                     std::function<void()> function)
    {
        slot.function = std::move(function);
        QList<QObject *> senders{&policyEvaluator(), &supervisor(), &supervisor().monitor()};
        for (const QUuid &each : supervisor().ids())
            senders.append(supervisor().agent(each));
        for (QObject *sender : senders) {
            if (sender->metaObject()->inherits(type))
                slot.connectTo(sender, signal);
        }
    }

    void run()
    {
        stage->play(QStringLiteral(
            "startAll +100ms retry:b +40s retry:a +40s restart:a +10s stop:a hold:a start:a +1s "
            "lift:a +1s stop:a start:b +1m "
            "isolate:a release:a reset:b +2h stopAll +1m killAll +1s remove:b"));
        if (stage->isAlive())
            stage->add(QStringLiteral("c"), {QStringLiteral("started fail:127")});
        stage->play(QStringLiteral("startAll +2m stopAll +10s"));
    }

    QUuid id() const { return stage->first(); }
    Evaluator &policyEvaluator() const { return stage->supervisor.policyEvaluator(); }
    Supervisor &supervisor() const { return stage->supervisor; }

    std::unique_ptr<Stage> stage = std::make_unique<Stage>();
    Slot slot;
    QSet<QUuid> removed;
    int actions = 0;
    int added = 0;
    quint64 seen = 0; // events
    quint64 highest = 0;
    bool inOrder = true;
};

using Act = std::function<void(Play &)>;

struct NamedAct
{
    const char *name;
    Act act;
};

void removeFirst(Play &play)
{
    play.removed.insert(play.id());
    play.supervisor().remove(play.id());
}

void addOne(Play &play)
{
    if (play.added < 3)
        play.stage->add(QStringLiteral("new%1").arg(++play.added), {});
}

constexpr auto eventLoop = "event loop";

std::vector<NamedAct> supervisorActs()
{
    return {
        {"add", addOne},
        {"remove", removeFirst},
        {"remove and add",
         [](Play &p) {
             removeFirst(p);
             addOne(p);
         }},
        {"start", [](Play &p) { p.supervisor().start(p.id()); }},
        {"stop", [](Play &p) { p.supervisor().stop(p.id()); }},
        {"stop and start",
         [](Play &p) {
             p.supervisor().stop(p.id());
             p.supervisor().start(p.id());
         }},
        {"restart", [](Play &p) { p.supervisor().restart(p.id()); }},
        {"retryNow", [](Play &p) { p.supervisor().retryNow(p.id()); }},
        {"startAll", [](Play &p) { p.supervisor().startAll(); }},
        {"stopAll", [](Play &p) { p.supervisor().stopAll(); }},
        {"killAll", [](Play &p) { p.supervisor().killAll(); }},
        {"questions",
         [](Play &p) {
             const Supervisor &s = p.supervisor();
             static_cast<void>(s.isIdle());
             for (const QUuid &id : s.ids()) {
                 QVERIFY(s.agent(id));
                 QCOMPARE(s.idOf(s.snapshot(id)->name), id);
             }
         }},
        {eventLoop, [](Play &) { QCoreApplication::processEvents(); }},
        {"time", [](Play &p) { p.stage->scheduler.advance(3s); }},
    };
}

std::vector<NamedAct> evaluatorActs()
{
    const auto context = [](Play &play) {
        RestartContext failureContext;
        failureContext.instanceId = play.id();
        return failureContext;
    };
    return {
        {"e.add",
         [](Play &p) { p.policyEvaluator().add(QUuid::createUuid(), QStringLiteral("x"), {}); }},
        {"e.remove", [](Play &p) { p.policyEvaluator().remove(p.id()); }},
        {"e.evaluate", [=](Play &p) { p.policyEvaluator().evaluate(context(p)); }},
        {"e.calculateDelay",
         [](Play &p) { static_cast<void>(p.policyEvaluator().calculateDelay({}, 1)); }},
        {"e.resetCircuitBreaker", [](Play &p) { p.policyEvaluator().resetCircuitBreaker(p.id()); }},
        {"e.isolate", [](Play &p) { p.policyEvaluator().isolateCircuitBreaker(p.id()); }},
        {"e.release", [](Play &p) { p.policyEvaluator().releaseCircuitBreaker(p.id()); }},
        {"e.recordSuccess", [](Play &p) { p.policyEvaluator().recordSuccess(p.id()); }},
        {"e.start", [](Play &p) { p.policyEvaluator().start(p.id()); }},
        {"e.stop", [](Play &p) { p.policyEvaluator().stop(p.id()); }},
        {"e.restart", [](Play &p) { p.policyEvaluator().restart(p.id(), QStringLiteral("test")); }},
        {"e.retryNow", [](Play &p) { p.policyEvaluator().retryNow(p.id()); }},
        {"e.addHolds", [](Play &p) { p.policyEvaluator().addHolds(p.id(), Hold::Group); }},
        {"e.liftHolds",
         [](Play &p) { p.policyEvaluator().liftHolds(p.id(), Hold::Group | Hold::Dependency); }},
        {"e.setPolicy", [](Play &p) { p.policyEvaluator().setPolicy(p.id(), {}); }},
        {"e.setPolicy none",
         [](Play &p) {
             p.policyEvaluator().setPolicy(p.id(), {RestartPolicyType::None}, false,
                                           {.gated = true});
         }},
        {"e.questions",
         [](Play &p) {
             const Evaluator &e = p.policyEvaluator();
             static_cast<void>(e.circuitBreakerState(p.id()));
             static_cast<void>(e.policy(p.id()));
             static_cast<void>(e.activeCount());
             QCOMPARE(e.state(p.id()).has_value(), e.contains(p.id()));
             QCOMPARE(e.snapshot(p.id()).has_value(), e.contains(p.id()));
             QVERIFY(e.contains(p.id()) || !e.isActive(p.id()));
         }},
    };
}

// False reports: the invariants of agents cannot hold, but nothing may crash.
std::vector<NamedAct> forgedReports()
{
    const auto generation = [](Play &play) {
        const std::optional<AgentSnapshot> snapshot = play.policyEvaluator().snapshot(play.id());
        return snapshot ? snapshot->generation : 0;
    };
    return {
        {"beginLaunch", [](Play &p) { EvaluatorPort(p.policyEvaluator()).beginLaunch(p.id()); }},
        {"reportStarted",
         [=](Play &p) {
             EvaluatorPort(p.policyEvaluator()).reportStarted(p.id(), generation(p), 1);
         }},
        {"reportReady",
         [=](Play &p) { EvaluatorPort(p.policyEvaluator()).reportReady(p.id(), generation(p)); }},
        {"reportFailed",
         [=](Play &p) {
             EvaluatorPort(p.policyEvaluator()).reportFailed(p.id(), generation(p), {});
         }},
        {"reportUnhealthy",
         [=](Play &p) {
             EvaluatorPort(p.policyEvaluator()).reportUnhealthy(p.id(), generation(p), {});
         }},
        {"reportStopped",
         [=](Play &p) { EvaluatorPort(p.policyEvaluator()).reportStopped(p.id(), generation(p)); }},
        {"requested",
         [=](Play &p) {
             EvaluatorPort(p.policyEvaluator())
                 .reportRestartRequested(p.id(), generation(p), {}, true);
         }},
        {"exit 42",
         [=](Play &p) {
             EvaluatorPort(p.policyEvaluator())
                 .reportRestartRequested(p.id(), generation(p), {}, false);
         }},
    };
}

} // namespace

// Any public method may be called from any slot.
class ReentrancyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void supervisorMethods_data() { everySignal(); }
    void supervisorMethods() { tryAll(supervisorActs(), true); }
    void evaluatorMethods_data() { everySignal(); }
    void evaluatorMethods() { tryAll(evaluatorActs(), true); }
    void survivesForgedReports_data() { everySignal(); }
    void survivesForgedReports() { tryAll(forgedReports(), false); }
    void destroysRemovedAgentAfterSlot_data() { everySignal(); }
    void destroysRemovedAgentAfterSlot();
    void slotMayDeleteSupervisorLater_data() { everySignal(); }
    void slotMayDeleteSupervisorLater();

private:
    static void everySignal();
    static void tryAll(const std::vector<NamedAct> &acts, bool honest);
    static void tryOne(const QMetaObject *type, const QMetaMethod &signal, const NamedAct &act,
                       bool honest, int times);
};

void ReentrancyTest::everySignal()
{
    static const QList<QByteArray> neverEmitted = {"policyDowngraded",
                                                   "healthChanged",
                                                   "agentOutput",
                                                   "groupRestarting",
                                                   "groupExhausted",
                                                   "operatorActed",
                                                   "configurationApplied",
                                                   "reportIgnored",
                                                   "shadowDecided",
                                                   "agentUnhealthy",
                                                   "heartbeat",
                                                   "output",
                                                   "reportedUnhealthy",
                                                   "aboutToBeDestroyed",
                                                   "policyChanged",
                                                   "agentDestroyed",
                                                   "stopping",
                                                   "startExtended",
                                                   "limitExceeded",
                                                   "sharedBreakerStateChanged"};
    QTest::addColumn<const QMetaObject *>("type");
    QTest::addColumn<QMetaMethod>("signal");
    const QMetaObject &shared = LifecycleSignals::staticMetaObject;
    for (const QMetaObject *meta : {&Evaluator::staticMetaObject, &Supervisor::staticMetaObject,
                                    &AgentMonitor::staticMetaObject, &Agent::staticMetaObject}) {
        const int first = meta->inherits(&shared) ? shared.methodOffset() : meta->methodOffset();
        for (int i = first; i < meta->methodCount(); ++i) {
            const QMetaMethod signal = meta->method(i);
            // The supervisor forwards the signals of the evaluator, at the same moment. One of them
            // is enough.
            const bool isForwarded = meta == &Supervisor::staticMetaObject
                && signal.name() != "lifecycleEvent" && signal.enclosingMetaObject() == &shared;
            if (!isForwarded && !neverEmitted.contains(signal.name()))
                QTest::addRow("%s::%s", meta->className(), signal.name().constData())
                    << meta << signal;
        }
    }
}

void ReentrancyTest::tryAll(const std::vector<NamedAct> &acts, bool honest)
{
    QFETCH(const QMetaObject *, type);
    QFETCH(QMetaMethod, signal);
    for (const NamedAct &act : acts) {
        if (QTest::currentTestFailed())
            return;
        tryOne(type, signal, act, honest, 1);
        tryOne(type, signal, act, honest, 100);
    }
}

void ReentrancyTest::tryOne(const QMetaObject *type, const QMetaMethod &signal, const NamedAct &act,
                            bool honest, int times)
{
    Play play;
    bool acting = false;
    play.connectSlot(type, signal, [&] {
        if (acting || play.actions >= times)
            return;
        acting = true;
        ++play.actions;
        act.act(play);
        acting = false;
    });
    play.watch(); // after the slot that acts
    play.run();
    const QByteArray what =
        QByteArray(act.name) + ": " + play.stage->log.text().right(400).toUtf8();
    QVERIFY2(play.actions > 0, "this signal was never emitted");
    QVERIFY2(play.seen == play.highest, what.constData());
    // An event loop in a slot of the evaluator emits the next events before the receivers after
    // this one get the current event. A slot of the supervisor is after all receivers of the
    // evaluator.
    if (act.name != eventLoop || type != &Evaluator::staticMetaObject) {
        QVERIFY2(play.stage->log.isWithoutGaps(), what.constData());
        QVERIFY2(play.inOrder, what.constData());
    }
    if (honest)
        QVERIFY2(!play.stage->log.text().contains(QLatin1String("TWICE")), what.constData());
    qsizetype active = 0;
    for (const QUuid &id : play.supervisor().ids()) {
        QVERIFY2(!play.removed.contains(id), what.constData());
        active += static_cast<qsizetype>(play.policyEvaluator().isActive(id));
    }
    if (qstrcmp(act.name, "e.add") != 0)
        QVERIFY2(play.supervisor().isIdle() == (active == 0), what.constData());
}

void ReentrancyTest::destroysRemovedAgentAfterSlot()
{
    QFETCH(const QMetaObject *, type);
    QFETCH(QMetaMethod, signal);
    Play play;
    const QPointer<Agent> agent = play.supervisor().agent(play.id());
    play.connectSlot(type, signal, [&] { removeFirst(play); });
    play.run();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    if (!play.removed.isEmpty())
        QVERIFY(!agent);
}

void ReentrancyTest::slotMayDeleteSupervisorLater()
{
    QFETCH(const QMetaObject *, type);
    QFETCH(QMetaMethod, signal);
    // At the first emission, then at the second, and so on.
    bool gone = true;
    for (int nth = 1; gone && nth < 40; ++nth) {
        Play play;
        const QPointer<Agent> agent = play.supervisor().agent(play.id());
        const QPointer<AgentSupervisor> supervisor = play.stage->giveAway();
        int left = nth;
        play.connectSlot(type, signal, [&] {
            if (--left == 0)
                supervisor->deleteLater();
        });
        play.run();
        gone = supervisor.isNull();
        QCOMPARE(agent.isNull(), gone);
        delete supervisor.data();
        QCOMPARE(play.stage->scheduler.armedCount(), std::size_t{0});
    }
}

REKINDLE_TEST(ReentrancyTest)
#include "reentrancytest.moc"
