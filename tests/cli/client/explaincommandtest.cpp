// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <csignal>
#include <memory>

using namespace Rekindle;

/// `rekindle explain` with a running `up`.
class ExplainCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void explainsFromRunningHost();
    void printsLinesOfJson();
    void explainsAgentWithoutFailures();
    void readsStoreIfAsked();
    void readsStoreIfTheHostDoesNotRun();
    void reportsUnknownAgentOfTheHost();
    void acceptsLimitAboveThatOfTheHost();
    void rejectsTwoChoices();
    void explainsStoredAgentNamedAll();

private:
    QTemporaryDir m_folder;
    QString m_configuration;
    QString m_store;
    std::unique_ptr<CommandRun> m_up;
};

void ExplainCommandTest::initTestCase()
{
    m_configuration =
        writeFile(m_folder.path(), QStringLiteral("explained.json"),
                  configuration({words("err", "no database", "exit", "7"), words("sleep", "1h")},
                                hourlyRetries()));
    m_store = m_folder.filePath(QStringLiteral("s.sqlite"));
    m_up = std::make_unique<CommandRun>(
        words("up", m_configuration, "--store", m_store, "--state", "off", "--log", "json"));
    QVERIFY(m_up->begin());
    QVERIFY(m_up->waitForOutput("restart.scheduled"));
}

void ExplainCommandTest::cleanupTestCase() { QCOMPARE(m_up->endBy(SIGTERM), 0); }

void ExplainCommandTest::explainsFromRunningHost()
{
    CompletedRun run(words("explain", "a", "--config", m_configuration));
    VERIFY_CONTAINS(run.output(), "a: decision of 20");
    VERIFY_CONTAINS(run.output(), "\n  failure  ProcessCrash: exit code 7, process ");
    VERIFY_CONTAINS(run.output(), "\n  stderr   | no database\n");
    VERIFY_CONTAINS(run.output(), "\n\nnow: Waiting; restart 1 of 10 in ");
}

void ExplainCommandTest::printsLinesOfJson()
{
    CompletedRun run(words("explain", "a", "--json", "--config", m_configuration));
    const QList<QJsonObject> lines = jsonLines(run.output());
    QCOMPARE(lines.size(), 1);
    QCOMPARE(lines[0][QLatin1String("agent")].toString(), QStringLiteral("a"));
    QCOMPARE(lines[0][QLatin1String("decision")][QLatin1String("attemptNumber")].toInt(), 1);
    QVERIFY(!lines[0].contains(QLatin1String("row")));
}

void ExplainCommandTest::explainsAgentWithoutFailures()
{
    CompletedRun run(words("explain", "b", "--config", m_configuration));
    QCOMPARE(run.output(),
             QByteArray("b: no decision since the host started\n\nnow: Running; no start or "
                        "stop is planned\n"));
}

void ExplainCommandTest::readsStoreIfAsked()
{
    // The store is written a moment later.
    QByteArray text;
    QVERIFY(waitUntil([&] {
        CommandRun run(words("explain", "a", "--store", m_store));
        if (run.complete() == 0)
            text = run.output();
        return text.contains("decision in row");
    }));
    VERIFY_CONTAINS(text, "\nlatest event: ");
}

void ExplainCommandTest::readsStoreIfTheHostDoesNotRun()
{
    const QString other = writeFile(m_folder.path(), QStringLiteral("other.json"),
                                    configuration({words("exit", "7")}, {}));
    CompletedRun run(words("explain", "a", "--config", other), 66);
    VERIFY_CONTAINS(run.error(), ".sqlite");
}

void ExplainCommandTest::reportsUnknownAgentOfTheHost()
{
    CompletedRun run(words("explain", "web", "--config", m_configuration), 64);
    QCOMPARE(run.error(), QByteArray("rekindle: no agent named web; known agents: a, b\n"));
}

void ExplainCommandTest::acceptsLimitAboveThatOfTheHost()
{
    CompletedRun run(words("explain", "a", "--limit", "6", "--config", m_configuration));
    QCOMPARE(run.error(), QByteArray()); // there is only one decision
}

void ExplainCommandTest::rejectsTwoChoices()
{
    CompletedRun store(words("explain", "a", "--host", "h", "--store", "s"), 64);
    CompletedRun config(words("explain", "a", "--host", "h", "--config", "c"), 64);
}

// The running host has no such agent.
void ExplainCommandTest::explainsStoredAgentNamedAll()
{
    const QTemporaryDir state;
    const auto explain = [&state] {
        auto run = std::make_unique<CommandRun>(words("explain", "all"));
        run->setStateFolder(state.path());
        return run;
    };
    auto none = explain();
    // As root, the hosts of other tests are in the same folder, so that none is the only one.
    const int exitCode = none->complete();
    QVERIFY(exitCode == 64 || exitCode == 66);
    VERIFY_CONTAINS(none->error(), "to select all agents of a running host, use --all\n");

    CommandRun up(
        words("up",
              writeFile(m_folder.path(), QStringLiteral("all.json"),
                        R"({"agents": [{"name": "all", "kind": "process", "program": "false",
                                  "policy": "none"}]})"),
              "--state", "off"));
    up.setStateFolder(state.path());
    QCOMPARE(up.complete(), 1);
    auto stored = explain();
    QCOMPARE(stored->complete(), 0);
    VERIFY_CONTAINS(stored->output(), "all: decision in row ");
}

REKINDLE_TEST(ExplainCommandTest)
#include "explaincommandtest.moc"
