// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <QSqlDatabase>
#include <QSqlQuery>

#include <csignal>

using namespace Rekindle;

/// `rekindle explain` with stores of `up`.
class ExplainTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();

    void showsDecisions();
    void printsJson();
    void rejectsUnknownAgent();
    void agentWithoutFailures();
    void showsDowngrade();
    void hostWasKilled();
    void laterHostResumed();
    void otherHostAtTheSameTime();

private:
    QTemporaryDir m_folder;
    QString m_config;
    QString m_store;
};

void ExplainTest::initTestCase()
{
    const QJsonObject policy{{QStringLiteral("type"), QStringLiteral("linear")},
                             {QStringLiteral("initialDelay"), QStringLiteral("20ms")},
                             {QStringLiteral("maxRetries"), 2},
                             {QStringLiteral("circuitBreaker"), QStringLiteral("off")}};
    m_config = writeFile(
        m_folder.path(), QStringLiteral("crashing.json"),
        configuration({words("err", "no database", "exit", "7"), words("exit", "0")}, policy));
    m_store = m_folder.filePath(QStringLiteral("s.sqlite"));
    CompletedRun run(words("up", m_config, "--store", m_store), 1);
}

void ExplainTest::showsDecisions()
{
    CompletedRun run(words("explain", "a", "--store", m_store));
    const QString text = QString::fromUtf8(run.output());
    const QStringList decisions = text.split(QStringLiteral("\n\n"));
    QCOMPARE(decisions.size(), 4); // three, and the latest event
    const QString &second = decisions[1];
    VERIFY_CONTAINS(second, "a: decision ");
    VERIFY_CONTAINS(second, "  stderr   | no database\n");
    VERIFY_CONTAINS(second, "; the last restart before giving up");
    QVERIFY(decisions[2].contains(QLatin1String("  rule     AttemptsExhausted: All 2 restarts")));
    const QRegularExpression next(
        QStringLiteral("  next     its host \\(process \\d+\\) exited at \\S+Z; no restart until a "
                       "host is started again$"));
    VERIFY_CONTAINS(decisions[2], next);
    QVERIFY(decisions[3].startsWith(QLatin1String("latest event: ")));
    QVERIFY(decisions[3].contains(QLatin1String("given up after 2 restarts")));
}

void ExplainTest::printsJson()
{
    CompletedRun run(words("explain", "a", "--store", m_store, "--json", "--limit", "2"));
    const QList<QJsonObject> lines = jsonLines(run.output());
    QCOMPARE(lines.size(), 2);
    const QJsonObject decision = lines[0][QLatin1String("decision")].toObject();
    QCOMPARE(decision[QLatin1String("rule")].toString(), QStringLiteral("Restart"));
    QCOMPARE(decision[QLatin1String("budgetLeft")].toInt(), 0);
    QCOMPARE(lines[0][QLatin1String("hash")].toString().size(), 64);
}

void ExplainTest::rejectsUnknownAgent()
{
    CompletedRun run(words("explain", "nobody", "--store", m_store), 1);
    QCOMPARE(
        QString::fromLocal8Bit(run.error()),
        QStringLiteral("rekindle: %1: no agent named nobody; known agents: a, b\n").arg(m_store));
}

void ExplainTest::agentWithoutFailures()
{
    CompletedRun run(words("explain", "b", "--store", m_store));
    VERIFY_CONTAINS(run.output(), "b: no failures; stopped at ");
    CompletedRun json(words("explain", "b", "--store", m_store, "--json"));
    QCOMPARE(json.output(), QByteArray());
    QVERIFY(json.error().startsWith("rekindle: b: no failures; stopped at "));
}

// Events may have been removed because of their age; decisions are kept.
void ExplainTest::showsDowngrade()
{
    const QString store = m_folder.filePath(QStringLiteral("gated.sqlite"));
    CompletedRun up(words("up", m_config, "--store", store, "--tier", "Core"), 1);
    QVERIFY2(up.error().endsWith("rekindle: no agents left to supervise: 1 of 2 agents gated by "
                                 "license tier Core\n"),
             up.error().constData());
    CompletedRun history(words("history", "a", "--store", store));
    VERIFY_CONTAINS(history.output(),
                    "  a  license tier Core does not permit linear restarts; "
                    "restarts are disabled\n");
    CompletedRun json(words("explain", "a", "--store", store, "--json", "--limit", "1"));
    const QJsonObject line = jsonLines(json.output()).value(0);
    QCOMPARE(line[QLatin1String("decision")][QLatin1String("downgraded")].toObject(),
             (QJsonObject{{QStringLiteral("tier"), QStringLiteral("Core")},
                          {QStringLiteral("requestedType"), QStringLiteral("linear")},
                          {QStringLiteral("effectiveType"), QStringLiteral("none")}}));
    {
        QSqlDatabase own = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"));
        own.setDatabaseName(store);
        QVERIFY(own.open());
        QVERIFY(QSqlQuery(own).exec(QStringLiteral("DELETE FROM events")));
        own.close();
    }
    QSqlDatabase::removeDatabase(QString::fromLatin1(QSqlDatabase::defaultConnection));
    CompletedRun run(words("explain", "a", "--store", store));
    VERIFY_CONTAINS(run.output(),
                    "  request  policy linear; license tier Core does not permit it; using "
                    "none\n");
    CompletedRun verify(words("history", "verify", "--store", store));
}

namespace {

const QJsonObject inAnHour{{QStringLiteral("type"), QStringLiteral("linear")},
                           {QStringLiteral("initialDelay"), QStringLiteral("1h")},
                           {QStringLiteral("maxDelay"), QStringLiteral("2h")}};

} // namespace

void ExplainTest::hostWasKilled()
{
    const QString store = m_folder.filePath(QStringLiteral("gone.sqlite"));
    const QString gate = m_folder.filePath(QStringLiteral("gate"));
    const QString config =
        writeFile(m_folder.path(), QStringLiteral("gone.json"),
                  configuration({words("await", gate, "exit", "7"), words("hang")}, inAnHour));
    StartedRun up(words("up", config, "--store", store));
    const auto said = [&](const char *command, const char *agent) {
        CommandRun run(words(command, agent, "--store", store));
        return run.complete() == 0 ? QString::fromUtf8(run.output()) : QString();
    };
    const auto waitUntilSaid = [&](const char *command, const char *agent, const char *text) {
        return waitUntil([&] { return said(command, agent).contains(QLatin1String(text)); });
    };
    QVERIFY(waitUntilSaid("explain", "b", "no failures; started at "));
    QVERIFY(waitUntilSaid("history", "b", "ready after"));
    static_cast<void>(writeFile(m_folder.path(), QStringLiteral("gate"), {}));
    QVERIFY(waitUntilSaid("explain", "a", "  next     restart 1, due in "));
    QVERIFY(!said("history", "a").contains(QLatin1String("no further events")));
    const QString host =
        QStringLiteral("its host (process %1) is no longer running").arg(up.processId());
    const QString lastLine =
        QStringLiteral("no further events from host process %1: it exited without recording an end "
                       "(killed, crashed, or the store could not be written)\n")
            .arg(up.processId());
    up.kill();
    QVERIFY(up.end() != 0);

    const QString failed = said("explain", "a");
    VERIFY_CONTAINS(failed, "  next     restart 1, scheduled for ");
    VERIFY_CONTAINS(failed, host + QLatin1String("; no restart until a host is started again"));
    const QString running = said("explain", "b");
    VERIFY_CONTAINS(running, QLatin1String(", generation 1; ") + host);
    const QString history = said("history", "a");
    QVERIFY2(history.endsWith(lastLine), qPrintable(history));
    // The time is that of the last event of the host, here of agent a.
    const QString ofOther = said("history", "b");
    QVERIFY2(ofOther.endsWith(lastLine), qPrintable(ofOther));
    const auto lastTime = [](const QString &text) {
        return text.chopped(1).section(u'\n', -1).section(u' ', 0, 0);
    };
    QCOMPARE(lastTime(ofOther), lastTime(history));
    QVERIFY(lastTime(ofOther) > ofOther.section(u'\n', -3, -3).section(u' ', 0, 0));
}

// The later host resumes the agent from the state file and records no decision.
void ExplainTest::laterHostResumed()
{
    const QString store = m_folder.filePath(QStringLiteral("later.sqlite"));
    const QString state = m_folder.filePath(QStringLiteral("later.state"));
    const QString config = writeFile(m_folder.path(), QStringLiteral("later.json"),
                                     configuration({words("exit", "7"), words("hang")}, inAnHour));
    const auto waitFor = [&](const QString &next) {
        const QRegularExpression line(QLatin1String("\n  next     restart 1, ") + next
                                      + QLatin1String("\n"));
        return waitUntil([&] {
            CommandRun run(words("explain", "a", "--store", store));
            return run.complete() == 0 && line.match(QString::fromUtf8(run.output())).hasMatch();
        });
    };
    StartedRun first(words("up", config, "--store", store, "--state", state));
    const qint64 firstId = first.processId();
    QVERIFY(waitFor(QStringLiteral("due in .*")));
    QVERIFY(waitUntil([&] { return readFile(state).contains("\"Waiting"); }));
    first.kill();
    QVERIFY(first.end() != 0);
    const QString hostEnded =
        QStringLiteral("scheduled for \\S+, but its host \\(process %1\\) is no longer running")
            .arg(firstId);
    QVERIFY(waitFor(hostEnded + QLatin1String("; no restart until a host is started again")));

    StartedRun next(words("up", config, "--store", store, "--state", state));
    const QString host = QStringLiteral("\\(process %1\\)").arg(next.processId());
    const QString resumed = QStringLiteral(" resumed it, at \\S+Z: restart 1 of 10 in \\S.*");
    QVERIFY(waitFor(hostEnded + QLatin1String("; a later host ") + host + resumed));
    next.kill();
    QVERIFY(next.end() != 0);
    QVERIFY(waitFor(hostEnded + QLatin1String("; a later host ") + host + resumed
                    + QLatin1String("; that host ") + host
                    + QLatin1String(" is no longer running")));
}

// The second host did not resume the agent of the first one.
void ExplainTest::otherHostAtTheSameTime()
{
    const QString store = m_folder.filePath(QStringLiteral("beside.sqlite"));
    const auto up = [&](const QString &file) {
        const QString config =
            writeFile(m_folder.path(), file, configuration({words("exit", "7")}, inAnHour));
        return words("up", config, "--store", store, "--state", "off");
    };
    const auto explained = [&] {
        CommandRun run(words("explain", "a", "--store", store));
        run.complete();
        return QString::fromUtf8(run.output());
    };
    StartedRun first(up(QStringLiteral("beside.json")));
    QVERIFY(first.waitForOutput("restart.scheduled"));
    StartedRun second(up(QStringLiteral("copy.json")));
    QVERIFY2(waitUntil([&] { return explained().count(QLatin1String(": decision ")) == 2; }),
             QByteArray(first.error() + second.error()).constData());
    const qint64 firstId = first.processId();
    const qint64 secondId = second.processId();
    QCOMPARE(first.endBy(SIGTERM), 0);
    QCOMPARE(second.endBy(SIGTERM), 0);
    const QRegularExpression beside(
        QStringLiteral(
            "next     restart 1, scheduled for \\S+, but its host \\(process %1\\) exited at "
            "\\S+; another host \\(process %2\\) ran at the same time, with its own event at ")
            .arg(firstId)
            .arg(secondId));
    VERIFY_CONTAINS(explained(), beside);
}

REKINDLE_TEST(ExplainTest)
#include "explaintest.moc"
