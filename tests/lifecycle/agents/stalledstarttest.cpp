// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"

#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;

/// The start timeout of an agent while the supervisor itself was stopped.
class StalledStartTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timeout_data();
    void timeout();
    void removedMeanwhile();
};

// 30 s to get ready. Words: as in a stage, and "stall:5s": time passes, and nothing runs.
void StalledStartTest::timeout_data()
{
    QTest::addColumn<QString>("run");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("log");

    QTest::newRow("without a stall") << "started +40s ready"
                                     << "start +40s"
                                     << "START started 30s failed:Timeout KILL";
    QTest::newRow("when its time is up") << "started +40s ready"
                                         << "start +10s stall:25s +5s"
                                         << "START started 40s ready";
    QTest::newRow("over before that") << "started +40s ready"
                                      << "start +5s stall:15s +20s"
                                      << "START started 40s ready";
    QTest::newRow("twice") << "started +70s ready"
                           << "start +10s stall:25s +10s stall:20s +5s"
                           << "START started 70s ready";
    // From 10.25 s, when it was last due to run, and half a second on top.
    QTest::newRow("what was lost and no more") << "started"
                                               << "start +10s stall:25s +1h"
                                               << "START started 55.25s failed:Timeout KILL";
    QTest::newRow("for a long time") << "started"
                                     << "start +10s stall:1d +1h"
                                     << "START started 86430.25s failed:Timeout KILL";
    QTest::newRow("just before its time is up") << "started"
                                                << "start +29900ms stall:1m +1s"
                                                << "START started 90.4s failed:Timeout KILL";
    QTest::newRow("a little late") << "started"
                                   << "start +29900ms stall:400ms +0ms"
                                   << "START started 30.3s failed:Timeout KILL";
    QTest::newRow("before it was started") << "started"
                                           << "stall:1h start +31s"
                                           << "1h START started 3630s failed:Timeout KILL";
    QTest::newRow("in the start before") << "started"
                                         << "start +10s stall:25s +1s stop start +31s"
                                         << "START started 36s STOP stopped START started "
                                            "66s failed:Timeout KILL";
}

void StalledStartTest::timeout()
{
    QFETCH(QString, run);
    QFETCH(QString, script);
    Stage stage;
    stage.add(QStringLiteral("a"), {.runs = run},
              QStringLiteral("'type':'none','startTimeout':'30s'"));
    for (const QString &word : script.split(u' ')) {
        if (word.startsWith(QLatin1String("stall:")))
            stage.clock.advance(durationFromString(QStringView(word).mid(6)).value());
        else
            stage.play(word);
    }
    QTEST(stage.log.text(), "log");
}

void StalledStartTest::removedMeanwhile()
{
    Stage stage;
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started")});
    stage.play(QStringLiteral("start +1s remove +1s"));
    QCOMPARE(stage.scheduler.armedCount(), std::size_t{0});
}

REKINDLE_TEST(StalledStartTest)
#include "stalledstarttest.moc"
