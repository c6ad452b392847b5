// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <QRegularExpression>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace Rekindle;

/// `rekindle replay` with stores of real hosts.
class ReplayTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_store = m_folder.filePath(QStringLiteral("%1.sqlite").arg(++m_stores)); }

    void exitedHostIsIdentical();
    void killedAgentsAreIdentical();
    void killedHostIsIdentical();
    void namesChangedDecision();
    void namesChangedInput();
    void needsRecordedInputs();
    void rejectsOtherFiles();

private:
    // An agent that crashes until it is given up.
    void writeCrashes(const QStringList &options = {})
    {
        const QJsonObject policy{{QStringLiteral("type"), QStringLiteral("linear")},
                                 {QStringLiteral("initialDelay"), QStringLiteral("20ms")},
                                 {QStringLiteral("maxRetries"), 2}};
        const QString path =
            writeFile(m_folder.path(), QStringLiteral("crashing.json"),
                      configuration({words("exit", "7"), words("exit", "0")}, policy));
        CompletedRun run(words("up", path, "--store", m_store) + options, 1);
    }

    [[nodiscard]] QStringList hanging() const
    {
        const QJsonObject policy{{QStringLiteral("initialDelay"), QStringLiteral("1ms")},
                                 {QStringLiteral("maxRetries"), QStringLiteral("unlimited")},
                                 {QStringLiteral("circuitBreaker"), QStringLiteral("off")}};
        return words("up",
                     writeFile(m_folder.path(), QStringLiteral("hanging.json"),
                               configuration({words("hang"), words("hang")}, policy)),
                     "--state", m_store + QLatin1String(".state"), "--log", "json", "--store",
                     m_store);
    }

    /// Kills each agent as soon as it is ready, until `count` have been killed.
    static void killAgents(StartedRun &run, int count)
    {
        QSet<qint64> killed;
        QVERIFY(waitUntil([&] {
            for (const QJsonObject &event : jsonLines(run.wholeLines())) {
                const QJsonObject data = event[QLatin1String("data")].toObject();
                const qint64 pid = data[QLatin1String("pid")].toInteger();
                const bool isStart = event[QLatin1String("type")].toString().contains(
                    QLatin1String("agent.started"));
                if (isStart && pid > 1 && killed.size() < count && !killed.contains(pid)) {
                    killed.insert(pid);
                    ::kill(static_cast<pid_t>(pid), SIGKILL);
                }
            }
            return killed.size() == count && run.wholeLines().count("agent.failed") == count
                && run.wholeLines().count("agent.ready") > count;
        }));
    }

    void execute(const QString &statement) const
    {
        {
            QSqlDatabase database =
                QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("own"));
            database.setDatabaseName(m_store);
            QVERIFY(database.open());
            for (const QString &each : statement.split(u';')) {
                QSqlQuery query(database);
                QVERIFY2(query.exec(each), qPrintable(each));
            }
        }
        QSqlDatabase::removeDatabase(QStringLiteral("own"));
    }

    [[nodiscard]] qsizetype failuresInStore() const
    {
        CommandRun history(words("history", "--store", m_store));
        return history.complete() == 0 ? history.output().count(" failed (") : 0;
    }

    void isIdentical() const
    {
        CompletedRun run(words("replay", m_store));
        const QRegularExpression expected(
            QStringLiteral("^[0-9,]+ inputs, [0-9,]+ events, [0-9,]+ decisions?: identical\n$"));
        QVERIFY2(expected.match(QString::fromUtf8(run.output())).hasMatch(),
                 run.output().constData());
    }

    QTemporaryDir m_folder;
    QString m_store;
    int m_stores = 0;
};

void ReplayTest::exitedHostIsIdentical()
{
    writeCrashes();
    isIdentical();
    CompletedRun json(words("replay", m_store, "--json"));
    const QJsonObject result = jsonLines(json.output()).value(0);
    QCOMPARE(result[QLatin1String("identical")], QJsonValue(true));
    QCOMPARE(result[QLatin1String("decisions")].toInt(), 3);
    CompletedRun one(words("replay", m_store, "--agent", "b", "--json"));
    const QJsonObject part = jsonLines(one.output()).value(0);
    QCOMPARE(part[QLatin1String("decisions")].toInt(), 0);
    QVERIFY(part[QLatin1String("inputs")].toInt() > 2);
    QVERIFY(part[QLatin1String("inputs")].toInt() < result[QLatin1String("inputs")].toInt());
    CompletedRun unknown(words("replay", m_store, "--agent", "x"), 1);
    VERIFY_CONTAINS(unknown.error(), "no agent named x; known agents: ");
}

void ReplayTest::killedAgentsAreIdentical()
{
    StartedRun run(hanging());
    killAgents(run, 20);
    QCOMPARE(run.endBy(SIGTERM), 0);
    isIdentical();
}

// The next host resumes from the state of the killed one.
void ReplayTest::killedHostIsIdentical()
{
    for (int i = 0; i < 2; ++i) {
        StartedRun run(hanging());
        killAgents(run, 6);
        // The latest rows are not in the store yet.
        QVERIFY(waitUntil([&] { return failuresInStore() > 6 * i + 2; }));
        static_cast<void>(run.endBy(SIGKILL));
        isIdentical();
    }
    StartedRun last(hanging());
    killAgents(last, 2);
    QCOMPARE(last.endBy(SIGTERM), 0);
    isIdentical();
    const QList<QJsonObject> runs = jsonLines(
        CompletedRun(words("history", "--store", m_store, "--json", "--limit", "1000")).output());
    const QString first =
        runs.value(0)[QLatin1String("source")].toString().mid(int(sizeof("urn:uuid:") - 1));
    CompletedRun older(words("replay", m_store, "--run", first));
    VERIFY_CONTAINS(older.output(), ": identical\n");
}

void ReplayTest::namesChangedDecision()
{
    writeCrashes();
    execute(
        QStringLiteral("DROP TRIGGER audit_unchanged;"
                       "UPDATE audit SET data = replace(data, '\"rule\":\"AttemptsExhausted\"', "
                       "'\"rule\":\"WindowExceeded\"') WHERE kind = 'decision'"));
    CompletedRun run(words("replay", m_store), 1);
    const QRegularExpression expected(
        QStringLiteral(": different\ninput [0-9]+ \\(Failed of a\\): the decision differs\n"
                       "  rule: recorded WindowExceeded, now AttemptsExhausted\n$"));
    QVERIFY2(expected.match(QString::fromUtf8(run.output())).hasMatch(), run.output().constData());
    CompletedRun json(words("replay", m_store, "--json"), 1);
    const QJsonObject result = jsonLines(json.output()).value(0);
    QCOMPARE(result[QLatin1String("identical")], QJsonValue(false));
    QCOMPARE(result[QLatin1String("difference")][QLatin1String("replayedRule")].toString(),
             QStringLiteral("AttemptsExhausted"));
}

void ReplayTest::namesChangedInput()
{
    writeCrashes();
    execute(QStringLiteral("UPDATE inputs SET draw = 0.5 WHERE n = 4"));
    CompletedRun run(words("replay", m_store), 1);
    VERIFY_CONTAINS(run.output(), ": identical up to this point\ninput 4: the row was changed\n");
}

void ReplayTest::needsRecordedInputs()
{
    writeCrashes(words("--record", "off"));
    CompletedRun run(words("replay", m_store), 66);
    VERIFY_CONTAINS(run.error(), ": no inputs were recorded (--record off, or an older version)\n");
    CompletedRun other(words("replay", m_store, "--run", "x"), 66);
    VERIFY_CONTAINS(other.error(), ": no run has the id x\n");
}

void ReplayTest::rejectsOtherFiles()
{
    const QString text = writeFile(m_folder.path(), QStringLiteral("text"), "not yours\n");
    CompletedRun run(words("replay", text), 66);
    CompletedRun none(words("replay", m_store), 66);
    VERIFY_CONTAINS(none.error(), QByteArray(m_store.toUtf8() + ": "));
}

REKINDLE_TEST(ReplayTest)
#include "replaytest.moc"
