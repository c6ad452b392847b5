// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"

#include <rekindle/models/localagents.h>
#include <rekindle/widgets/supervisortray.h>

using namespace Rekindle;

namespace {

constexpr int trayWait = 30'000;

} // namespace

class SupervisorTrayTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsTheWorstState();
    void notifiesAboutExhaustedAgents();
    void notifiesOncePerBurst();
    void notifiesOnlyAboutSelectedEvents();
    void outlivesSupervisorAndSource();
    void changesItsSource();
};

void SupervisorTrayTest::showsTheWorstState()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    const SupervisorTray tray(source);
    QCOMPARE(tray.source(), &source);
    QVERIFY(!tray.worstState());
    QVERIFY(!tray.icon().isNull());
    QCOMPARE(tray.isVisible(), QSystemTrayIcon::isSystemTrayAvailable());
    stage.add(QStringLiteral("web"), {});
    stage.add(QStringLiteral("db"), {});
    stage.addFailing(QStringLiteral("worker"));
    QTRY_COMPARE_WITH_TIMEOUT(tray.worstState(), InstanceState::Stopped, trayWait);
    stage.play(QStringLiteral("start:web start:db"));
    QTRY_COMPARE_WITH_TIMEOUT(tray.worstState(), InstanceState::Running, trayWait);
    stage.play(QStringLiteral("start:worker"));
    QTRY_COMPARE_WITH_TIMEOUT(tray.worstState(), InstanceState::Waiting, trayWait);
    QVERIFY(tray.toolTip().contains(QLatin1String("agents: 3")));
    QVERIFY(tray.toolTip().contains(QLatin1String("Waiting: 1\nRunning: 2")));
}

void SupervisorTrayTest::notifiesAboutExhaustedAgents()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    const SupervisorTray tray(source);
    QSignalSpy notified(&tray, &SupervisorTray::notified);
    stage.begin(QStringLiteral("'maxRetries':1"), QStringLiteral("start +10s"));
    QTRY_COMPARE_WITH_TIMEOUT(notified.count(), 1, trayWait);
    QVERIFY(notified[0][1].toString().startsWith(QLatin1String("a: ")));
    QTRY_COMPARE_WITH_TIMEOUT(tray.worstState(), InstanceState::Exhausted, trayWait);
}

void SupervisorTrayTest::notifiesOncePerBurst()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    const SupervisorTray tray(source);
    QSignalSpy notified(&tray, &SupervisorTray::notified);
    for (int i = 0; i < 100; ++i)
        stage.addFailing(QStringLiteral("agent-%1").arg(i), QStringLiteral("'maxRetries':1"));
    stage.play(QStringLiteral("startAll +10s"));
    QTRY_VERIFY_WITH_TIMEOUT(notified.count() > 0, trayWait);
    QCOMPARE(notified.count(), 1);
    QVERIFY(notified[0][1].toString().endsWith(QLatin1String("and 96 more")));
}

void SupervisorTrayTest::notifiesOnlyAboutSelectedEvents()
{
    Stage stage;
    LocalAgents source(stage.supervisor);
    SupervisorTray tray(source);
    QSignalSpy notified(&tray, &SupervisorTray::notified);
    const auto emitEvent = [&](const LifecycleEvent &event, AgentEvent::Severity severity) {
        AgentEvent shown = AgentEvent::of(event);
        shown.agent = QStringLiteral("web");
        shown.severity = severity;
        Q_EMIT source.eventReceived(shown);
    };
    tray.setNotifyOn(SupervisorTray::Notification::CircuitOpened);
    emitEvent(RestartExhausted(), AgentEvent::Severity::Error);
    emitEvent(AgentFailed(), AgentEvent::Severity::Error);
    emitEvent(CircuitBreakerStateChanged(), AgentEvent::Severity::Info); // closed
    emitEvent(CircuitBreakerStateChanged(), AgentEvent::Severity::Error);
    QTRY_COMPARE_WITH_TIMEOUT(notified.count(), 1, trayWait);
    QCOMPARE(notified[0][1].toString().count(QLatin1String("web: ")), 1);
    tray.setNotifyOn({});
    QCOMPARE(tray.notifyOn(), SupervisorTray::Notifications());
}

void SupervisorTrayTest::outlivesSupervisorAndSource()
{
    auto stage = std::make_unique<Stage>();
    auto source = std::make_unique<LocalAgents>(stage->supervisor);
    const SupervisorTray tray(*source);
    stage->add(QStringLiteral("web"), {});
    stage->play(QStringLiteral("start"));
    QTRY_COMPARE_WITH_TIMEOUT(tray.worstState(), InstanceState::Running, trayWait);
    stage.reset();
    QTRY_VERIFY_WITH_TIMEOUT(!tray.worstState(), trayWait); // not shown as healthy
    QTRY_VERIFY_WITH_TIMEOUT(tray.toolTip().contains(QLatin1String("is unavailable: ")), trayWait);
    source.reset();
    QVERIFY(tray.source() == nullptr);
    QCoreApplication::processEvents();
    QVERIFY(!tray.isVisible());
}

void SupervisorTrayTest::changesItsSource()
{
    Stage first;
    Stage second;
    LocalAgents source(first.supervisor);
    LocalAgents other(second.supervisor);
    second.add(QStringLiteral("web"), {});
    SupervisorTray tray;
    QVERIFY(tray.source() == nullptr);
    tray.setSource(&source);
    tray.setSource(&other);
    QCOMPARE(tray.worstState(), InstanceState::Stopped);
    const QSignalSpy notified(&tray, &SupervisorTray::notified);
    first.begin(QStringLiteral("'maxRetries':1"), QStringLiteral("start +10s"));
    second.begin(QStringLiteral("'maxRetries':1"), QStringLiteral("start:a +10s"));
    QTRY_COMPARE_WITH_TIMEOUT(notified.count(), 1, trayWait);
    tray.setSource(nullptr);
    QVERIFY(!tray.worstState());
}

REKINDLE_TEST(SupervisorTrayTest)
#include "supervisortraytest.moc"
