// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "scriptedagent.h"
#include "stage.h"
#include "testprogram.h"

#include <rekindle/host/agenthost.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/virtualscheduler.h>

using namespace Rekindle;
using namespace std::chrono_literals;

/// A host in virtual time.
class VirtualHostTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void restartsAgentWithoutRealTime();
    void usesItsSourceOfRandomNumbers();
};

void VirtualHostTest::restartsAgentWithoutRealTime()
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    AgentHost host(scheduler);
    host.setLicense(std::make_unique<FixedLicenseProvider>(LicenseTier::Enterprise));
    AgentSupervisor &supervisor = host.supervisor();
    const QUuid id = supervisor
                         .add(QStringLiteral("a"),
                              std::make_unique<ScriptedAgent>(
                                  scheduler, AgentScript{.runs = QStringLiteral("started fail")},
                                  [](const QString &) {}),
                              policyOf(QStringLiteral("'initialDelay':'1h','maxDelay':'1h',"
                                                      "'maxRetries':2")))
                         .id;
    QSignalSpy started(&supervisor, &AgentSupervisor::agentStarted);
    host.startAll();
    const auto advance = [&scheduler](Duration duration) {
        scheduler.advance(duration);
        QCoreApplication::sendPostedEvents();
    };
    advance(0s);
    QCOMPARE(started.count(), 1);
    advance(1h);
    advance(0s);
    QCOMPARE(started.count(), 2);
    advance(1h);
    advance(0s);
    QCOMPARE(started.count(), 3);
    QCOMPARE(supervisor.policyEvaluator().state(id), InstanceState::Exhausted);
}

void VirtualHostTest::usesItsSourceOfRandomNumbers()
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    int draws = 0;
    AgentHost host(scheduler, [&draws](const QUuid &) {
        ++draws;
        return 0.5;
    });
    host.setLicense(std::make_unique<FixedLicenseProvider>(LicenseTier::Enterprise));
    (void)host.supervisor().add(
        QStringLiteral("a"),
        std::make_unique<ScriptedAgent>(
            scheduler, AgentScript{.runs = QStringLiteral("started fail")}, [](const QString &) {}),
        policyOf(QStringLiteral("'jitter':{'kind':'full'}")));
    host.startAll();
    scheduler.advance(1s);
    QCoreApplication::sendPostedEvents();
    scheduler.advance(0s);
    QVERIFY(draws > 0);
}

REKINDLE_TEST(VirtualHostTest)
#include "virtualhosttest.moc"
