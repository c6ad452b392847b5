// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

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
    void writesPerfettoTrace();
    void rejectsUnknownAgent();
    void reportsNoEvents();
    void reportsMissingStore();
    void leavesNoFiles();
    void verifyPrintsHead();
    void verifyRejectsFilters();
    void defaultStore();
    void offWritesNoStore();
    void reportsUnreadableStore();

private:
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
    CompletedRun run(words("up", m_config, "--store", m_store), 1);
    m_events = run.output();
    QVERIFY(QFileInfo::exists(m_store));
}

void HistoryTest::jsonHasTheEventsOfUp()
{
    CompletedRun run(words("history", "--store", m_store, "--json", "--limit", "1000"));
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
    CompletedRun run(words("history", "--store", m_store));
    const QByteArray text = run.output();
    VERIFY_CONTAINS(text, "Z  a  failed (ProcessCrash: exit code 7)\n");
    VERIFY_CONTAINS(text, "Z  a  restart 1 of 2 in ");
    VERIFY_CONTAINS(text, "Z  a  given up after 2 restarts in ");
    VERIFY_CONTAINS(text, "Z  b  finished\n");
    // And the start and the exit of the host.
    QCOMPARE(text.count('\n'), m_events.count('\n') + 2);
    const auto ends = QRegularExpression(QStringLiteral("^\\S+Z     host process (\\d+) started\n"
                                                        ".*\\S+Z     host process \\1 exited\n$"),
                                         QRegularExpression::DotMatchesEverythingOption);
    QVERIFY2(ends.match(QString::fromUtf8(text)).hasMatch(), text.constData());
    CompletedRun last(words("history", "--store", m_store, "--limit", "2"));
    QCOMPARE(last.output().count("host process"), 1);
}

void HistoryTest::filtersByAgentAndTime()
{
    CompletedRun one(words("history", "b", "--store", m_store));
    QVERIFY(!one.output().contains("  a  "));
    QVERIFY(one.output().contains("  b  finished"));
    CompletedRun last(words("history", "a", "--store", m_store, "--limit", "1"));
    QCOMPARE(last.output().count('\n'), 2); // one for the exit of the host
    QVERIFY(last.output().contains("given up"));
    CompletedRun recent(words("history", "--store", m_store, "--since", "1h"));
    QCOMPARE(recent.output().count('\n'), m_events.count('\n') + 2);
    CompletedRun late(words("history", "--store", m_store, "--since", "2199-01-01T00:00:00Z"));
    QCOMPARE(late.output(), QByteArray());
}

void HistoryTest::writesPerfettoTrace()
{
    const QString path = m_folder.filePath(QStringLiteral("trace.json"));
    for (int i = 0; i < 2; ++i) { // an earlier trace is replaced
        CompletedRun run(words("history", "--store", m_store, "--perfetto", path));
        QCOMPARE(run.output(), QByteArray());
    }
    CompletedRun toStdout(words("history", "--store", m_store, "--perfetto", "-"));
    QCOMPARE(toStdout.output(), readFile(path));
    const QJsonObject written = QJsonDocument::fromJson(readFile(path)).object();
    QHash<QString, int> counts;
    for (const QJsonValue &each : written[QLatin1String("traceEvents")].toArray()) {
        ++counts[each[QLatin1String("ph")].toString()];
        ++counts[each[QLatin1String("name")].toString()];
        QVERIFY(each[QLatin1String("ph")] == QLatin1String("M")
                || each[QLatin1String("ts")].toDouble() > 1e15);
    }
    QCOMPARE(counts.value(QStringLiteral("i")), m_events.count('\n'));
    QCOMPARE(counts.value(QStringLiteral("process_name")), 1);
    QCOMPARE(counts.value(QStringLiteral("agent.failed")), 3);
    QVERIFY(counts.value(QStringLiteral("Waiting")) >= 2); // each delay is 20 ms

    CompletedRun same(words("history", "--store", m_store, "--perfetto", m_store), 64);
    VERIFY_CONTAINS(same.error(), "is already used as the store");
    CompletedRun other(words("history", "--store", m_store, "--perfetto", m_config), 78);
    VERIFY_CONTAINS(other.error(), "expected a trace of rekindle, found another file");
    CompletedRun limited(words("history", "--store", m_store, "--perfetto", path, "--limit", "1"),
                         64);
    CompletedRun full(words("history", "--store", m_store, "--perfetto", "/absent/file"), 1);
    VERIFY_CONTAINS(full.error(), "--perfetto: /absent/file: cannot write: ");
}

void HistoryTest::rejectsUnknownAgent()
{
    CompletedRun run(words("history", "nobody", "--store", m_store), 1);
    QCOMPARE(run.output(), QByteArray());
    QCOMPARE(
        QString::fromLocal8Bit(run.error()),
        QStringLiteral("rekindle: %1: no agent named nobody; known agents: a, b\n").arg(m_store));
}

void HistoryTest::reportsNoEvents()
{
    for (const QStringList &more : {words("b"), words("--json")}) {
        CompletedRun run(words("history", "--store", m_store, "--since", "2199-01-01T00:00:00Z")
                         + more);
        QCOMPARE(run.output(), QByteArray());
        const QByteArray said = run.error();
        const QByteArray of = more.front() == QLatin1String("b") ? " of b" : "";
        VERIFY_CONTAINS(said, QByteArray(": no events" + of + " since 2199-01-01T00:00:00.000Z"));
        QCOMPARE(said.count('\n'), 1);
    }
}

void HistoryTest::reportsMissingStore()
{
    const QString missing = m_folder.filePath(QStringLiteral("missing.sqlite"));
    for (const QStringList &command :
         {words("history"), words("history", "verify"), words("explain", "a")}) {
        CompletedRun run(command + words("--store", missing), 66);
        QCOMPARE(QString::fromLocal8Bit(run.error()),
                 QStringLiteral(
                     "rekindle: no telemetry store at %1; `rekindle up CONFIG`, `rekindle run`, "
                     "`rekindle mcp` and `rekindle tools call --store FILE` create one\n")
                     .arg(missing));
        QVERIFY(!QFile::exists(missing));
        const QString config = writeFile(m_folder.path(), QStringLiteral("never-started.json"), {});
        CompletedRun named(command + words("--config", config), 66);
        VERIFY_CONTAINS(QString::fromUtf8(named.error()),
                        QStringLiteral("; `rekindle up %1` and `rekindle mcp --config %1` create "
                                       "one\n")
                            .arg(config));
        CompletedRun mistyped(command + words("--config", "mistyped.json"), 66);
        VERIFY_CONTAINS(mistyped.error(), "rekindle: --config: mistyped.json does not exist, and ");
        QVERIFY(!mistyped.error().contains("create one"));
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
        CompletedRun run(command + words("--store", store));
        QVERIFY(!run.output().isEmpty());
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
        QCOMPARE(readFile(store), before);
    }
}

void HistoryTest::verifyPrintsHead()
{
    // Two starts and three decisions.
    CompletedRun run(words("history", "verify", "--store", m_store));
    const auto match =
        QRegularExpression(QStringLiteral(": intact, 5 rows\nhead (5:[0-9a-f]{64})\n$"))
            .match(QString::fromUtf8(run.output()));
    QVERIFY2(match.hasMatch(), run.output().constData());
    CompletedRun again(words("history", "verify", "--store", m_store, "--head", match.captured(1)));
    QString other = match.captured(1);
    other[10] = other[10] == u'0' ? u'1' : u'0';
    CompletedRun wrong(words("history", "verify", "--store", m_store, "--head", other), 1);
    QVERIFY(wrong.error().contains("row 5"));
}

void HistoryTest::verifyRejectsFilters()
{
    for (const QStringList &arguments :
         {words("history", "verify", "--json"), words("history", "verify", "a"),
          words("history", "--json", "verify"), words("history", "a", "verify")}) {
        CompletedRun run(arguments + words("--store", m_store), 64);
        QCOMPARE(run.output(), QByteArray());
        QVERIFY2(run.error().startsWith("rekindle history verify: "), run.error().constData());
    }
    CompletedRun before(words("history", "--store", m_store, "verify"));
    CompletedRun help(words("history", "verify", "--help"));
    const QByteArray text = help.output();
    QVERIFY2(text.contains("--store FILE") && text.contains("--config CONFIG"), text.constData());
}

void HistoryTest::defaultStore()
{
    QTemporaryDir state;
    const auto inState = [&](const QStringList &arguments) {
        auto run = std::make_unique<CommandRun>(arguments);
        run->setStateFolder(state.path());
        return run;
    };
    auto none = inState(words("history"));
    QCOMPARE(none->complete(), 66);
    VERIFY_CONTAINS(none->error(), "no telemetry store in ");

    QCOMPARE(inState(words("up", m_config))->complete(), 1);
    const QStringList stores = QDir(state.filePath(QStringLiteral("rekindle")))
                                   .entryList({QStringLiteral("crashing-????????.sqlite")});
    QCOMPARE(stores.size(), 1);
    auto only = inState(words("history", "verify"));
    QCOMPARE(only->complete(), 0);
    QVERIFY(only->output().contains("intact, 5 rows"));

    const QString other = m_folder.filePath(QStringLiteral("other.json"));
    QVERIFY(QFile::copy(m_config, other));
    QCOMPARE(inState(words("up", other))->complete(), 1);
    auto several = inState(words("history"));
    QCOMPARE(several->complete(), 64);
    QVERIFY(several->error().contains("crashing-"));
    QVERIFY(several->error().contains("other-"));
    QVERIFY2(several->error().count(".sqlite  (agents a, b; last change 20") == 2,
             several->error().constData());
    auto inBoth = inState(words("history", "a"));
    QCOMPARE(inBoth->complete(), 64);
    const QString third = writeFile(
        m_folder.path(), QStringLiteral("third.json"),
        R"({"agents": [{"name": "alone", "program": "false", "policy": {"type": "none"}}]})");
    QCOMPARE(inState(words("up", third))->complete(), 1);
    for (const QStringList &arguments : {words("history", "alone"), words("explain", "alone")}) {
        auto alone = inState(arguments);
        QCOMPARE(alone->complete(), 0);
        VERIFY_CONTAINS(alone->output(), "alone");
    }
    auto unknown = inState(words("history", "nobody"));
    QCOMPARE(unknown->complete(), 64);
    // If one of the hosts runs, its store is read.
    const QString running = writeFile(m_folder.path(), QStringLiteral("running.json"),
                                      configuration({words("sleep", "1h")}, {}));
    auto up = inState(words("up", running, "--log", "json"));
    QVERIFY(up->begin() && up->waitForOutput("agent.ready"));
    // Another thread creates the store and writes the events.
    const QByteArray host = "host process " + QByteArray::number(up->processId()) + " started";
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
            const auto ofHost = inState(words("history"));
            return ofHost->complete() == 0 && ofHost->output().contains(host);
        }(),
        60'000);
    QCOMPARE(up->endBy(SIGTERM), 0);
    auto named = inState(words("explain", "a", "--config", other));
    QCOMPARE(named->complete(), 0);
    QVERIFY(named->output().contains("a: decision in row 3, "));
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

void HistoryTest::reportsUnreadableStore()
{
    for (const QStringList &command :
         {words("history"), words("history", "verify"), words("explain", "a")}) {
        for (const QString &store : words(m_folder.path(), m_config)) {
            CompletedRun run(command + words("--store", store), 66);
            QCOMPARE(run.output(), QByteArray());
            VERIFY_CONTAINS(run.error(), QByteArray(store.toLocal8Bit() + ": "));
        }
    }
}

REKINDLE_TEST(HistoryTest)
#include "historytest.moc"
