// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"
#include "pluginstage.h"
#include "scriptedprobe.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

const QStringList folders = {QStringLiteral(REKINDLE_PLUGINS)};

UtcTime utc(const QString &text)
{
    return UtcTime{
        std::chrono::milliseconds(QDateTime::fromString(text, Qt::ISODate).toMSecsSinceEpoch())};
}

} // namespace

/// The shipped evaluators in plugins/, loaded by the host.
class ShippedEvaluatorsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsShippedEvaluators();
    void bucketDelaysAboveThreshold();
    void bucketDecays();
    void bucketUsesDefaults();
    void bucketCountsProbeFailures();
    void fingerprintOpensBreaker();
    void fingerprintComparesFailures_data();
    void fingerprintComparesFailures();
    void readyResetsFingerprint();
    void quietHoursDelay_data();
    void quietHoursDelay();
    void quietHoursCheckParameters_data();
    void quietHoursCheckParameters();
    void quietHoursReportFaults_data();
    void quietHoursReportFaults();

private:
    void fail(PluginStage &stage, quint64 generation, const QStringList &stderrTail, int exitCode);
};

void ShippedEvaluatorsTest::findsShippedEvaluators()
{
    EvaluatorHost host;
    host.setFolders(folders);
    QStringList ids;
    for (const EvaluatorInfo &info : host.plugins()) {
        QVERIFY2(info.state == EvaluatorInfo::State::Allowed, qPrintable(info.reason));
        ids.append(info.id);
        QVERIFY(
            QFile::exists(QStringLiteral(REKINDLE_SOURCE "/docs/evaluators/%1.md").arg(info.id)));
    }
    QCOMPARE(ids,
             (QStringList{QStringLiteral("crash-fingerprint"), QStringLiteral("leaky-bucket"),
                          QStringLiteral("quiet-hours")}));
}

void ShippedEvaluatorsTest::bucketDelaysAboveThreshold()
{
    PluginStage stage(folders);
    stage.begin(customPolicy(QStringLiteral("leaky-bucket"),
                             QStringLiteral("'threshold':2,'halfLife':'10s','pause':'1m'"))
                + QStringLiteral(",'circuitBreaker':'off'"));
    // Scores: 1; 1 + 2^-0.1 = 1.93; 1 + 1.93 * 2^-0.2 = 2.68, which is above 2.
    for (const Duration expected : {Duration(1s), Duration(2s), Duration(60s)}) {
        QVERIFY(stage.think());
        QCOMPARE(stage.delay(), expected);
        stage.advance(expected);
    }
    QCOMPARE(stage.said, QStringList{QStringLiteral("failure score 2.68 is above 2")});
    // A minute later, the score is 1 + 2.68 * 2^-6.
    QVERIFY(stage.think());
    QCOMPARE(stage.delay(), Duration(8s));
    QVERIFY(stage.faults.isEmpty());
}

void ShippedEvaluatorsTest::bucketDecays()
{
    // With one failure per half-life, the score approaches 2.
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started ready +10s fail")},
              customPolicy(QStringLiteral("leaky-bucket"),
                           QStringLiteral("'threshold':2,'halfLife':'10s','pause':'1h'"))
                  + QStringLiteral(",'initialDelay':'0s','maxRetries':'unlimited',"
                                   "'circuitBreaker':'off'"));
    stage.play(QStringLiteral("start"));
    for (int i = 0; i < 20; ++i) {
        stage.advance(10s);
        QVERIFY(stage.think());
    }
    QVERIFY(stage.said.isEmpty());
}

void ShippedEvaluatorsTest::bucketUsesDefaults()
{
    PluginStage stage(folders);
    stage.begin(customPolicy(QStringLiteral("leaky-bucket"), {})
                + QStringLiteral(",'initialDelay':'0s','circuitBreaker':'off'"));
    // The sixth failure at once lifts the score to 6, above 5: 15 s.
    QVERIFY(QTest::qWaitFor(
        [&] {
            stage.advance(Duration{0});
            return !stage.said.isEmpty();
        },
        PluginStage::limit));
    QCOMPARE(stage.supervisor.snapshot(stage.first())->attempt, 5);
    QCOMPARE(stage.delay(), Duration(15s));
}

void ShippedEvaluatorsTest::bucketCountsProbeFailures()
{
    PluginStage stage(folders);
    const QUuid id =
        stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started ready +55s fail")},
                  customPolicy(QStringLiteral("leaky-bucket"),
                               QStringLiteral("'threshold':2,'probeWeight':1,'pause':'1m'")));
    setProbe(stage.supervisor, id, QStringLiteral("no no ok"));
    stage.play(QStringLiteral("start +55s"));
    QVERIFY(stage.think());
    // Two probe failures and the failure itself.
    QCOMPARE(stage.said, QStringList{QStringLiteral("failure score 3.00 is above 2")});
    QCOMPARE(stage.delay(), Duration(60s));
    // The next failure does not count them again.
    stage.advance(60s);
    stage.advance(55s);
    QVERIFY(stage.think());
    QCOMPARE(stage.said.size(), 1);
    QCOMPARE(stage.delay(), Duration(2s));
}

void ShippedEvaluatorsTest::fail(PluginStage &stage, quint64 generation,
                                 const QStringList &stderrTail, int exitCode)
{
    Failure failure;
    failure.reason = FailureReason::ProcessCrash;
    failure.detail.exitCode = exitCode;
    failure.detail.stderrTail = stderrTail;
    EvaluatorPort(stage.supervisor.policyEvaluator())
        .reportFailed(stage.first(), generation, failure);
}

void ShippedEvaluatorsTest::fingerprintOpensBreaker()
{
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started")},
              customPolicy(QStringLiteral("crash-fingerprint"), {})
                  + QStringLiteral(",'circuitBreaker':{'threshold':50}"));
    stage.play(QStringLiteral("start"));
    for (quint64 i = 1; i <= 3; ++i) {
        fail(stage, i,
             {QStringLiteral("2026-11-21T10:00:0%1Z [%2] connecting").arg(i).arg(4000 + i),
              QStringLiteral("fatal: no such table 'users' at 0x7ffd%1a0 (/tmp/run-%1/db.sqlite)")
                  .arg(i)},
             3);
        QVERIFY(stage.think());
        if (i < 3) {
            QCOMPARE(stage.state(), InstanceState::Waiting);
            stage.advance(stage.delay());
        }
    }
    QCOMPARE(stage.state(), InstanceState::CircuitOpen);
    QCOMPARE(stage.said,
             QStringList{QStringLiteral("the same failure 3 times in a row: ProcessCrash | exit "
                                        "code 3 | <time> [<n>] connecting | "
                                        "fatal: no such table 'users' at <address> (<path>)")});
}

void ShippedEvaluatorsTest::fingerprintComparesFailures_data()
{
    // first: lines, separated by "|"
    const Rows<QString, QString, int, bool> row("first", "second", "secondCode", "same");
    row("numbers", "port 8080 is taken", "port 9090 is taken", 1, true);
    row("clock", "12:00:01.5 died", "23:59:59 died", 1, true);
    row("uuids", "job 6f1b0a52-9d0e-4c8f-8a61-0b9a3f1e2d3c failed",
        "job 00000000-9d0e-4c8f-8a61-0b9a3f1e2d3c failed", 1, true);
    row("paths", "cannot open /var/lib/a/b.db", "cannot open ~/c.db", 1, true);
    row("bare hex", "token deadbeef01 is bad", "token 01deadbeef is bad", 1, true);
    row("colors", "\x1b[31mpanic\x1b[0m", "panic", 1, true);
    row("blanks", "a  b ", "a b", 1, true);
    row("words", "no such table", "no such column", 1, false);
    row("exit codes", "died", "died", 2, false);
    row("additional line", "died", "before|died", 1, false);
    row("only the last lines count", "x|1|b|c|d|e", "y|2|b|c|d|e", 1, true);
}

void ShippedEvaluatorsTest::fingerprintComparesFailures()
{
    QFETCH(const QString, first);
    QFETCH(const QString, second);
    QFETCH(const int, secondCode);
    QFETCH(const bool, same);
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started")},
              customPolicy(QStringLiteral("crash-fingerprint"), QStringLiteral("'repeats':2")));
    stage.play(QStringLiteral("start"));
    fail(stage, 1, first.split(u'|'), 1);
    QVERIFY(stage.think());
    stage.advance(stage.delay());
    fail(stage, 2, second.split(u'|'), secondCode);
    QVERIFY(stage.think());
    QCOMPARE(stage.state(), same ? InstanceState::CircuitOpen : InstanceState::Waiting);
}

void ShippedEvaluatorsTest::readyResetsFingerprint()
{
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"),
              {.runs = QStringLiteral("started fail:3|started ready fail:3|started fail:3")},
              customPolicy(QStringLiteral("crash-fingerprint"), QStringLiteral("'repeats':2")));
    stage.play(QStringLiteral("start"));
    for (int i = 0; i < 3; ++i) {
        QVERIFY(stage.think());
        QCOMPARE(stage.state(), InstanceState::Waiting);
        stage.advance(stage.delay());
    }
    QVERIFY(stage.think());
    QCOMPARE(stage.state(), InstanceState::CircuitOpen);
}

void ShippedEvaluatorsTest::quietHoursDelay_data()
{
    const Rows<QString, QString, QString, QString, QString> row("from", "to", "timeZone",
                                                                "failedAt", "restartAt");
    const char *const berlin = "Europe/Berlin";
    row("outside", "12:00", "13:00", "UTC", "2026-01-15T11:00:00Z", "2026-01-15T11:00:01Z");
    row("inside", "12:00", "13:00", "UTC", "2026-01-15T12:30:00Z", "2026-01-15T13:00:00Z");
    row("planned restart inside the window", "12:00", "13:00", "UTC", "2026-01-15T11:59:59Z",
        "2026-01-15T13:00:00Z");
    row("window ends before the restart", "12:00", "13:00", "UTC", "2026-01-15T12:59:59Z",
        "2026-01-15T13:00:00Z");
    row("evening", "22:00", "06:00", "UTC", "2026-01-15T23:00:00Z", "2026-01-16T06:00:00Z");
    row("morning", "22:00", "06:00", "UTC", "2026-01-16T05:00:00Z", "2026-01-16T06:00:00Z");
    row("noon", "22:00", "06:00", "UTC", "2026-01-16T12:00:00Z", "2026-01-16T12:00:01Z");
    row("zone in winter", "22:00", "06:00", berlin, "2026-01-15T21:30:00Z", "2026-01-16T05:00:00Z");
    row("zone in summer", "22:00", "06:00", berlin, "2026-07-15T21:30:00Z", "2026-07-16T04:00:00Z");
    // In Berlin, the clock is set from 2:00 to 3:00 on 2026-03-29, and from 3:00 to 2:00 on
    // 2026-10-25.
    row("short night", "22:00", "06:00", berlin, "2026-03-28T22:00:00Z", "2026-03-29T04:00:00Z");
    row("long night", "22:00", "06:00", berlin, "2026-10-24T21:00:00Z", "2026-10-25T05:00:00Z");
    row("ends in the gap", "01:00", "02:30", berlin, "2026-03-29T00:30:00Z",
        "2026-03-29T01:30:00Z");
    row("ends in the repeated hour", "01:00", "02:30", berlin, "2026-10-25T00:45:00Z",
        "2026-10-25T01:30:00Z");
    row("other side of the date line", "22:00", "06:00", "Pacific/Auckland", "2026-01-15T10:00:00Z",
        "2026-01-15T17:00:00Z");
}

void ShippedEvaluatorsTest::quietHoursDelay()
{
    QFETCH(const QString, from);
    QFETCH(const QString, to);
    QFETCH(const QString, timeZone);
    QFETCH(const QString, failedAt);
    QFETCH(const QString, restartAt);
    PluginStage stage(folders);
    stage.clock.setUtc(utc(failedAt));
    stage.begin(customPolicy(
        QStringLiteral("quiet-hours"),
        QStringLiteral("'from':'%1','to':'%2','timeZone':'%3'").arg(from, to, timeZone)));
    QVERIFY(stage.think());
    QCOMPARE(
        toRfc3339(utc(failedAt) + std::chrono::round<std::chrono::milliseconds>(stage.delay())),
        toRfc3339(utc(restartAt)));
    QVERIFY(stage.faults.isEmpty());
}

void ShippedEvaluatorsTest::quietHoursCheckParameters_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("zone");
    QTest::addColumn<QStringList>("faultyOnes");
    const auto row = [](const char *from, const char *to, const char *zone,
                        const QStringList &faulty) {
        QTest::addRow("%s-%s %s", from, to, zone)
            << QString::fromLatin1(from) << QString::fromLatin1(to) << QString::fromLatin1(zone)
            << faulty;
    };
    row("00:00", "23:59", "", {});
    row("19:09", "20:00", "America/Port-au-Prince", {});
    row("06:00", "22:00", "Etc/GMT+3", {});
    row("24:00", "06:00", "", {QStringLiteral("from")});
    row("22:60", "6", "", {QStringLiteral("from"), QStringLiteral("to")});
    row("22:00", "06:00:00", "", {QStringLiteral("to")});
    row("22:00", "06:00", "Central European", {QStringLiteral("timeZone")});
}

// The faults that `check` reports.
void ShippedEvaluatorsTest::quietHoursCheckParameters()
{
    QFETCH(const QString, from);
    QFETCH(const QString, to);
    QFETCH(const QString, zone);
    EvaluatorHost host;
    host.setFolders(folders);
    QStringList faulty;
    for (const Fault &fault : host.check({.id = QStringLiteral("quiet-hours"),
                                          .parameters = {{QStringLiteral("from"), from},
                                                         {QStringLiteral("to"), to},
                                                         {QStringLiteral("timeZone"), zone}}})) {
        QVERIFY(fault.isError());
        faulty.append(fault.path.section(u'/', -1));
    }
    QTEST(faulty, "faultyOnes");
}

void ShippedEvaluatorsTest::quietHoursReportFaults_data()
{
    const Rows<QString> row("what");
    row("'from':'22:00','to':'22:00'", "from and to are the same time");
    row("'from':'22:00','to':'06:00','timeZone':'Moon/Tycho'", "unknown time zone Moon/Tycho");
}

// The evaluator reports what a schema cannot check, as soon as it is attached.
void ShippedEvaluatorsTest::quietHoursReportFaults()
{
    QFETCH(const QString, what);
    PluginStage stage(folders);
    stage.addFailing(
        QStringLiteral("a"),
        customPolicy(QStringLiteral("quiet-hours"), QString::fromLatin1(QTest::currentDataTag())));
    QVERIFY(stage.waitForFaults(1));
    QCOMPARE(stage.faults[0].what, QStringLiteral("threw an exception: ") + what);
}

REKINDLE_TEST(ShippedEvaluatorsTest)
#include "shippedevaluatorstest.moc"
