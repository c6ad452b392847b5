// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "apiscene.h"
#include "scriptedprobe.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

const QString api = QStringLiteral("api");

} // namespace

// Probes that decide the trials of shared breakers, with the engine in virtual time.
class TrialProbeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void decidesTrials();
    void failsByTimeout();
    void mustSucceedForSomeTime();
    void isRepeatedIfItCouldNotRun();
    void operatorCommandsCancelIt();
    void agentWaitsForOtherBreakers();
    void canBeReplaced();
    void slotDeletesTheBreakers();

private:
    // A probe with an interval of 500 ms and a timeout of 2 s.
    HealthCheck check(ApiScene &scene, const QString &script)
    {
        m_calls.clear();
        return {
            QStringLiteral("probe"),
            {.interval = 500ms, .timeout = 2s},
            std::make_unique<ScriptedProbe>(scene.stage.scheduler, script,
                                            [this](const QString &call) { m_calls.append(call); })};
    }
    // All agents run, and their endpoint goes down. The breaker opens after 1 s.
    static void beginOutage(ApiScene &scene)
    {
        scene.stage.play(QStringLiteral("startAll +5s"));
        scene.endpoint.isUp = false;
        scene.stage.play(QStringLiteral("+1s"));
        scene.log.clear();
        scene.endpoint.starts = 0;
    }

    QStringList m_calls;
};

void TrialProbeTest::decidesTrials()
{
    ApiScene scene(3);
    scene.breakers.setProbe(api, check(scene, QStringLiteral("no no ok")));
    beginOutage(scene);
    scene.stage.play(QStringLiteral("+100s"));
    QCOMPARE(scene.log,
             QStringList({QStringLiteral("36s:HalfOpen:"), QStringLiteral("36s:Open:"),
                          QStringLiteral("96s:HalfOpen:"), QStringLiteral("96s:Open:")}));
    QCOMPARE(m_calls, QStringList({QStringLiteral("run:2s"), QStringLiteral("run:2s")}));
    QCOMPARE(scene.endpoint.starts, 0);
    scene.endpoint.isUp = true;
    scene.stage.play(QStringLiteral("+125s"));
    QCOMPARE(scene.log.mid(4),
             QStringList({QStringLiteral("216s:HalfOpen:"), QStringLiteral("221s:Closed:")}));
    QCOMPARE(scene.count(InstanceState::Running), 3);
    QCOMPARE(scene.snapshot(0).attempt, 0);
}

void TrialProbeTest::failsByTimeout()
{
    ApiScene scene(3);
    scene.breakers.setProbe(api, check(scene, QStringLiteral("never")));
    beginOutage(scene);
    scene.stage.play(QStringLiteral("+31s"));
    QCOMPARE(toTexts(scene.snapshot(0).holdCauses),
             QStringList(QStringLiteral("shared breaker api (HalfOpen, the probe runs)")));
    scene.stage.play(QStringLiteral("+2s"));
    QCOMPARE(scene.log,
             QStringList({QStringLiteral("36s:HalfOpen:"), QStringLiteral("38s:Open:")}));
    QCOMPARE(m_calls, QStringList({QStringLiteral("run:2s"), QStringLiteral("cancel")}));
}

void TrialProbeTest::mustSucceedForSomeTime()
{
    ApiScene scene(3, {.provenAfter = 1200ms});
    scene.breakers.setProbe(api, check(scene, QStringLiteral("ok@100ms ok ok no")));
    beginOutage(scene);
    scene.stage.play(QStringLiteral("+33s"));
    QCOMPARE(m_calls.size(), 4); // the last one 200 ms after the third one
    QCOMPARE(scene.log,
             QStringList({QStringLiteral("36s:HalfOpen:"), QStringLiteral("37s:Open:")}));
}

void TrialProbeTest::isRepeatedIfItCouldNotRun()
{
    class PostponedProbe final : public HealthProbe
    {
    public:
        void start(Duration) override
        {
            if (++runs < 3)
                Q_EMIT postponed();
            else
                Q_EMIT finished(true, {});
        }
        void cancel() override {}
        int runs = 0;
    };
    ApiScene scene(3, {.provenAfter = 0s});
    scene.breakers.setProbe(api, {{}, {.interval = 500ms}, std::make_unique<PostponedProbe>()});
    beginOutage(scene);
    scene.endpoint.isUp = true;
    scene.stage.play(QStringLiteral("+32s"));
    QCOMPARE(scene.log,
             QStringList({QStringLiteral("36s:HalfOpen:"), QStringLiteral("37s:Closed:")}));
}

void TrialProbeTest::operatorCommandsCancelIt()
{
    ApiScene scene(3);
    scene.breakers.setProbe(api, check(scene, QStringLiteral("never never ok")));
    beginOutage(scene);
    scene.stage.play(QStringLiteral("+31s"));
    scene.breakers.isolate(api);
    scene.stage.play(QStringLiteral("+1h"));
    QCOMPARE(scene.log,
             QStringList({QStringLiteral("36s:HalfOpen:"), QStringLiteral("37s:Open:")}));
    QCOMPARE(m_calls, QStringList({QStringLiteral("run:2s"), QStringLiteral("cancel")}));
    scene.breakers.release(api);
    scene.stage.play(QStringLiteral("+1s"));
    QCOMPARE(m_calls.size(), 3);
    scene.endpoint.isUp = true;
    scene.breakers.reset(api);
    QCOMPARE(m_calls.last(), QStringLiteral("cancel"));
    scene.stage.play(QStringLiteral("+2s"));
    QCOMPARE(scene.breakers.info(api)->state, CircuitBreakerState::Closed);
    QCOMPARE(scene.count(InstanceState::Running), 3);
}

// Another breaker that the agents require has no probe. They are its trial when they can start.
void TrialProbeTest::agentWaitsForOtherBreakers()
{
    ApiScene scene(3);
    const QString db = scene.requireTwo().second;
    scene.breakers.setProbe(api, check(scene, QStringLiteral("no ok")));
    scene.endpoint.name = api;
    beginOutage(scene);
    CircuitBreakerSnapshot open;
    open.state = CircuitBreakerState::Open;
    open.openedAt = open.resetAt = scene.stage.scheduler.now();
    scene.breakers.restore(db, open);
    scene.stage.play(QStringLiteral("+80s"));
    QCOMPARE(scene.endpoint.starts, 0);
    scene.endpoint.isUp = true;
    scene.stage.play(QStringLiteral("+30s"));
    QCOMPARE(scene.log,
             QStringList({QStringLiteral("36s:HalfOpen:"), QStringLiteral("36s:Open:"),
                          QStringLiteral("96s:HalfOpen:"), QStringLiteral("101s:Closed:"),
                          QStringLiteral("101s:HalfOpen:c0"), QStringLiteral("107s:Closed:c0")}));
    QCOMPARE(scene.count(InstanceState::Running), 3);
}

void TrialProbeTest::canBeReplaced()
{
    ApiScene scene(3);
    scene.breakers.setProbe(api, check(scene, QStringLiteral("never")));
    scene.breakers.setProbe(QStringLiteral("other"), check(scene, QStringLiteral("never")));
    beginOutage(scene);
    scene.stage.play(QStringLiteral("+31s"));
    scene.breakers.setProbe(api, {}); // an agent is the trial from now on
    scene.endpoint.isUp = true;
    scene.stage.play(QStringLiteral("+10s"));
    QCOMPARE(scene.log,
             QStringList({QStringLiteral("36s:HalfOpen:"), QStringLiteral("37s:Open:"),
                          QStringLiteral("37s:HalfOpen:c0"), QStringLiteral("43s:Closed:c0")}));
}

void TrialProbeTest::slotDeletesTheBreakers()
{
    for (const CircuitBreakerState last :
         {CircuitBreakerState::HalfOpen, CircuitBreakerState::Open, CircuitBreakerState::Closed}) {
        ApiScene scene(3, {.provenAfter = 0s});
        auto breakers = std::make_unique<SharedBreakers>(scene.stage.supervisor);
        const QString db = QStringLiteral("db");
        QVERIFY(breakers->setBreakers({{.name = db, .provenAfter = 0s}}).isEmpty());
        breakers->setProbe(
            db,
            check(scene,
                  last == CircuitBreakerState::Open ? QStringLiteral("no") : QStringLiteral("ok")));
        CircuitBreakerSnapshot open;
        open.state = CircuitBreakerState::Open;
        open.openedAt = open.resetAt = scene.stage.scheduler.now();
        breakers->restore(db, open);
        QObject::connect(breakers.get(), &SharedBreakers::stateChanged, &scene.stage.supervisor,
                         [&](const QString &, CircuitBreakerState, CircuitBreakerState state) {
                             if (state == last)
                                 breakers.reset();
                         });
        scene.stage.play(QStringLiteral("+1s"));
        QVERIFY(!breakers);
    }
}

REKINDLE_TEST(TrialProbeTest)
#include "trialprobetest.moc"
