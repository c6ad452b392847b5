// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/ward.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

/// What an agent finds out about itself is a part of its health.
class OwnHealthTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findings_data();
    void findings();
    void withProbes_data();
    void withProbes();
    void findingsAreOneLine();
    void aDecisionStillHasThem();
    void unwatchedInTheSignal();
};

// "own:0" is a good finding, "own:2" the second miss in a row.
void OwnHealthTest::findings_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("log");

    QTest::newRow("good") << "start ready own:0 own:0"
                          << "Healthy";
    QTest::newRow("misses, and well again") << "start ready own:0 own:1 own:2 own:0"
                                            << "Healthy Unhealthy:1 Unhealthy:2 Healthy";
    QTest::newRow("condemns nobody") << "start ready own:1000 +1h"
                                     << "Unhealthy:1000";
    QTest::newRow("before ready") << "start own:1 ready"
                                  << "Unhealthy:1";
    QTest::newRow("a new start is a new beginning") << "start ready own:2 fail start ready own:1"
                                                    << "Unhealthy:2 Unknown Unhealthy:1";
    QTest::newRow("not when it has failed") << "start ready fail own:1"
                                            << "";
    QTest::newRow("nor when it has stopped") << "start ready own:0 stopped own:1"
                                             << "Healthy";
    QTest::newRow("nor when it is told to end") << "start ready own:0 endHealth own:1"
                                                << "Healthy";
    QTest::newRow("nor before it has started") << "own:1 ready own:1"
                                               << "";
}

void OwnHealthTest::findings()
{
    QFETCH(QString, script);
    Ward ward;
    ward.play(script);
    QTEST(ward.log(), "log");
}

void OwnHealthTest::withProbes_data()
{
    QTest::addColumn<QString>("answers");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("log");

    QTest::newRow("the worst counts") << "ok no ok"
                                      << "start ready own:2 +10s own:0 +10s"
                                      << "run:2s Healthy Unhealthy:2 10s run:2s Unhealthy:1 "
                                         "20s run:2s Healthy";
    QTest::newRow("a probe of the next start")
        << "ok"
        << "start ready own:2 fail start ready +7s"
        << "run:2s Healthy Unhealthy:2 Unknown 6.18034s run:2s Healthy";
    QTest::newRow("new probes do not forgive it") << "ok"
                                                  << "start ready own:2 probes:no own:2 own:0"
                                                  << "run:2s Healthy Unhealthy:2 Healthy";
}

void OwnHealthTest::withProbes()
{
    QFETCH(QString, answers);
    QFETCH(QString, script);
    Ward ward;
    ward.setProbes({answers});
    ward.play(script);
    QTEST(ward.log(), "log");
}

void OwnHealthTest::findingsAreOneLine()
{
    Ward ward;
    ward.play(QStringLiteral("start ready"));
    const ProbeResult found{UtcTime{5s}, false, 3s, QStringLiteral("lost\n\x1b[31m"),
                            QStringLiteral("heartbeat")};
    Q_EMIT ward.agent.probed(found, 1);
    const AgentHealthStatus status = ward.monitor.health(ward.id);
    QCOMPARE(status.detail, QStringLiteral("lost  [31m"));
    QCOMPARE(status.history.size(), 1);
    const ProbeResult &kept = status.history.first();
    QVERIFY(kept.at == found.at && kept.took == found.took && !kept.ok);
    QCOMPARE(kept.probe, found.probe);
    QCOMPARE(kept.text, status.detail);
}

void OwnHealthTest::aDecisionStillHasThem()
{
    Ward ward;
    ward.play(QStringLiteral("start ready own:1 fail"));
    QCOMPARE(ward.monitor.health(ward.id).state, AgentHealthStatus::State::Unhealthy);
    // Probes that are set between two starts, by a reload, change nothing of what is known.
    ward.setProbes({QStringLiteral("ok")});
    QCOMPARE(ward.monitor.health(ward.id).consecutiveMisses, 1);
    QCOMPARE(ward.monitor.health(ward.id).history.size(), 1);
}

void OwnHealthTest::unwatchedInTheSignal()
{
    Ward ward;
    connect(&ward.monitor, &AgentMonitor::healthChanged, &ward.monitor,
            [&] { ward.monitor.unwatch(ward.id); });
    ward.play(QStringLiteral("start ready own:1 own:2"));
    QCOMPARE(ward.log(), QStringLiteral("Unhealthy:1"));
}

REKINDLE_TEST(OwnHealthTest)
#include "ownhealthtest.moc"
