// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/runs/vendor.h"

#include "processes.h"
#include "testprogram.h"

#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace Rekindle;

/// A licence file that changes while agents run: what waits, what is open, what is gated, what
/// runs.
class LiveLicenseTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void whatIsGatedIsStarted_data();
    void whatIsGatedIsStarted();
    void whatWaitsAndWhatIsOpenIsGated_data();
    void whatWaitsAndWhatIsOpenIsGated();
    void theRecordNamesTheTier();
    void thereAndBack();
    void aWaitIsPlannedAnew();
    void aRenewedOneChangesNothing();
    void runNoticesToo();

private:
    // `worker` beside agents of other policies; its process goes on whatever the tier is.
    [[nodiscard]] QString configurationOf(const QList<QPair<QStringList, QJsonObject>> &agents)
    {
        QJsonArray entries;
        const auto add = [&entries](const QString &name, const QStringList &commands,
                                    const QJsonObject &policy) {
            entries.append(
                QJsonObject{{QStringLiteral("name"), name},
                            {QStringLiteral("kind"), QStringLiteral("process")},
                            {QStringLiteral("program"), QStringLiteral(REKINDLE_CHAOSAGENT)},
                            {QStringLiteral("arguments"), QJsonArray::fromStringList(commands)},
                            {QStringLiteral("ready"), QStringLiteral("now")},
                            {QStringLiteral("policy"), policy}});
        };
        add(QStringLiteral("worker"), words("append", m_starts, "hang"), {});
        for (qsizetype i = 0; i < agents.size(); ++i)
            add(QString(QChar(u'a' + static_cast<int>(i))), agents[i].first, agents[i].second);
        return writeFile(m_folder->path(), QStringLiteral("agents.json"),
                         QJsonDocument(QJsonObject{{QStringLiteral("agents"), entries}}).toJson());
    }
    [[nodiscard]] QStringList up(const QList<QPair<QStringList, QJsonObject>> &agents,
                                 const QString &store = QStringLiteral("off"))
    {
        return words("up", configurationOf(agents), "--store", store, "--state", "off")
            + m_vendor->options(m_license);
    }
    static bool waitForEvents(CommandRun &run, const char *agent, const QStringList &types)
    {
        return QTest::qWaitFor(
            [&] { return eventTypes(run.wholeLines(), QLatin1String(agent)) == types; }, 60'000);
    }
    // After everything: it was started once, and ended only with the host.
    void checkWorker(CommandRun &run) const
    {
        const QStringList types = eventTypes(run.output(), QStringLiteral("worker"));
        QCOMPARE(types.filter(QStringLiteral("agent.")),
                 words("agent.started", "agent.ready", "agent.stopped"));
        QCOMPARE(numbersIn(m_starts).size(), 1);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Vendor> m_vendor;
    QString m_starts;
    const QString m_license = QStringLiteral("license");
};

namespace {

const QJsonObject soon{{QStringLiteral("initialDelay"), QStringLiteral("10ms")}};
const QJsonObject inAnHour{{QStringLiteral("initialDelay"), QStringLiteral("1h")},
                           {QStringLiteral("maxDelay"), QStringLiteral("1h")}};
const QJsonObject open{{QStringLiteral("circuitBreaker"),
                        QJsonObject{{QStringLiteral("threshold"), 1},
                                    {QStringLiteral("timeout"), QStringLiteral("1h")}}}};

const QByteArray teams = "rekindle: license: Teams, licensed to ACME, never expires; the tier is "
                         "Teams\n";

} // namespace

void LiveLicenseTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_vendor = std::make_unique<Vendor>(m_folder->path());
    m_starts = m_folder->filePath(QStringLiteral("starts"));
}

void LiveLicenseTest::whatIsGatedIsStarted_data()
{
    QTest::addColumn<QString>("before");
    for (const char *before : {"Core", "not yet valid", "missing", "damaged"})
        QTest::newRow(before) << QString::fromLatin1(before);
}

void LiveLicenseTest::whatIsGatedIsStarted()
{
    QFETCH(QString, before);
    if (before == QLatin1String("Core"))
        m_vendor->issue(m_license, before);
    else if (before == QLatin1String("not yet valid"))
        m_vendor->issue(m_license, QStringLiteral("Teams"),
                        words("--not-before", "2100-01-01T00:00:00Z"));
    else if (before == QLatin1String("damaged"))
        static_cast<void>(writeFile(m_folder->path(), m_license, "half of"));
    const QString counter = m_folder->filePath(QStringLiteral("counter"));
    CommandRun run(up({{words("crash-first", "1", counter, "hang"), soon}}));
    QVERIFY(run.begin());
    const QStringList gated =
        words("policy.downgraded", "agent.started", "agent.ready", "agent.failed");
    QVERIFY2(waitForEvents(run, "a", gated), run.output().constData());

    m_vendor->issue(m_license, QStringLiteral("Teams"));
    QVERIFY2(run.waitForOutput("restart.succeeded"), run.error().constData());
    QCOMPARE(eventTypes(run.wholeLines(), QStringLiteral("a")).mid(gated.size()),
             words("restart.scheduled", "restart.started", "agent.started", "agent.ready",
                   "restart.succeeded"));
    run.signal(SIGTERM);
    QCOMPARE(run.end(), 0);
    QVERIFY2(run.error().contains(teams), run.error().constData());
    checkWorker(run);
}

void LiveLicenseTest::whatWaitsAndWhatIsOpenIsGated_data()
{
    QTest::addColumn<QString>("after");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("Core") << QStringLiteral("Core")
                          << QByteArray("Core, licensed to ACME, never expires");
    QTest::newRow("expired") << QStringLiteral("expired")
                             << QByteArray("Expired: it expired at 2020-01-02T00:00:00.000Z");
    QTest::newRow("missing") << QStringLiteral("missing") << QByteArray("Missing: ");
    QTest::newRow("damaged") << QStringLiteral("damaged") << QByteArray("Malformed: ");
}

void LiveLicenseTest::whatWaitsAndWhatIsOpenIsGated()
{
    QFETCH(QString, after);
    QFETCH(QByteArray, says);
    m_vendor->issue(m_license, QStringLiteral("Teams"));
    CommandRun run(up({{words("exit", "3"), inAnHour}, {words("exit", "3"), open}}));
    QVERIFY(run.begin());
    QVERIFY(run.waitForOutput("restart.scheduled"));
    QVERIFY(run.waitForOutput("circuit.changed"));

    if (after == QLatin1String("Core"))
        m_vendor->issue(m_license, after);
    else if (after == QLatin1String("expired"))
        m_vendor->issue(
            m_license, QStringLiteral("Teams"),
            words("--not-before", "2020-01-01T00:00:00Z", "--expires", "2020-01-02T00:00:00Z"));
    else if (after == QLatin1String("missing"))
        QVERIFY(QFile::remove(m_vendor->path(m_license)));
    else
        static_cast<void>(writeFile(m_folder->path(), m_license, "half of"));
    QVERIFY2(QTest::qWaitFor([&] { return run.output().count("policy.downgraded") == 3; }, 60'000),
             run.output().constData());
    run.signal(SIGTERM);
    QCOMPARE(run.end(), 0);
    const QByteArray error = run.error();
    QVERIFY2(error.startsWith(QByteArray("rekindle: license: " + says)), error.constData());
    QVERIFY2(error.contains("; the tier is Core\n"), error.constData());
    QVERIFY2(error.endsWith("rekindle: not running when all were stopped: a (Gated), b (Gated)\n"),
             error.constData());
    QCOMPARE(eventTypes(run.output(), QStringLiteral("a")),
             words("agent.started", "agent.ready", "agent.failed", "restart.scheduled",
                   "policy.downgraded", "restart.cancelled"));
    checkWorker(run);
}

// Also of the decision that the change of the tier itself leads to.
void LiveLicenseTest::theRecordNamesTheTier()
{
    const QString store = m_folder->filePath(QStringLiteral("store.sqlite"));
    m_vendor->issue(m_license, QStringLiteral("Teams"));
    CommandRun run(up({{words("exit", "3"), inAnHour}}, store));
    QVERIFY(run.begin());
    QVERIFY(run.waitForOutput("restart.scheduled"));
    m_vendor->issue(m_license, QStringLiteral("Core"));
    QVERIFY2(run.waitForOutput("restart.cancelled"), run.error().constData());
    run.signal(SIGTERM);
    QCOMPARE(run.end(), 0);

    CommandRun explain(words("explain", "a", "--store", store));
    QCOMPARE(explain.complete(), 0);
    QCOMPARE(explain.output().count(": decision "), 2);
    const QByteArray last = explain.output().mid(explain.output().lastIndexOf(": decision "));
    QVERIFY2(last.contains("  asked    policy exponential; licence tier Core has no such restarts "
                           "and makes none of it\n  policy   none\n"),
             explain.output().constData());
    QVERIFY2(!explain.output().chopped(last.size()).contains("  asked "),
             explain.output().constData());
}

// Also what was open is open again, for as long as it would have been.
void LiveLicenseTest::thereAndBack()
{
    m_vendor->issue(m_license, QStringLiteral("Teams"));
    CommandRun run(up({{words("exit", "3"), inAnHour}, {words("exit", "3"), open}}));
    QVERIFY(run.begin());
    QVERIFY(run.waitForOutput("restart.scheduled"));
    QVERIFY(run.waitForOutput("circuit.changed"));
    m_vendor->issue(m_license, QStringLiteral("Core"));
    QVERIFY(QTest::qWaitFor([&] { return run.output().count("policy.downgraded") == 3; }, 60'000));
    m_vendor->issue(m_license, QStringLiteral("Teams"));
    QVERIFY2(run.waitForError(teams), run.error().constData());
    QVERIFY(QTest::qWaitFor(
        [&] {
            return eventTypes(run.wholeLines(), QStringLiteral("a"))
                       .count(QLatin1String("restart.scheduled"))
                == 2;
        },
        60'000));
    run.signal(SIGTERM);
    QCOMPARE(run.end(), 0);
    QVERIFY2(run.error().endsWith("rekindle: not running when all were stopped: a (Waiting), b "
                                  "(CircuitOpen)\n"),
             run.error().constData());
    checkWorker(run);
}

// WriterPro makes of the steps a linear hour; the first step itself is over by then.
void LiveLicenseTest::aWaitIsPlannedAnew()
{
    m_vendor->issue(m_license, QStringLiteral("WriterPro"));
    const QString counter = m_folder->filePath(QStringLiteral("counter"));
    const QJsonObject stepped{
        {QStringLiteral("type"), QStringLiteral("stepped")},
        {QStringLiteral("steps"), QJsonArray{QStringLiteral("0s"), QStringLiteral("1h")}},
        {QStringLiteral("maxDelay"), QStringLiteral("1h")}};
    CommandRun run(up({{words("crash-first", "1", counter, "hang"), stepped}}));
    QVERIFY(run.begin());
    QVERIFY2(run.waitForOutput("restart.scheduled"), run.error().constData());
    m_vendor->issue(m_license, QStringLiteral("Teams"));
    QVERIFY2(run.waitForOutput("restart.succeeded"), run.error().constData());
    run.signal(SIGTERM);
    QCOMPARE(run.end(), 0);
    checkWorker(run);
}

void LiveLicenseTest::aRenewedOneChangesNothing()
{
    m_vendor->issue(m_license, QStringLiteral("Teams"), words("--for", "1h"));
    CommandRun run(up({{words("exit", "3"), inAnHour}}));
    QVERIFY(run.begin());
    QVERIFY(run.waitForOutput("restart.scheduled"));
    m_vendor->issue(m_license, QStringLiteral("Teams"));
    QVERIFY2(run.waitForError(teams), run.error().constData());
    run.signal(SIGTERM);
    QCOMPARE(run.end(), 0);
    QCOMPARE(eventTypes(run.output(), QStringLiteral("a")),
             words("agent.started", "agent.ready", "agent.failed", "restart.scheduled",
                   "restart.cancelled"));
    checkWorker(run);
}

void LiveLicenseTest::runNoticesToo()
{
    m_vendor->issue(m_license, QStringLiteral("Teams"));
    CommandRun run(words("run") + m_vendor->options(m_license)
                   + words("--initial-delay", "1h", "--max-delay", "1h", "--", REKINDLE_CHAOSAGENT,
                           "exit", "3"));
    QVERIFY(run.begin());
    QVERIFY(run.waitForError("restart 1 of 10 in "));
    m_vendor->issue(m_license, QStringLiteral("Core"));
    QCOMPARE(run.end(), 3);
    QVERIFY2(run.error().endsWith(
                 "rekindle: license: Core, licensed to ACME, never expires; the tier is Core\n"
                 "rekindle: chaosagent: tier Core has no exponential restarts, none are made\n"
                 "rekindle: chaosagent: restart 1 is cancelled\n"),
             run.error().constData());
}

REKINDLE_TEST(LiveLicenseTest)
#include "livelicensetest.moc"
