// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "pluginstage.h"
#include "testprogram.h"

#include <QDate>
#include <QTimeZone>

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

/// The evaluators under plugins/, as they ship, through the real loader.
class ShippedEvaluatorsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void found();
    void bucketPauses();
    void bucketLeaks();
    void bucketDefaults();
    void fingerprintOpens();
    void fingerprintTellsDeathsApart_data();
    void fingerprintTellsDeathsApart();
    void fingerprintForgivesWhatWasReady();
    void quietHours_data();
    void quietHours();
    void quietHoursParameters_data();
    void quietHoursParameters();
    void quietHoursFaults_data();
    void quietHoursFaults();

private:
    void fail(PluginStage &stage, quint64 generation, const QStringList &stderrTail, int exitCode);
};

void ShippedEvaluatorsTest::found()
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

void ShippedEvaluatorsTest::bucketPauses()
{
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              customPolicy(QStringLiteral("leaky-bucket"),
                           QStringLiteral("'threshold':2,'halfLife':'10s','pause':'1m'"))
                  + QStringLiteral(",'circuitBreaker':'off'"));
    stage.play(QStringLiteral("start"));
    // Scores: 1; 1 + 2^-0.1 = 1.93; 1 + 1.93 * 2^-0.2 = 2.68, which is above 2.
    for (const Duration expected : {Duration(1s), Duration(2s), Duration(60s)}) {
        QVERIFY(stage.think());
        QCOMPARE(stage.delay(), expected);
        stage.advance(expected);
    }
    QCOMPARE(stage.said, QStringList{QStringLiteral("failure score 2.68 is above 2")});
    // A minute later, it has gone down to 1 + 2.68 * 2^-6.
    QVERIFY(stage.think());
    QCOMPARE(stage.delay(), Duration(8s));
    QVERIFY(stage.faults.isEmpty());
}

void ShippedEvaluatorsTest::bucketLeaks()
{
    // Failures that are far enough apart never add up: at one per half-life the score nears 2.
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

void ShippedEvaluatorsTest::bucketDefaults()
{
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              customPolicy(QStringLiteral("leaky-bucket"), {})
                  + QStringLiteral(",'initialDelay':'0s','circuitBreaker':'off'"));
    stage.play(QStringLiteral("start"));
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

void ShippedEvaluatorsTest::fail(PluginStage &stage, quint64 generation,
                                 const QStringList &stderrTail, int exitCode)
{
    Failure failure;
    failure.reason = FailureReason::ProcessCrash;
    failure.detail.exitCode = exitCode;
    failure.detail.stderrTail = stderrTail;
    stage.supervisor.evaluator().reportFailed(stage.first(), generation, failure);
}

void ShippedEvaluatorsTest::fingerprintOpens()
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
             QStringList{QStringLiteral(
                 "the same death 3 times: ProcessCrash | exit code 3 | <time> [<n>] connecting | "
                 "fatal: no such table 'users' at <address> (<path>)")});
}

void ShippedEvaluatorsTest::fingerprintTellsDeathsApart_data()
{
    QTest::addColumn<QStringList>("first");
    QTest::addColumn<QStringList>("second");
    QTest::addColumn<int>("secondCode");
    QTest::addColumn<bool>("same");
    const auto row = [](const char *name, const char *first, const char *second, int secondCode,
                        bool same) {
        QTest::newRow(name) << QString::fromLatin1(first).split(u'|')
                            << QString::fromLatin1(second).split(u'|') << secondCode << same;
    };
    row("numbers", "port 8080 is taken", "port 9090 is taken", 1, true);
    row("clock", "12:00:01.5 died", "23:59:59 died", 1, true);
    row("uuids", "job 6f1b0a52-9d0e-4c8f-8a61-0b9a3f1e2d3c failed",
        "job 00000000-9d0e-4c8f-8a61-0b9a3f1e2d3c failed", 1, true);
    row("paths", "cannot open /var/lib/a/b.db", "cannot open ~/c.db", 1, true);
    row("bare hex", "token deadbeef01 is bad", "token 01deadbeef is bad", 1, true);
    row("colours", "\x1b[31mpanic\x1b[0m", "panic", 1, true);
    row("blanks", "a  b ", "a b", 1, true);
    row("words", "no such table", "no such column", 1, false);
    row("exit codes", "died", "died", 2, false);
    row("one line more", "died", "before|died", 1, false);
    row("only the last lines count", "x|1|b|c|d|e", "y|2|b|c|d|e", 1, true);
}

void ShippedEvaluatorsTest::fingerprintTellsDeathsApart()
{
    QFETCH(const QStringList, first);
    QFETCH(const QStringList, second);
    QFETCH(const int, secondCode);
    QFETCH(const bool, same);
    PluginStage stage(folders);
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started")},
              customPolicy(QStringLiteral("crash-fingerprint"), QStringLiteral("'repeats':2")));
    stage.play(QStringLiteral("start"));
    fail(stage, 1, first, 1);
    QVERIFY(stage.think());
    stage.advance(stage.delay());
    fail(stage, 2, second, secondCode);
    QVERIFY(stage.think());
    QCOMPARE(stage.state(), same ? InstanceState::CircuitOpen : InstanceState::Waiting);
}

void ShippedEvaluatorsTest::fingerprintForgivesWhatWasReady()
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

void ShippedEvaluatorsTest::quietHours_data()
{
    QTest::addColumn<QString>("parameters");
    QTest::addColumn<QString>("failedAt");
    QTest::addColumn<QString>("restartAt");
    const auto row = [](const char *name, const char *from, const char *to, const char *zone,
                        const char *failedAt, const char *restartAt) {
        QTest::newRow(name) << QStringLiteral("'from':'%1','to':'%2','timeZone':'%3'")
                                   .arg(QString::fromLatin1(from), QString::fromLatin1(to),
                                        QString::fromLatin1(zone))
                            << QString::fromLatin1(failedAt) << QString::fromLatin1(restartAt);
    };
    const char *const berlin = "Europe/Berlin";
    row("outside", "12:00", "13:00", "UTC", "2026-01-15T11:00:00Z", "2026-01-15T11:00:01Z");
    row("inside", "12:00", "13:00", "UTC", "2026-01-15T12:30:00Z", "2026-01-15T13:00:00Z");
    row("the restart counts, not the failure", "12:00", "13:00", "UTC", "2026-01-15T11:59:59Z",
        "2026-01-15T13:00:00Z");
    row("over by then", "12:00", "13:00", "UTC", "2026-01-15T12:59:59Z", "2026-01-15T13:00:00Z");
    row("evening", "22:00", "06:00", "UTC", "2026-01-15T23:00:00Z", "2026-01-16T06:00:00Z");
    row("morning", "22:00", "06:00", "UTC", "2026-01-16T05:00:00Z", "2026-01-16T06:00:00Z");
    row("noon", "22:00", "06:00", "UTC", "2026-01-16T12:00:00Z", "2026-01-16T12:00:01Z");
    row("zone in winter", "22:00", "06:00", berlin, "2026-01-15T21:30:00Z", "2026-01-16T05:00:00Z");
    row("zone in summer", "22:00", "06:00", berlin, "2026-07-15T21:30:00Z", "2026-07-16T04:00:00Z");
    // On 2026-03-29 at 2:00 Berlin's clocks go to 3:00; on 2026-10-25 at 3:00 back to 2:00.
    row("short night", "22:00", "06:00", berlin, "2026-03-28T22:00:00Z", "2026-03-29T04:00:00Z");
    row("long night", "22:00", "06:00", berlin, "2026-10-24T21:00:00Z", "2026-10-25T05:00:00Z");
    row("ends in the gap", "01:00", "02:30", berlin, "2026-03-29T00:30:00Z",
        "2026-03-29T01:30:00Z");
    row("ends in the hour that comes twice", "01:00", "02:30", berlin, "2026-10-25T00:45:00Z",
        "2026-10-25T01:30:00Z");
    row("other side of the date line", "22:00", "06:00", "Pacific/Auckland", "2026-01-15T10:00:00Z",
        "2026-01-15T17:00:00Z");
}

void ShippedEvaluatorsTest::quietHours()
{
    QFETCH(const QString, parameters);
    QFETCH(const QString, failedAt);
    QFETCH(const QString, restartAt);
    PluginStage stage(folders);
    stage.clock.setUtc(utc(failedAt));
    stage.add(QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
              customPolicy(QStringLiteral("quiet-hours"), parameters));
    stage.play(QStringLiteral("start"));
    QVERIFY(stage.think());
    QCOMPARE(
        toRfc3339(utc(failedAt) + std::chrono::round<std::chrono::milliseconds>(stage.delay())),
        toRfc3339(utc(restartAt)));
    QVERIFY(stage.faults.isEmpty());
}

void ShippedEvaluatorsTest::quietHoursParameters_data()
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

// What `check` says before anything runs.
void ShippedEvaluatorsTest::quietHoursParameters()
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

void ShippedEvaluatorsTest::quietHoursFaults_data()
{
    QTest::addColumn<QString>("what");
    QTest::newRow("'from':'22:00','to':'22:00'") << QStringLiteral("from and to are the same time");
    QTest::newRow("'from':'22:00','to':'06:00','timeZone':'Moon/Tycho'")
        << QStringLiteral("there is no time zone Moon/Tycho");
}

// The evaluator reports what a schema cannot check, as soon as it is attached.
void ShippedEvaluatorsTest::quietHoursFaults()
{
    QFETCH(const QString, what);
    PluginStage stage(folders);
    stage.add(
        QStringLiteral("a"), {.runs = QStringLiteral("started fail")},
        customPolicy(QStringLiteral("quiet-hours"), QString::fromLatin1(QTest::currentDataTag())));
    QVERIFY(stage.waitForFaults(1));
    QCOMPARE(stage.faults[0].what, QStringLiteral("threw an exception: ") + what);
}

REKINDLE_TEST(ShippedEvaluatorsTest)
#include "shippedevaluatorstest.moc"
