// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "eventlog.h"
#include "lifecycle/internal/evaluatorport.h"
#include "testprogram.h"

#include <rekindle/lifecycle/virtualscheduler.h>

#include <future>

using namespace Rekindle;
using namespace std::chrono_literals;
using Evaluator = RestartPolicyEvaluator;

namespace {

RestartPolicy plainPolicy()
{
    RestartPolicy policy;
    policy.jitter.kind = JitterKind::None;
    return policy;
}

} // namespace

class EvaluatorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void rejectsInvalidPolicies();
    void rejectsKnownIds();
    void ignoresUnknownIds();
    void emitsTypedSignalBeforeEvent();
    void setsEventHeaders();
    void removalLeavesNoSequenceGap();
    void removalDropsPendingSignals();
    void emitsDecidedFirst();
    void emitsStateChangedAfterEvents();
    void countsStaleReports();
    void reportsProcessIdOfCurrentStart();
    void countsActiveInstances();
    void deliversEventsToOtherThreads();
    void CircuitBreaker_TripsAfterThreshold();
    void refusedExitForRestartHasItsExitCode();
    void evaluateKeepsAddedInstance();
    void emitsChangesOfStandaloneBreaker();
    void respectsOpenBreakerOfContext();
    void evaluatesWithoutBreaker();
    void successClosesStandaloneBreaker();
    void removeDropsStandaloneBreaker();
    void jittersDelays();

private:
    quint64 launch();
    [[nodiscard]] static RestartContext context(const QUuid &id, int attempt);

    VirtualClock m_clock;
    VirtualScheduler m_scheduler{m_clock};
    std::unique_ptr<Evaluator> m_evaluator;
    QUuid m_id;
};

void EvaluatorTest::init()
{
    m_evaluator = std::make_unique<Evaluator>(m_scheduler, [](const QUuid &) { return 0.5; });
    m_id = QUuid::createUuid();
    QVERIFY(m_evaluator->add(m_id, QStringLiteral("web"), plainPolicy()).isEmpty());
}

quint64 EvaluatorTest::launch()
{
    m_evaluator->start(m_id);
    m_scheduler.advance(0s);
    return EvaluatorPort(*m_evaluator).beginLaunch(m_id).value_or(0);
}

void EvaluatorTest::rejectsInvalidPolicies()
{
    const QUuid id = QUuid::createUuid();
    RestartPolicy wrong;
    wrong.maxRetries = -1;
    wrong.multiplier = 0.5;
    wrong.maxDelay = 1ms;
    QStringList paths;
    for (const Fault &fault : m_evaluator->add(id, QStringLiteral("x"), wrong))
        paths.append(fault.path);
    QCOMPARE(paths.join(u' '), QStringLiteral("/maxRetries /multiplier /maxDelay"));
    QVERIFY(!m_evaluator->contains(id));

    QVERIFY(hasErrors(m_evaluator->setPolicy(m_id, wrong)));
    QCOMPARE(m_evaluator->policy(m_id), plainPolicy());
    RestartPolicy unlimited;
    unlimited.stableAfter = 0s;
    QVERIFY(!hasErrors(m_evaluator->setPolicy(m_id, unlimited)));
    QVERIFY(hasErrors(m_evaluator->setPolicy(m_id, unlimited, true)));
}

void EvaluatorTest::rejectsKnownIds()
{
    QVERIFY(hasErrors(m_evaluator->add(m_id, QStringLiteral("again"), plainPolicy())));
    QVERIFY(hasErrors(m_evaluator->add(QUuid(), QStringLiteral("null"), plainPolicy())));
    QCOMPARE(m_evaluator->snapshot(m_id)->name, QStringLiteral("web"));
}

void EvaluatorTest::ignoresUnknownIds()
{
    const EventLog log(*m_evaluator);
    const QUuid id = QUuid::createUuid();
    m_evaluator->remove(id);
    m_evaluator->start(id);
    m_evaluator->stop(id);
    m_evaluator->restart(id, {});
    m_evaluator->retryNow(id);
    m_evaluator->resetCircuitBreaker(id);
    m_evaluator->isolateCircuitBreaker(id);
    m_evaluator->releaseCircuitBreaker(id);
    m_evaluator->recordSuccess(id);
    m_evaluator->setPolicy(id, plainPolicy());
    EvaluatorPort(*m_evaluator).reportStarted(id, 0, 1);
    EvaluatorPort(*m_evaluator).reportReady(id, 0);
    EvaluatorPort(*m_evaluator).reportFailed(id, 0, {});
    EvaluatorPort(*m_evaluator).reportUnhealthy(id, 0, {});
    EvaluatorPort(*m_evaluator).reportStopped(id, 0);
    m_evaluator->announce(id, PolicyDowngraded{});
    QVERIFY(!EvaluatorPort(*m_evaluator).reportRestartRequested(id, 0, {}, true));
    QVERIFY(!EvaluatorPort(*m_evaluator).beginLaunch(id));
    QVERIFY(!m_evaluator->state(id) && !m_evaluator->snapshot(id) && !m_evaluator->isActive(id));
    QCOMPARE(m_evaluator->circuitBreakerState(id), CircuitBreakerInfo::closed());
    QCOMPARE(m_evaluator->policy(id), RestartPolicy{});
    QCOMPARE(log.text(), QString());
}

void EvaluatorTest::emitsTypedSignalBeforeEvent()
{
    Evaluator &e = *m_evaluator;
    const QMetaObject &meta = LifecycleSignals::staticMetaObject;
    // The typed signals are declared before lifecycleEvent().
    std::vector<std::unique_ptr<QSignalSpy>> typed;
    for (int i = meta.methodOffset(); meta.method(i).name() != "lifecycleEvent"; ++i)
        typed.push_back(std::make_unique<QSignalSpy>(&e, meta.method(i)));
    QCOMPARE(typed.size(), std::variant_size_v<LifecycleEvent>);
    qsizetype events = 0;
    connect(&e, &Evaluator::lifecycleEvent, this, [&] {
        qsizetype emitted = 0;
        for (const auto &spy : typed)
            emitted += spy->size();
        QCOMPARE(emitted, ++events);
    });

    RestartPolicy policy = plainPolicy();
    policy.maxRetries = 1;
    policy.circuitBreaker.reset();
    e.setPolicy(m_id, policy);
    EvaluatorPort(e).reportReady(m_id, launch());
    m_scheduler.advance(1min);
    e.restart(m_id, {});
    EvaluatorPort(e).reportStopped(m_id, 1);
    const quint64 second = launch();
    EvaluatorPort(e).reportFailed(m_id, second, {FailureReason::ProcessCrash, {}});
    m_scheduler.advance(1s);
    const quint64 third = EvaluatorPort(e).beginLaunch(m_id).value();
    EvaluatorPort(e).reportReady(m_id, third);
    EvaluatorPort(e).reportFailed(m_id, third, {FailureReason::ProcessCrash, {}}); // exhausted
    EvaluatorPort(e).reportFailed(m_id, launch(), {FailureReason::ProcessCrash, {}});
    m_scheduler.advance(1s);
    EvaluatorPort(e).reportFailed(m_id, EvaluatorPort(e).beginLaunch(m_id).value(),
                                  {FailureReason::ProcessCrash, {}});
    EvaluatorPort(e).reportFailed(m_id, launch(), {FailureReason::ProcessCrash, {}});
    e.stop(m_id);
    e.isolateCircuitBreaker(m_id);
    policy.type = RestartPolicyType::None;
    e.setPolicy(m_id, policy);
    EvaluatorPort(e).reportFailed(m_id, launch(), {FailureReason::ProcessCrash, {}});
    e.announce(m_id, PolicyDowngraded{});
    e.announce(m_id, HealthChanged{});
    e.announce(m_id, AgentOutput{});
    e.announce(m_id, OperatorAction{});
    e.announce(m_id, ConfigurationApplied{});
    e.announce(m_id, StartHeld{});
    e.announce(m_id, GroupRestarting{});
    e.announce(m_id, GroupExhausted{});
    e.announce(m_id, SharedBreakerStateChanged{});
    for (const auto &spy : typed)
        QVERIFY2(!spy->isEmpty(), spy->signal().constData());
}

void EvaluatorTest::setsEventHeaders()
{
    const EventLog log(*m_evaluator);
    m_scheduler.advance(90s);
    EvaluatorPort(*m_evaluator).reportReady(m_id, launch());
    m_scheduler.advance(60s);
    m_evaluator->isolateCircuitBreaker(m_id);
    QCOMPARE(log.events().size(), 4);
    for (const LifecycleEvent &event : log.events()) {
        const EventHeader &common = header(event);
        QCOMPARE(common.instanceId, m_id);
        QCOMPARE(common.agent, QStringLiteral("web"));
        QCOMPARE(common.time, m_clock.toUtc(common.monotonicTime));
    }
    QCOMPARE(header(log.events().last()).monotonicTime, m_clock.now());
    QVERIFY(log.isWithoutGaps());
}

void EvaluatorTest::removalLeavesNoSequenceGap()
{
    const EventLog log(*m_evaluator);
    const QUuid other = QUuid::createUuid();
    m_evaluator->add(other, QStringLiteral("other"), plainPolicy());
    connect(m_evaluator.get(), &Evaluator::agentFailed, this,
            [this](const AgentFailed &event) { m_evaluator->remove(event.instanceId); });
    EvaluatorPort(*m_evaluator).reportFailed(m_id, launch(), {});
    m_evaluator->isolateCircuitBreaker(other);
    QCOMPARE(log.text(), QStringLiteral("failed:Unknown closed>open"));
    QVERIFY(log.isWithoutGaps());
}

void EvaluatorTest::removalDropsPendingSignals()
{
    const EventLog log(*m_evaluator);
    int decisions = 0;
    connect(m_evaluator.get(), &Evaluator::decided, this, [&] {
        if (++decisions > 1)
            return;
        RestartContext context;
        context.instanceId = m_id;
        m_evaluator->evaluate(context); // emitted later if it were not removed
        m_evaluator->remove(m_id);
        m_evaluator->add(m_id, QStringLiteral("new"), plainPolicy());
    });
    EvaluatorPort(*m_evaluator).reportFailed(m_id, launch(), {});
    QCOMPARE(decisions, 1);
    QCOMPARE(log.text(), QString()); // nothing of its earlier life
    m_evaluator->isolateCircuitBreaker(m_id);
    QVERIFY(log.isWithoutGaps());
}

void EvaluatorTest::emitsDecidedFirst()
{
    EventLog log(*m_evaluator);
    connect(m_evaluator.get(), &Evaluator::decided, &log,
            [&](const QUuid &, const RestartDecision &decision) {
                log.write({}, QStringLiteral("decided:%1").arg(decision.attemptNumber));
                QVERIFY(m_evaluator->state(m_id) == InstanceState::Waiting); // the state is changed
            });
    EvaluatorPort(*m_evaluator).reportFailed(m_id, launch(), {FailureReason::Timeout, {}});
    QCOMPARE(log.text(), QStringLiteral("decided:1 failed:Timeout scheduled#1"));
}

void EvaluatorTest::emitsStateChangedAfterEvents()
{
    EventLog log(*m_evaluator);
    connect(m_evaluator.get(), &Evaluator::stateChanged, &log,
            [&](const QUuid &, InstanceState state) { log.write({}, toText(state)); });
    connect(m_evaluator.get(), &Evaluator::launchDue, &log,
            [&] { log.write({}, QStringLiteral("LAUNCH")); });
    connect(
        m_evaluator.get(), &Evaluator::stopDue, &log,
        [&](const QUuid &, quint64 generation, bool atOnce) {
            log.write(
                {},
                QStringLiteral("END:%1%2").arg(generation).arg(QLatin1String(atOnce ? "!" : "")));
        });
    EvaluatorPort(*m_evaluator).reportReady(m_id, launch());
    EvaluatorPort(*m_evaluator).reportUnhealthy(m_id, 1, {FailureReason::HealthCheckFailed, {}});
    EvaluatorPort(*m_evaluator).reportStopped(m_id, 1);
    m_scheduler.advance(1s);
    QCOMPARE(log.text(),
             QStringLiteral("Waiting LAUNCH Starting started ready Running "
                            "failed:HealthCheckFailed scheduled#1 Waiting END:1! "
                            "1s LAUNCH"));
}

void EvaluatorTest::countsStaleReports()
{
    EvaluatorPort(*m_evaluator).reportFailed(m_id, launch(), {});
    m_scheduler.advance(1s);
    QCOMPARE(EvaluatorPort(*m_evaluator).beginLaunch(m_id), std::optional<quint64>(2));
    const EventLog log(*m_evaluator);
    const QSignalSpy ignored(m_evaluator.get(), &Evaluator::reportIgnored);
    EvaluatorPort(*m_evaluator).reportStarted(m_id, 1, 4711);
    EvaluatorPort(*m_evaluator).reportReady(m_id, 1);
    EvaluatorPort(*m_evaluator).reportFailed(m_id, 1, {});
    EvaluatorPort(*m_evaluator).reportStopped(m_id, 1);
    QVERIFY(!EvaluatorPort(*m_evaluator).reportRestartRequested(m_id, 1, {}, false));
    const AgentSnapshot snapshot = m_evaluator->snapshot(m_id).value();
    QCOMPARE(snapshot.staleReports, quint64{5});
    QCOMPARE(ignored.count(), 5);
    QVERIFY(snapshot.state == InstanceState::Starting);
    QCOMPARE(snapshot.processId, qint64{0});
    QCOMPARE(log.text(), QString());
}

void EvaluatorTest::reportsProcessIdOfCurrentStart()
{
    const quint64 first = launch();
    EvaluatorPort(*m_evaluator).reportStarted(m_id, first, 100);
    QCOMPARE(m_evaluator->snapshot(m_id)->processId, qint64{100});
    QVERIFY(!EvaluatorPort(*m_evaluator).beginLaunch(m_id)); // a late demand; it runs already
    QCOMPARE(m_evaluator->snapshot(m_id)->processId, qint64{100});
    EvaluatorPort(*m_evaluator).reportFailed(m_id, first, {});
    QCOMPARE(m_evaluator->snapshot(m_id)->processId, qint64{0});
    m_scheduler.advance(1s);
    EvaluatorPort(*m_evaluator).beginLaunch(m_id);
    QCOMPARE(m_evaluator->snapshot(m_id)->processId, qint64{0});
}

void EvaluatorTest::countsActiveInstances()
{
    QSignalSpy idle(m_evaluator.get(), &Evaluator::becameIdle);
    const QUuid other = QUuid::createUuid();
    m_evaluator->add(other, QStringLiteral("other"), plainPolicy());
    QCOMPARE(m_evaluator->activeCount(), qsizetype{0});
    m_evaluator->start(other);
    QCOMPARE(m_evaluator->activeCount(), qsizetype{1});
    RestartPolicy none;
    none.type = RestartPolicyType::None;
    m_evaluator->setPolicy(m_id, none);
    EvaluatorPort(*m_evaluator).reportUnhealthy(m_id, launch(), {});
    QCOMPARE(m_evaluator->activeCount(), qsizetype{2}); // Failed, and it still runs
    m_evaluator->remove(other);
    QCOMPARE(m_evaluator->activeCount(), qsizetype{1});
    QCOMPARE(idle.count(), 0);
    connect(m_evaluator.get(), &Evaluator::becameIdle, this,
            [this] { QCOMPARE(m_evaluator->activeCount(), qsizetype{0}); });
    EvaluatorPort(*m_evaluator).reportStopped(m_id, 1);
    QCOMPARE(m_evaluator->activeCount(), qsizetype{0});
    QCOMPARE(idle.count(), 1);
}

void EvaluatorTest::deliversEventsToOtherThreads()
{
    QThread thread;
    QObject receiver;
    receiver.moveToThread(&thread);
    QStringList seen;
    std::promise<QString> all;
    connect(m_evaluator.get(), &Evaluator::lifecycleEvent, &receiver,
            [&](const LifecycleEvent &event) { seen.append(eventType(event)); });
    connect(
        m_evaluator.get(), &Evaluator::restartScheduled, &receiver,
        [&](const RestartScheduled &event) { seen.append(QString::number(event.attemptNumber)); });
    connect(
        m_evaluator.get(), &Evaluator::decided, &receiver,
        [&](const QUuid &, const RestartDecision &decision) { seen.append(decision.reason()); });
    connect(m_evaluator.get(), &Evaluator::stateChanged, &receiver,
            [&](const QUuid &, InstanceState state) {
                if (state == InstanceState::Waiting && seen.size() > 2)
                    all.set_value(seen.join(u' '));
            });
    thread.start();
    EvaluatorPort(*m_evaluator).reportFailed(m_id, launch(), {});
    std::future<QString> received = all.get_future();
    const bool inTime = received.wait_for(30s) == std::future_status::ready;
    thread.quit();
    QVERIFY(thread.wait(30'000));
    QVERIFY(inTime);
    QCOMPARE(received.get(), QStringLiteral("Restart attempt 1 agent.failed 1 restart.scheduled"));
}

RestartContext EvaluatorTest::context(const QUuid &id, int attempt)
{
    RestartContext context;
    context.instanceId = id;
    context.policy = plainPolicy();
    context.currentAttempt = attempt;
    context.reason = FailureReason::ProcessCrash;
    return context;
}

// S1 9.1: five consecutive failures, and the fifth decision is "circuit open".
void EvaluatorTest::CircuitBreaker_TripsAfterThreshold()
{
    const QUuid standalone = QUuid::createUuid();
    for (int failure = 1; failure <= 4; ++failure) {
        const RestartDecision decision =
            m_evaluator->evaluate(context(standalone, failure - 1)).result();
        QVERIFY(decision.shouldRestart);
        QCOMPARE(decision.attemptNumber, failure);
        QCOMPARE(decision.delay, Duration(1s * (1 << (failure - 1))));
    }
    const RestartDecision fifth = m_evaluator->evaluate(context(standalone, 4)).result();
    QVERIFY(!fifth.shouldRestart);
    QVERIFY(fifth.circuitBreakerTripped);
    QVERIFY(fifth.rule == DecisionRule::CircuitOpen);
    QCOMPARE(fifth.delay, Duration(5min));
    const CircuitBreakerInfo info = m_evaluator->circuitBreakerState(standalone);
    QVERIFY(info.state == CircuitBreakerState::Open);
    QCOMPARE(info.failureCount, 5);
    QCOMPARE(info.resetAt, std::optional(m_clock.utcNow() + 5min));
    QVERIFY(!m_evaluator->contains(standalone));
}

void EvaluatorTest::refusedExitForRestartHasItsExitCode()
{
    RestartPolicy policy = plainPolicy();
    policy.requestLimit = {1, 1min};
    QVERIFY(m_evaluator->setPolicy(m_id, policy).isEmpty());
    QSignalSpy decided(m_evaluator.get(), &Evaluator::decided);
    QSignalSpy failed(m_evaluator.get(), &Evaluator::agentFailed);
    m_evaluator->start(m_id);
    QVERIFY(EvaluatorPort(*m_evaluator).reportRestartRequested(m_id, launch(), {}, false));
    EvaluatorPort(*m_evaluator).reportRestartRequested(m_id, launch(), {}, false);
    QCOMPARE(decided.count(), 1);
    QCOMPARE(decided[0][1].value<RestartDecision>().inputs.exitCode, std::optional(42));
    const FailureDetail detail = failed[0][0].value<AgentFailed>().detail;
    QCOMPARE(detail.exitCode, std::optional(42));
    QCOMPARE(detail.message, QStringLiteral("requested more than 1 restarts within 1m"));
}

// Only the state table changes an instance.
void EvaluatorTest::evaluateKeepsAddedInstance()
{
    QSignalSpy changed(m_evaluator.get(), &Evaluator::circuitBreakerStateChanged);
    QSignalSpy decided(m_evaluator.get(), &Evaluator::decided);
    for (int failure = 0; failure < 6; ++failure)
        QVERIFY(m_evaluator->evaluate(context(m_id, failure)).result().shouldRestart);
    QCOMPARE(decided.count(), 0);
    QCOMPARE(changed.count(), 0);
    QCOMPARE(m_evaluator->circuitBreakerState(m_id), CircuitBreakerInfo::closed());

    // The result is what would be decided now.
    m_evaluator->start(m_id);
    for (int failure = 0; failure < 4; ++failure) {
        m_scheduler.advance(1min);
        EvaluatorPort(*m_evaluator)
            .reportFailed(m_id, EvaluatorPort(*m_evaluator).beginLaunch(m_id).value_or(0), {});
    }
    QCOMPARE(m_evaluator->circuitBreakerState(m_id).failureCount, 4);
    QVERIFY(m_evaluator->evaluate(context(m_id, 4)).result().circuitBreakerTripped);
    QCOMPARE(m_evaluator->circuitBreakerState(m_id).failureCount, 4);
}

void EvaluatorTest::emitsChangesOfStandaloneBreaker()
{
    const QUuid standalone = QUuid::createUuid();
    QSignalSpy changed(m_evaluator.get(), &Evaluator::circuitBreakerStateChanged);
    QSignalSpy decided(m_evaluator.get(), &Evaluator::decided);
    QSignalSpy scheduled(m_evaluator.get(), &Evaluator::restartScheduled);
    for (int failure = 0; failure < 5; ++failure)
        m_evaluator->evaluate(context(standalone, failure));
    QCOMPARE(decided.count(), 5);
    QCOMPARE(scheduled.count(), 0);
    QCOMPARE(changed.count(), 1);
    const auto opened = changed[0][0].value<CircuitBreakerStateChanged>();
    QCOMPARE(opened.instanceId, standalone);
    QCOMPARE(opened.agent, QString());
    QCOMPARE(opened.resetDelay, std::optional<Duration>(5min));
    QCOMPARE(m_scheduler.armedCount(), std::size_t{1}); // until it becomes half-open
    m_evaluator->resetCircuitBreaker(standalone);
    QCOMPARE(m_scheduler.armedCount(), std::size_t{0});
    QCOMPARE(changed.count(), 2);
    QVERIFY(changed[1][0].value<CircuitBreakerStateChanged>().newState
            == CircuitBreakerState::Closed);
    QCOMPARE(m_evaluator->circuitBreakerState(standalone).failureCount, 0);
}

void EvaluatorTest::respectsOpenBreakerOfContext()
{
    RestartContext open = context(QUuid::createUuid(), 0);
    open.circuitBreakerOpen = true;
    const RestartDecision decision = m_evaluator->evaluate(open).result();
    QVERIFY(decision.rule == DecisionRule::CircuitOpen);
    QCOMPARE(decision.delay, Duration(5min));
    QVERIFY(decision.inputs.reason == FailureReason::ProcessCrash);
    open.policy.type = RestartPolicyType::None;
    QVERIFY(m_evaluator->evaluate(open).result().rule == DecisionRule::PolicyNone);
}

void EvaluatorTest::evaluatesWithoutBreaker()
{
    RestartContext open = context(QUuid::createUuid(), 0);
    open.policy.circuitBreaker.reset();
    for (int failure = 0; failure < 9; ++failure) {
        open.currentAttempt = failure;
        QVERIFY(m_evaluator->evaluate(open).result().shouldRestart);
    }
    open.currentAttempt = 10;
    QVERIFY(m_evaluator->evaluate(open).result().rule == DecisionRule::AttemptsExhausted);
}

void EvaluatorTest::successClosesStandaloneBreaker()
{
    const QUuid standalone = QUuid::createUuid();
    for (int failure = 0; failure < 5; ++failure)
        m_evaluator->evaluate(context(standalone, failure));
    m_scheduler.advance(5min);
    // A failed trial opens it again; a success closes it.
    QVERIFY(m_evaluator->evaluate(context(standalone, 5)).result().circuitBreakerTripped);
    m_scheduler.advance(5min);
    m_evaluator->recordSuccess(standalone);
    const CircuitBreakerInfo info = m_evaluator->circuitBreakerState(standalone);
    QVERIFY(info.state == CircuitBreakerState::Closed);
    QCOMPARE(info.failureCount, 0);
    QCOMPARE(info.lastSuccessAt, std::optional(m_clock.utcNow()));
}

void EvaluatorTest::removeDropsStandaloneBreaker()
{
    const QUuid standalone = QUuid::createUuid();
    m_evaluator->evaluate(context(standalone, 0));
    QCOMPARE(m_evaluator->circuitBreakerState(standalone).failureCount, 1);
    m_evaluator->remove(standalone);
    QCOMPARE(m_evaluator->circuitBreakerState(standalone), CircuitBreakerInfo::closed());
}

void EvaluatorTest::jittersDelays()
{
    RestartPolicy policy;
    policy.initialDelay = 10s;
    policy.type = RestartPolicyType::Linear;
    QCOMPARE(m_evaluator->calculateDelay(policy, 1),
             std::optional<Duration>(10s)); // u = 0.5 is the middle
    Evaluator random(m_scheduler);
    Duration least = 1h;
    Duration greatest{0};
    for (int i = 0; i < 1000; ++i) {
        const Duration delay = random.calculateDelay(policy, 1).value();
        QVERIFY(delay >= 7500ms && delay < 12500ms);
        least = std::min(least, delay);
        greatest = std::max(greatest, delay);
    }
    QVERIFY(greatest - least > 4s);
}

REKINDLE_TEST(EvaluatorTest)
#include "evaluatortest.moc"
