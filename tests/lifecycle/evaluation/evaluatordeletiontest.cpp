// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"
#include "lifecycle/slot.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/virtualscheduler.h>

using namespace Rekindle;
using namespace std::chrono_literals;
using Evaluator = RestartPolicyEvaluator;

// A slot of any signal may delete the evaluator, whatever function caused the signal.
class EvaluatorDeletionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void slotMayDeleteEvaluator_data();
    void slotMayDeleteEvaluator();

private:
    static void live(QPointer<Evaluator> evaluator, VirtualScheduler &scheduler);
};

void EvaluatorDeletionTest::slotMayDeleteEvaluator_data()
{
    const Rows<int> row("signal");
    const QMetaObject &meta = Evaluator::staticMetaObject;
    for (int i = LifecycleSignals::staticMetaObject.methodOffset(); i < meta.methodCount(); ++i) {
        // shadowDecided needs a custom evaluator.
        if (const QByteArray name = meta.method(i).name(); name != "shadowDecided")
            row(name.constData(), i);
    }
}

// Causes every signal, until the evaluator is deleted.
void EvaluatorDeletionTest::live(QPointer<Evaluator> evaluator, VirtualScheduler &scheduler)
{
    const QUuid id = QUuid::createUuid();
    RestartPolicy policy;
    policy.maxRetries = 3;
    policy.circuitBreaker->threshold = 3;
    quint64 generation = 0;
    const auto launch = [&] {
        scheduler.advance(10min);
        if (evaluator)
            generation = EvaluatorPort(*evaluator).beginLaunch(id).value_or(0);
    };
    const auto fail = [&] {
        EvaluatorPort(*evaluator).reportFailed(id, generation, {FailureReason::ProcessCrash, {}});
    };
    const std::vector<std::function<void()>> steps = {
        [&] { evaluator->add(id, QStringLiteral("web"), policy); },
        [&] { evaluator->start(id); },
        launch,
        [&] { EvaluatorPort(*evaluator).reportStarted(id, generation, 1); },
        [&] { EvaluatorPort(*evaluator).reportReady(id, generation); },
        [&] { evaluator->announce(id, PolicyDowngraded{}); },
        [&] { evaluator->announce(id, HealthChanged{}); },
        [&] { evaluator->announce(id, AgentOutput{}); },
        [&] { evaluator->announce(id, OperatorAction{}); },
        [&] { evaluator->announce(id, ConfigurationApplied{}); },
        [&] { evaluator->announce(id, StartHeld{}); },
        [&] { evaluator->announce(id, GroupRestarting{}); },
        [&] { evaluator->announce(id, GroupExhausted{}); },
        [&] { evaluator->announce(id, SharedBreakerStateChanged{}); },
        [&] { EvaluatorPort(*evaluator).reportReady(id, generation - 1); }, // too late
        [&] { scheduler.advance(2min); },
        [&] { EvaluatorPort(*evaluator).reportRestartRequested(id, generation, {}, true); },
        [&] { EvaluatorPort(*evaluator).reportStopped(id, generation); },
        launch,
        fail,
        launch,
        [&] { EvaluatorPort(*evaluator).reportReady(id, generation); },
        fail,
        launch,
        fail, // open
        launch,
        fail, // exhausted
        [&] { evaluator->start(id); },
        launch,
        [&] { evaluator->stop(id); },
        [&] { EvaluatorPort(*evaluator).reportStopped(id, generation); },
        [&] { evaluator->isolateCircuitBreaker(id); },
        [&] { evaluator->resetCircuitBreaker(id); },
        [&] {
            RestartContext context;
            context.instanceId = id;
            context.policy = policy;
            evaluator->evaluate(context);
        },
        [&] { evaluator->recordSuccess(id); },
        [&] { evaluator->start(id); },
        launch,
        fail,
        [&] { evaluator->setPolicy(id, {RestartPolicyType::None}); }, // cancels
        [&] { evaluator->start(id); },
        [&] { evaluator->remove(id); },
    };
    for (const std::function<void()> &step : steps) {
        if (!evaluator)
            return;
        step();
    }
}

void EvaluatorDeletionTest::slotMayDeleteEvaluator()
{
    QFETCH(int, signal);
    // At the first emission, then at the second, and so on.
    int nth = 1;
    for (bool deleted = true; deleted; ++nth) {
        VirtualClock clock;
        VirtualScheduler scheduler(clock);
        const QPointer<Evaluator> evaluator =
            new Evaluator(scheduler, [](const QUuid &) { return 0.5; });
        int left = nth;
        Slot slot;
        slot.function = [&left, &evaluator] {
            if (--left == 0)
                delete evaluator.data();
        };
        slot.connectTo(evaluator, evaluator->metaObject()->method(signal));
        live(evaluator, scheduler);
        deleted = evaluator.isNull();
        delete evaluator.data();
        QCOMPARE(scheduler.armedCount(), std::size_t{0});
    }
    QVERIFY(nth > 2);
}

REKINDLE_TEST(EvaluatorDeletionTest)
#include "evaluatordeletiontest.moc"
