// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "groups/apiscene.h"
#include "lifecycle/internal/decisionrecorder.h"
#include "lifecycle/internal/evaluatorport.h"
#include "sanitizer.h"
#include "testprogram.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/simulation/journalreplay.h>

#include <functional>
#include <random>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

/// What a run has recorded.
struct Recording
{
    QList<JournalEntry> inputs;
    QList<LifecycleEvent> events;
    QList<DecisionRecord> decisions;
};

// Random operations on three agents of a real evaluator in virtual time.
class RandomRun : public QObject
{
public:
    explicit RandomRun(unsigned seed)
        : m_random(seed)
    {
        EvaluatorPort(evaluator).setInputJournal(
            [this](JournalEntry &&entry) { recording.inputs.append(std::move(entry)); });
        EvaluatorPort(evaluator).setHealthSource([this](const QUuid &) {
            AgentHealthStatus health;
            if (below(2) == 0)
                health.lastMissAt = scheduler.now() - 1s * below(40);
            return health;
        });
        connect(&evaluator, &RestartPolicyEvaluator::lifecycleEvent, this,
                [this](const LifecycleEvent &event) {
                    recording.events.append(event);
                    removeSometimes(header(event).instanceId);
                });
        recordDecisions(evaluator, this, [this](DecisionRecord record) {
            recording.decisions.append(std::move(record));
        });
        for (int i = 0; i < 3; ++i)
            add(QUuid::createUuidV5(QUuid(), QString::number(i)));
    }

    void run(int operations)
    {
        for (int i = 0; i < operations; ++i) {
            const QUuid id = m_ids.at(below(3));
            if (!evaluator.contains(id)) {
                scheduler.advance(1ns); // as with a real clock, so that no two events are equal
                add(id);
            }
            operate(id);
        }
    }

    Recording recording;
    VirtualClock clock;
    VirtualScheduler scheduler{clock};
    RestartPolicyEvaluator evaluator{scheduler, [this](const QUuid &) {
                                         return std::uniform_real_distribution(0.0, 1.0)(m_random);
                                     }};

private:
    int below(int end) { return std::uniform_int_distribution(0, end - 1)(m_random); }

    void add(const QUuid &id)
    {
        if (!m_ids.contains(id))
            m_ids.append(id);
        if (hasErrors(evaluator.add(id, QStringLiteral("agent"), policy())))
            qFatal("the policy is invalid");
        if (m_memory && below(2) == 0)
            evaluator.resume(id, *m_memory);
    }

    // In the middle of the emission of events, so that the following ones are never emitted.
    void removeSometimes(const QUuid &id)
    {
        if (below(60) != 0)
            return;
        m_memory = evaluator.memory(id);
        evaluator.remove(id);
    }

    RestartPolicy policy()
    {
        RestartPolicy policy;
        policy.maxRetries = below(2) == 0 ? std::nullopt : std::optional(below(4));
        policy.initialDelay = 100ms * below(30);
        policy.stableAfter = 1s * below(20);
        policy.minInterval = 1s * below(3);
        policy.restartOn = below(2) == 0 ? RestartOn::Failure : RestartOn::Always;
        if (below(3) == 0)
            policy.circuitBreaker.reset();
        else
            policy.circuitBreaker->threshold = 1 + below(4);
        if (below(3) == 0)
            policy.window = RestartWindow{.restarts = 1 + below(3), .period = 20s};
        if (below(3) == 0)
            policy.rearmAfter = 30s;
        return policy;
    }

    Failure failure()
    {
        return {below(2) == 0 ? FailureReason::ProcessCrash : FailureReason::HealthCheckFailed,
                {.message = QStringLiteral("text %1").arg(below(100)),
                 .exitCode = below(2) == 0 ? std::nullopt : std::optional(below(130)),
                 .processId = 1 + below(1000),
                 .permanent = below(10) == 0}};
    }

    void operate(const QUuid &id)
    {
        const std::optional<AgentSnapshot> snapshot = evaluator.snapshot(id);
        if (!snapshot) // removed while it was resumed
            return;
        const quint64 generation = snapshot->generation - (below(20) == 0 ? 1 : 0);
        const auto holds = Holds::fromInt(1 << below(5));
        const std::array<std::function<void()>, 24> operations = {
            [&] { evaluator.start(id); },
            [&] { evaluator.stop(id, below(2) == 0); },
            [&] { evaluator.restart(id, QStringLiteral("operator")); },
            [&] { evaluator.resetCircuitBreaker(id); },
            [&] { evaluator.isolateCircuitBreaker(id); },
            [&] { evaluator.releaseCircuitBreaker(id); },
            [&] { static_cast<void>(evaluator.setPolicy(id, policy())); },
            [&] { static_cast<void>(EvaluatorPort(evaluator).beginLaunch(id)); },
            [&] { static_cast<void>(EvaluatorPort(evaluator).beginLaunch(id)); },
            [&] { EvaluatorPort(evaluator).reportStarted(id, generation, 1 + below(1000)); },
            [&] { EvaluatorPort(evaluator).reportReady(id, generation); },
            [&] { EvaluatorPort(evaluator).reportFailed(id, generation, failure()); },
            [&] { EvaluatorPort(evaluator).reportFailed(id, generation, failure()); },
            [&] { EvaluatorPort(evaluator).reportUnhealthy(id, generation, failure()); },
            [&] { EvaluatorPort(evaluator).reportStopped(id, generation); },
            [&] {
                EvaluatorPort(evaluator).reportRestartRequested(
                    id, generation, QStringLiteral("42"), below(2) == 0);
            },
            [&] { EvaluatorPort(evaluator).extendStart(id, generation, 1s * below(60)); },
            [&] { evaluator.addHolds(id, holds); },
            [&] { evaluator.liftHolds(id, holds); },
            [&] { scheduler.advance(100ms * below(300)); },
            [&] { scheduler.advance(1ms * below(300)); },
            [&] { crash(id); },
            [&] { crash(id); },
            [&] { crash(id); },
        };
        operations.at(static_cast<std::size_t>(below(int(operations.size()))))();
    }

    void crash(const QUuid &id)
    {
        evaluator.liftHolds(id, Holds::fromInt(31));
        scheduler.advance(100ms * below(100));
        if (const std::optional<quint64> generation = EvaluatorPort(evaluator).beginLaunch(id)) {
            EvaluatorPort(evaluator).reportStarted(id, *generation, 1);
            if (below(3) == 0)
                EvaluatorPort(evaluator).reportReady(id, *generation);
            EvaluatorPort(evaluator).reportFailed(id, *generation, failure());
        }
    }

    std::mt19937 m_random;
    QList<QUuid> m_ids;
    std::optional<InstanceMemory> m_memory;
};

// Passes everything in the order of its times, as a store contains it.
void replay(const Recording &recording, JournalReplay &replay)
{
    auto event = recording.events.begin();
    auto decision = recording.decisions.begin();
    const auto compareUntil = [&](Instant end) {
        for (; decision != recording.decisions.end() && decision->monotonicTime < end; ++decision)
            replay.compareDecision(decision->instanceId, toJson(*decision));
        for (; event != recording.events.end() && header(*event).monotonicTime < end; ++event)
            replay.compareEvent(eventType(*event), eventToJson(*event));
    };
    for (const JournalEntry &entry : recording.inputs) {
        compareUntil(entry.time);
        replay.apply(entry);
    }
    compareUntil(Instant::max());
    replay.finish(true);
}

QString text(const JournalReplay &replay)
{
    const std::optional<ReplayDifference> &found = replay.difference();
    if (!found)
        return QStringLiteral("identical");
    QString text = QStringLiteral("%1 %2: %3").arg(found->number).arg(found->input, found->what);
    for (const ReplayDifference::Field &field : found->fields)
        text += QStringLiteral("; %1 %2 %3").arg(field.name, field.recorded, field.replayed);
    return text;
}

// The first input of this kind that led to a decision.
qsizetype decisiveInput(const Recording &recording, InputKind kind)
{
    for (qsizetype i = 0; i < recording.inputs.size(); ++i) {
        const JournalEntry &entry = recording.inputs[i];
        const auto decided = [&](const DecisionRecord &each) {
            return each.instanceId == entry.instanceId && each.monotonicTime == entry.time;
        };
        if (entry.kind == JournalEntry::Kind::Input && entry.input == kind
            && std::any_of(recording.decisions.begin(), recording.decisions.end(), decided))
            return i;
    }
    return -1;
}

void recordRun(RestartPolicyEvaluator &evaluator, QObject *receiver, Recording &recording)
{
    EvaluatorPort(evaluator).setInputJournal(
        [&recording](JournalEntry &&entry) { recording.inputs.append(std::move(entry)); });
    QObject::connect(&evaluator, &RestartPolicyEvaluator::lifecycleEvent, receiver,
                     [&recording](const LifecycleEvent &event) { recording.events.append(event); });
    recordDecisions(evaluator, receiver, [&recording](DecisionRecord record) {
        recording.decisions.append(std::move(record));
    });
}

// An agent with jitter that fails three times.
void recordFailures(Recording &recording)
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    RestartPolicyEvaluator evaluator(scheduler, [](const QUuid &) { return 0.25; });
    QObject receiver;
    recordRun(evaluator, &receiver, recording);
    const QUuid id(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    QVERIFY(!hasErrors(evaluator.add(id, QStringLiteral("web"), RestartPolicy{})));
    evaluator.start(id);
    for (int i = 0; i < 3; ++i) {
        const quint64 generation = EvaluatorPort(evaluator).beginLaunch(id).value();
        EvaluatorPort(evaluator).reportStarted(id, generation, 1);
        scheduler.advance(1s);
        EvaluatorPort(evaluator).reportFailed(id, generation,
                                              {FailureReason::ProcessCrash, {.exitCode = 3}});
        scheduler.advance(1min);
    }
}

} // namespace

/// Recorded runs, whose decisions are made again.
class JournalReplayTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordedRunIsIdentical()
    {
        constexpr unsigned runs = runsHere(100);
        qint64 decisions = 0;
        for (unsigned seed = 1; seed <= runs; ++seed) {
            RandomRun run(seed);
            run.run(400);
            JournalReplay again;
            replay(run.recording, again);
            QVERIFY2(!again.difference(),
                     qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(text(again))));
            QCOMPARE(again.inputs(), qint64{run.recording.inputs.size()});
            decisions += again.decisions();
        }
        QVERIFY(decisions > 10 * runs);
    }

    // Other hosts open, probe and close a breaker of these agents.
    void runWithAFollowedBreakerIsIdentical()
    {
        const QString api = QStringLiteral("api");
        Recording recording;
        bool isPermitted = false;
        ApiScene scene(0, {.threshold = 10, .isFleetWide = true});
        recordRun(scene.stage.supervisor.policyEvaluator(), &scene.breakers, recording);
        scene.breakers.setTrialGate(
            {.permits = [&isPermitted](const QString &) { return isPermitted; }, .text = {}});
        for (int i = 0; i < 5; ++i)
            scene.add(QStringLiteral("c%1").arg(i));
        scene.stage.play(QStringLiteral("startAll +5s"));
        scene.endpoint.isUp = false;
        scene.stage.play(QStringLiteral("+1s"));
        scene.breakers.follow(api, CircuitBreakerState::Open, 0); // refunds five votes
        scene.stage.play(QStringLiteral("+40s start:c1 restart:c2 +20s"));
        scene.breakers.follow(api, CircuitBreakerState::Open, 1);
        isPermitted = true;
        scene.stage.play(QStringLiteral("+2m"));
        QVERIFY(scene.log.contains(QStringLiteral("127s:Open:c0"))); // a trial of this host
        scene.breakers.follow(api, CircuitBreakerState::Closed, 0);
        scene.stage.play(QStringLiteral("+1s"));
        scene.endpoint.isUp = true;
        scene.stage.play(QStringLiteral("+1m"));
        QCOMPARE(scene.count(InstanceState::Running), 5);
        JournalReplay again;
        replay(recording, again);
        QCOMPARE(text(again), QStringLiteral("identical"));
        QCOMPARE(again.inputs(), qint64{recording.inputs.size()});
        QVERIFY(again.decisions() >= 6);
    }

    void storedEntriesAreIdentical()
    {
        constexpr unsigned runs = runsHere(30);
        for (unsigned seed = 1; seed <= runs; ++seed) {
            RandomRun run(seed);
            run.run(400);
            for (JournalEntry &entry : run.recording.inputs) {
                JournalEntry read;
                read.number = entry.number;
                read.time = entry.time;
                read.instanceId = entry.instanceId;
                read.agent = entry.agent;
                read.generation = entry.generation;
                read.draw = entry.draw;
                QCOMPARE(read.read(entry.kindText(), entry.data()), QString());
                QCOMPARE(read.byHost, entry.byHost);
                QCOMPARE(read.holds, entry.holds);
                entry = std::move(read);
            }
            JournalReplay again;
            replay(run.recording, again);
            QCOMPARE(text(again), QStringLiteral("identical"));
        }
    }

    // No decision depends on some values. The checksum of a store detects those changes.
    void changeIsReportedAtTheInputOrLater()
    {
        const std::array<void (*)(JournalEntry &), 8> changes = {
            [](JournalEntry &entry) { entry.time += 1ns; },
            [](JournalEntry &entry) { ++entry.generation; },
            [](JournalEntry &entry) { entry.draw = 1 - entry.draw; },
            [](JournalEntry &entry) { entry.reason = FailureReason::ResourceExhaustion; },
            [](JournalEntry &entry) { entry.exitCode = 99; },
            [](JournalEntry &entry) { entry.permanent = !entry.permanent; },
            [](JournalEntry &entry) { entry.kind = JournalEntry::Kind::Removed; },
            [](JournalEntry &entry) { entry.instanceId = QUuid::createUuidV5(QUuid(), QString()); },
        };
        RandomRun run(1);
        run.run(400);
        std::mt19937 random(7);
        for (const auto &change : changes) {
            int found = 0;
            for (int i = 0; i < 40 || (i < 1000 && found == 0); ++i) {
                Recording changed = run.recording;
                const qsizetype at = static_cast<qsizetype>(random() % changed.inputs.size());
                if (changed.inputs[at].kind != JournalEntry::Kind::Input)
                    continue;
                change(changed.inputs[at]);
                JournalReplay again;
                replay(changed, again);
                if (!again.difference())
                    continue;
                ++found;
                // A recorded event without a counterpart belongs to the latest input of its agent.
                if (!again.difference()->what.contains(QLatin1String("is not produced")))
                    QVERIFY2(again.difference()->number > static_cast<quint64>(at),
                             qPrintable(text(again)));
            }
            QVERIFY2(found > 0, qPrintable(QString::number(&change - changes.data())));
        }
    }

    void namesInputRuleAndFields()
    {
        Recording recording;
        recordFailures(recording);
        const qsizetype at = decisiveInput(recording, InputKind::Failed);
        const auto n = static_cast<quint64>(at) + 1;
        {
            JournalReplay again;
            replay(recording, again);
            QCOMPARE(text(again), QStringLiteral("identical"));
            QCOMPARE(again.inputs(), qint64{recording.inputs.size()});
            QCOMPARE(again.events(), qint64{recording.events.size()});
            QCOMPARE(again.decisions(), qint64{3});
        }
        Recording changed = recording;
        changed.inputs[at].permanent = true;
        JournalReplay again;
        replay(changed, again);
        const ReplayDifference difference = again.difference().value_or(ReplayDifference{});
        QCOMPARE(difference.number, n);
        QCOMPARE(difference.agent, QStringLiteral("web"));
        QCOMPARE(difference.input, QStringLiteral("Failed"));

        QCOMPARE(difference.recordedRule, QStringLiteral("Restart"));
        QCOMPARE(difference.replayedRule, QStringLiteral("PermanentFailure"));

        changed = recording;
        changed.inputs[at].draw = 0.75;
        JournalReplay other;
        replay(changed, other);
        QVERIFY(other.difference());
        QCOMPARE(other.difference()->number, n);
        QVERIFY(other.difference()->fields.contains(
            {QStringLiteral("inputs.draw"), QStringLiteral("0.25"), QStringLiteral("0.75")}));
    }

    void reportsWhatWasNotRecorded()
    {
        Recording recording;
        recordFailures(recording);
        Recording changed = recording;
        changed.decisions.removeLast();
        JournalReplay again;
        replay(changed, again);
        QCOMPARE(again.difference()->what,
                 QStringLiteral("the decision is produced now, but was not recorded"));

        // The end of the run of a killed host.
        JournalReplay killed;
        for (const JournalEntry &entry : std::as_const(changed.inputs))
            killed.apply(entry);
        killed.finish(false);
        QCOMPARE(text(killed), QStringLiteral("identical"));
    }

    void reportsUnknownInstance()
    {
        Recording recording;
        recordFailures(recording);
        recording.inputs.removeFirst();
        JournalReplay again;
        replay(recording, again);
        QCOMPARE(text(again), QStringLiteral("2 Start: the instance was not added"));
    }

    void thirtyDaysAreIdentical()
    {
        RandomRun run(42);
        while (run.clock.now() - Instant{} < std::chrono::days(30)) {
            run.run(100);
            run.scheduler.advance(1h);
        }
        JournalReplay again;
        replay(run.recording, again);
        QCOMPARE(text(again), QStringLiteral("identical"));
        QVERIFY(again.inputs() > 10'000);
    }
};

REKINDLE_TEST(JournalReplayTest)
#include "journalreplaytest.moc"
