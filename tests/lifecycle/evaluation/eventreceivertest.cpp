// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"
#include "testprogram.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/virtualscheduler.h>

#include <memory>

using namespace Rekindle;

// Events without a receiver are not built.
class EventReceiverTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void onlyReceivedEventsHaveNumbers();
    void receiverMayConnectLater();
    void receiverMayDisconnect();
    void receivesSignalsOfQObject();

private:
    void launch();

    VirtualClock m_clock;
    VirtualScheduler m_scheduler{m_clock};
    const QUuid m_id = QUuid::createUuid();
    std::unique_ptr<RestartPolicyEvaluator> m_evaluator;
};

void EventReceiverTest::init()
{
    m_evaluator = std::make_unique<RestartPolicyEvaluator>(m_scheduler);
    QVERIFY(m_evaluator->add(m_id, QStringLiteral("a"), {}).isEmpty());
}

void EventReceiverTest::launch()
{
    m_evaluator->start(m_id);
    const std::optional<quint64> generation = EvaluatorPort(*m_evaluator).beginLaunch(m_id);
    QVERIFY(generation);
    EvaluatorPort(*m_evaluator).reportStarted(m_id, *generation, 0);
    EvaluatorPort(*m_evaluator).reportReady(m_id, *generation);
}

void EventReceiverTest::onlyReceivedEventsHaveNumbers()
{
    QList<quint64> numbers;
    connect(m_evaluator.get(), &RestartPolicyEvaluator::agentReady, this,
            [&](const AgentReady &event) { numbers.append(event.sequence); });
    launch();
    QCOMPARE(numbers, QList<quint64>{1});
}

void EventReceiverTest::receiverMayConnectLater()
{
    launch();
    QList<quint64> numbers;
    connect(m_evaluator.get(), &RestartPolicyEvaluator::lifecycleEvent, this,
            [&](const LifecycleEvent &event) { numbers.append(header(event).sequence); });
    EvaluatorPort(*m_evaluator).reportFailed(m_id, 1, {});
    QCOMPARE(numbers, (QList<quint64>{1, 2}));
}

void EventReceiverTest::receiverMayDisconnect()
{
    int received = 0;
    const auto connection = connect(m_evaluator.get(), &RestartPolicyEvaluator::agentStarted, this,
                                    [&] { ++received; });
    disconnect(connection);
    launch();
    QCOMPARE(received, 0);
    QSignalSpy failed(m_evaluator.get(), &RestartPolicyEvaluator::agentFailed);
    EvaluatorPort(*m_evaluator).reportFailed(m_id, 1, {});
    QCOMPARE(failed.size(), 1);
}

void EventReceiverTest::receivesSignalsOfQObject()
{
    bool isDestroyed = false;
    connect(m_evaluator.get(), &QObject::destroyed, this, [&] { isDestroyed = true; });
    launch();
    m_evaluator.reset();
    QVERIFY(isDestroyed);
}

REKINDLE_TEST(EventReceiverTest)
#include "eventreceivertest.moc"
