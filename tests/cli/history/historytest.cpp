// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace Rekindle;

/// `history` and `history verify` with a store of `up`.
class HistoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();

    void jsonHasTheEventsOfUp();
    void printsLines();
    void filtersByAgentAndTime();
    void rejectsUnknownAgent();
    void reportsNoEvents();
    void reportsMissingStore();
    void leavesNoFiles();
    void leavesWriteAheadLogOfKilledHost();
    void verifyPrintsHead();
    void verifyDetectsTampering_data();
    void verifyDetectsTampering();
    void verifyRejectsFilters();
    void defaultStore();
    void offWritesNoStore();
    void reportsStoreThatCannotBeOpened();
    void movesDamagedStoreAside();
    void reportsUnreadableStore();
    void readsWhileUpRuns();

private:
    void execute(const QString &path, const QString &statement);

    QTemporaryDir m_folder;
    QString m_config;
    QString m_store;
    QByteArray m_events; ///< that `up` wrote to stdout
};

void HistoryTest::initTestCase()
{
    const QJsonObject policy{{QStringLiteral("type"), QStringLiteral("linear")},
                             {QStringLiteral("initialDelay"), QStringLiteral("20ms")},
                             {QStringLiteral("maxRetries"), 2},
                             {QStringLiteral("circuitBreaker"), QStringLiteral("off")}};
    m_config = writeFile(
        m_folder.path(), QStringLiteral("crashing.json"),
        configuration({words("err", "no database", "exit", "7"), words("exit", "0")}, policy));
    m_store = m_folder.filePath(QStringLiteral("s.sqlite"));
    CommandRun run(words("up", m_config, "--store", m_store));
    QCOMPARE(run.complete(), 1);
    m_events = run.output();
    QVERIFY(QFileInfo::exists(m_store));
}

void HistoryTest::execute(const QString &path, const QString &statement)
{
    const QString name = QStringLiteral("own");
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        database.setDatabaseName(path);
        QVERIFY(database.open());
        QSqlQuery query(database);
        QVERIFY2(query.exec(statement), qPrintable(query.lastError().text()));
    }
    QSqlDatabase::removeDatabase(name);
}

void HistoryTest::jsonHasTheEventsOfUp()
{
    CommandRun run(words("history", "--store", m_store, "--json", "--limit", "1000"));
    QCOMPARE(run.complete(), 0);
    QList<QJsonObject> emitted = jsonLines(m_events);
    QList<QJsonObject> stored = jsonLines(run.output());
    QVERIFY(emitted.size() > 10);
    for (QList<QJsonObject> *events : {&emitted, &stored}) {
        for (QJsonObject &event : *events)
            event.remove(QLatin1String("source")); // each writer has its own
    }
    QCOMPARE(stored, emitted);
}

void HistoryTest::printsLines()
{
    CommandRun run(words("history", "--store", m_store));
    QCOMPARE(run.complete(), 0);
    const QByteArray text = run.output();
    QVERIFY2(text.contains("Z  a  failed (ProcessCrash: exit code 7)\n"), text.constData());
    QVERIFY2(text.contains("Z  a  restart 1 of 2 in "), text.constData());
    QVERIFY2(text.contains("Z  a  given up after 2 restarts in "), text.constData());
    QVERIFY2(text.contains("Z  b  stopped\n"), text.constData());
    // And the start and the exit of the host.
    QCOMPARE(text.count('\n'), m_events.count('\n') + 2);
    const auto ends = QRegularExpression(QStringLiteral("^\\S+Z     host process (\\d+) started\n"
                                                        ".*\\S+Z     host process \\1 exited\n$"),
                                         QRegularExpression::DotMatchesEverythingOption);
    QVERIFY2(ends.match(QString::fromUtf8(text)).hasMatch(), text.constData());
    CommandRun last(words("history", "--store", m_store, "--limit", "2"));
    QCOMPARE(last.complete(), 0);
    QCOMPARE(last.output().count("host process"), 1);
}

void HistoryTest::filtersByAgentAndTime()
{
    CommandRun one(words("history", "b", "--store", m_store));
    QCOMPARE(one.complete(), 0);
    QVERIFY(!one.output().contains("  a  "));
    QVERIFY(one.output().contains("  b  stopped"));
    CommandRun last(words("history", "a", "--store", m_store, "--limit", "1"));
    QCOMPARE(last.complete(), 0);
    QCOMPARE(last.output().count('\n'), 2); // one for the exit of the host
    QVERIFY(last.output().contains("given up"));
    CommandRun recent(words("history", "--store", m_store, "--since", "1h"));
    QCOMPARE(recent.complete(), 0);
    QCOMPARE(recent.output().count('\n'), m_events.count('\n') + 2);
    CommandRun late(words("history", "--store", m_store, "--since", "2199-01-01T00:00:00Z"));
    QCOMPARE(late.complete(), 0);
    QCOMPARE(late.output(), QByteArray());
}

void HistoryTest::rejectsUnknownAgent()
{
    CommandRun run(words("history", "nobody", "--store", m_store));
    QCOMPARE(run.complete(), 1);
    QCOMPARE(run.output(), QByteArray());
    QCOMPARE(
        QString::fromLocal8Bit(run.error()),
        QStringLiteral("rekindle: %1: no agent named nobody; known agents: a, b\n").arg(m_store));
}

void HistoryTest::reportsNoEvents()
{
    for (const QStringList &more : {words("b"), words("--json")}) {
        CommandRun run(words("history", "--store", m_store, "--since", "2199-01-01T00:00:00Z")
                       + more);
        QCOMPARE(run.complete(), 0);
        QCOMPARE(run.output(), QByteArray());
        const QByteArray said = run.error();
        const QByteArray of = more.front() == QLatin1String("b") ? " of b" : "";
        QVERIFY2(said.contains(QByteArray(": no events" + of + " since 2199-01-01T00:00:00.000Z")),
                 said.constData());
        QCOMPARE(said.count('\n'), 1);
    }
}

void HistoryTest::reportsMissingStore()
{
    const QString missing = m_folder.filePath(QStringLiteral("missing.sqlite"));
    for (const QStringList &command :
         {words("history"), words("history", "verify"), words("explain", "a")}) {
        CommandRun run(command + words("--store", missing));
        QCOMPARE(run.complete(), 1);
        QCOMPARE(QString::fromLocal8Bit(run.error()),
                 QStringLiteral(
                     "rekindle: no telemetry store at %1; `rekindle up CONFIG`, `rekindle mcp` "
                     "and `rekindle tools call --store FILE` create one\n")
                     .arg(missing));
        QVERIFY(!QFile::exists(missing));
        CommandRun named(command + words("--config", "never-started.json"));
        QCOMPARE(named.complete(), 1);
        QVERIFY2(named.error().contains("; `rekindle up never-started.json` and `rekindle mcp "
                                        "--config never-started.json` create one\n"),
                 named.error().constData());
    }
}

void HistoryTest::leavesNoFiles()
{
    const QTemporaryDir folder;
    const QString store = folder.filePath(QStringLiteral("a?b#c d.sqlite"));
    QVERIFY(QFile::copy(m_store, store));
    const QByteArray before = readFile(store);
    for (const QStringList &command :
         {words("history"), words("history", "verify"), words("explain", "a")}) {
        CommandRun run(command + words("--store", store));
        QCOMPARE(run.complete(), 0);
        QVERIFY(!run.output().isEmpty());
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
        QCOMPARE(readFile(store), before);
    }
}

// A killed host leaves a write-ahead log beside the store. It is read and stays unchanged.
void HistoryTest::leavesWriteAheadLogOfKilledHost()
{
    const QTemporaryDir folder;
    const QString store = folder.filePath(QStringLiteral("s.sqlite"));
    const QString config = writeFile(m_folder.path(), QStringLiteral("killed.json"),
                                     configuration({words("hang")}, {}));
    CommandRun up(words("up", config, "--store", store));
    QVERIFY(up.begin());
    QVERIFY(up.waitForOutput("agent.ready"));
    const auto isKept = [&] {
        CommandRun history(words("history", "a", "--store", store));
        return history.complete() == 0 && history.output().contains("ready after");
    };
    QVERIFY(QTest::qWaitFor(isKept, 30000));
    QVERIFY(QFile::exists(store + QStringLiteral("-wal")));
    up.kill();
    QVERIFY(up.end() != 0);
    const QByteArray before = readFile(store + QStringLiteral("-wal"));
    QVERIFY(!before.isEmpty());
    QVERIFY(isKept());
    QCOMPARE(readFile(store + QStringLiteral("-wal")), before);
}

void HistoryTest::verifyPrintsHead()
{
    CommandRun run(words("history", "verify", "--store", m_store));
    QCOMPARE(run.complete(), 0);
    const auto match =
        QRegularExpression(QStringLiteral(": intact, 3 rows\nhead (3:[0-9a-f]{64})\n$"))
            .match(QString::fromUtf8(run.output()));
    QVERIFY2(match.hasMatch(), run.output().constData());
    CommandRun again(words("history", "verify", "--store", m_store, "--head", match.captured(1)));
    QCOMPARE(again.complete(), 0);
    QString other = match.captured(1);
    other[10] = other[10] == u'0' ? u'1' : u'0';
    CommandRun wrong(words("history", "verify", "--store", m_store, "--head", other));
    QCOMPARE(wrong.complete(), 1);
    QVERIFY(wrong.error().contains("row 3"));
}

void HistoryTest::verifyDetectsTampering_data()
{
    QTest::addColumn<QStringList>("statements");
    QTest::addColumn<QByteArray>("row");
    QTest::newRow("changed") << words(
        "DROP TRIGGER audit_unchanged",
        "UPDATE audit SET data = replace(data, 'database', 'datebase')"
        " WHERE id = 2") << QByteArray("row 2: changed");
    QTest::newRow("removed") << words("DROP TRIGGER audit_kept", "DELETE FROM audit WHERE id = 1")
                             << QByteArray("row 1: missing");
    QTest::newRow("truncated") << words("DROP TRIGGER audit_kept", "DELETE FROM audit WHERE id > 1")
                               << QByteArray("row 2: missing, with all rows up to");
}

void HistoryTest::verifyDetectsTampering()
{
    QFETCH(QStringList, statements);
    QFETCH(QByteArray, row);
    const QString copy =
        m_folder.filePath(QString::fromLatin1(QTest::currentDataTag()) + QLatin1String(".sqlite"));
    QVERIFY(QFile::copy(m_store, copy));
    for (const QString &statement : statements)
        execute(copy, statement);
    CommandRun run(words("history", "verify", "--store", copy));
    QCOMPARE(run.complete(), 1);
    QCOMPARE(run.output(), QByteArray());
    QVERIFY2(run.error().contains(row), run.error().constData());
}

void HistoryTest::verifyRejectsFilters()
{
    for (const QStringList &arguments :
         {words("history", "verify", "--json"), words("history", "verify", "a"),
          words("history", "--json", "verify"), words("history", "a", "verify")}) {
        CommandRun run(arguments + words("--store", m_store));
        QCOMPARE(run.complete(), 64);
        QCOMPARE(run.output(), QByteArray());
        QVERIFY2(run.error().startsWith("rekindle history verify: "), run.error().constData());
    }
    CommandRun before(words("history", "--store", m_store, "verify"));
    QCOMPARE(before.complete(), 0);
    CommandRun help(words("history", "verify", "--help"));
    QCOMPARE(help.complete(), 0);
    const QByteArray text = help.output();
    QVERIFY2(text.contains("--store FILE") && text.contains("--config CONFIG"), text.constData());
}

void HistoryTest::defaultStore()
{
    QTemporaryDir state;
    const auto inState = [&](const QStringList &arguments) {
        auto run = std::make_unique<CommandRun>(arguments);
        QProcessEnvironment environment = run->processEnvironment();
        environment.insert(QStringLiteral("XDG_STATE_HOME"), state.path());
        run->setProcessEnvironment(environment);
        return run;
    };
    auto none = inState(words("history"));
    QCOMPARE(none->complete(), 1);
    QVERIFY2(none->error().contains("no telemetry store in "), none->error().constData());

    QCOMPARE(inState(words("up", m_config))->complete(), 1);
    const QStringList stores = QDir(state.filePath(QStringLiteral("rekindle")))
                                   .entryList({QStringLiteral("crashing-????????.sqlite")});
    QCOMPARE(stores.size(), 1);
    auto only = inState(words("history", "verify"));
    QCOMPARE(only->complete(), 0);
    QVERIFY(only->output().contains("intact, 3 rows"));

    const QString other = m_folder.filePath(QStringLiteral("other.json"));
    QVERIFY(QFile::copy(m_config, other));
    QCOMPARE(inState(words("up", other))->complete(), 1);
    auto several = inState(words("history"));
    QCOMPARE(several->complete(), 64);
    QVERIFY(several->error().contains("crashing-"));
    QVERIFY(several->error().contains("other-"));
    QVERIFY2(several->error().count(".sqlite  (agents a, b; last change 20") == 2,
             several->error().constData());
    auto named = inState(words("explain", "a", "--config", other));
    QCOMPARE(named->complete(), 0);
    QVERIFY(named->output().contains("a: decision 3, "));
}

void HistoryTest::offWritesNoStore()
{
    QTemporaryDir folder;
    CommandRun run(words("up", m_config, "--store", "off"));
    run.setWorkingDirectory(folder.path());
    QCOMPARE(run.complete(), 1);
    QVERIFY(!run.error().contains("store"));
    QVERIFY(QDir(folder.path()).isEmpty());
}

void HistoryTest::reportsStoreThatCannotBeOpened()
{
    CommandRun run(words("up", m_config, "--store", m_folder.path()));
    QCOMPARE(run.complete(), 1); // for the agents
    QCOMPARE(run.error().count(QByteArray("store: " + m_folder.path().toLocal8Bit() + ": ")), 1);
    QVERIFY2(run.error().contains("events and decisions lost"), run.error().constData());
    QCOMPARE(run.output().count('\n'), m_events.count('\n'));
}

void HistoryTest::movesDamagedStoreAside()
{
    const QString path =
        writeFile(m_folder.path(), QStringLiteral("damaged.sqlite"), QByteArray(5000, '?'));
    CommandRun run(words("up", m_config, "--store", path));
    QCOMPARE(run.complete(), 1);
    QVERIFY2(run.error().contains("damaged; moved to "), run.error().constData());
    CommandRun verify(words("history", "verify", "--store", path));
    QCOMPARE(verify.complete(), 0);
}

void HistoryTest::reportsUnreadableStore()
{
    for (const QStringList &command :
         {words("history"), words("history", "verify"), words("explain", "a")}) {
        for (const QString &store : words(m_folder.path(), m_config)) {
            CommandRun run(command + words("--store", store));
            QCOMPARE(run.complete(), 1);
            QCOMPARE(run.output(), QByteArray());
            QVERIFY2(run.error().contains(QByteArray(store.toLocal8Bit() + ": ")),
                     run.error().constData());
        }
    }
}

void HistoryTest::readsWhileUpRuns()
{
    const QString store = m_folder.filePath(QStringLiteral("running.sqlite"));
    const QString config = writeFile(m_folder.path(), QStringLiteral("running.json"),
                                     configuration({words("hang")}, {}));
    CommandRun up(words("up", config, "--store", store));
    QVERIFY(up.begin());
    QVERIFY(up.waitForOutput("agent.ready"));
    QVERIFY(QTest::qWaitFor(
        [&] {
            CommandRun history(words("history", "a", "--store", store));
            return history.complete() == 0 && history.output().contains("ready after");
        },
        30000));
    CommandRun verify(words("history", "verify", "--store", store));
    QCOMPARE(verify.complete(), 0);
    up.signal(SIGTERM);
    QCOMPARE(up.end(), 0);
}

REKINDLE_TEST(HistoryTest)
#include "historytest.moc"
