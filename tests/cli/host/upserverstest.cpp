// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"

#include "processes.h"
#include "testprogram.h"

#include <csignal>

using namespace Rekindle;

/// `rekindle up` with MCP servers.
class UpServersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readyAfterHandshake();
    void restartsKilledServer();
    void appliesTiersAndEvaluators();
    void heartbeatsReachTheirProbe();

private:
    /// An entry of mcpServers; `more` are further members.
    static QByteArray server(const char *name, const QStringList &arguments,
                             const QByteArray &more = {});
    QString file(const QByteArray &members)
    {
        return writeFile(m_folder.path(), QStringLiteral("%1.json").arg(++m_files),
                         "{" + members + "}");
    }
    QString servers(const QByteArray &entries) { return file("\"mcpServers\": {" + entries + "}"); }
    [[nodiscard]] QString path(const char *name) const
    {
        return m_folder.filePath(QLatin1String(name));
    }

    QTemporaryDir m_folder;
    int m_files = 0;
};

namespace {

bool waitFor(CommandRun &run, const QString &agent, const char *type, qsizetype count = 1)
{
    return waitUntil([&] { return eventData(run.wholeLines(), type, agent).size() >= count; });
}

const QString one = QStringLiteral("one");
const QString two = QStringLiteral("two");

} // namespace

QByteArray UpServersTest::server(const char *name, const QStringList &arguments,
                                 const QByteArray &more)
{
    const QByteArray list =
        QJsonDocument(QJsonArray::fromStringList(arguments)).toJson(QJsonDocument::Compact);
    QByteArray entry = QByteArray("\"NAME\": {\"command\": \"SERVER\", \"args\": ARGS")
                           .replace("NAME", name)
                           .replace("SERVER", REKINDLE_MCPSERVER)
                           .replace("ARGS", list);
    if (!more.isEmpty())
        entry += ", " + more;
    return entry + '}';
}

void UpServersTest::readyAfterHandshake()
{
    const QString log = path("log");
    StartedRun run(
        words("up",
              file("\"mcpServers\": {" + server("one", words("--err", "hello", "--log", log)) + ", "
                   + server("two", words("--revision", "modern"))
                   + R"(, "off": {"command": "/nowhere", "disabled": true}},
                  "agents": [{"name": "first", "kind": "process", "program": ")"
                   + QByteArray(REKINDLE_CHAOSAGENT) + R"(", "arguments": ["hang"]}])")));
    for (const QString &name : {QStringLiteral("first"), one, two})
        QVERIFY2(waitFor(run, name, "agent.ready"), qPrintable(name));
    QVERIFY(run.waitForError("one| hello\n"));
    QStringList order;
    for (const QJsonObject &start : eventData(run.wholeLines(), "agent.started"))
        order.append(start[QLatin1String("agent")].toString());
    QCOMPARE(order, (QStringList{QStringLiteral("first"), one, two}));
    QVERIFY(readFile(log).contains("\"initialize\""));
    QVERIFY(readFile(log).contains("\"tools/list\""));
    QCOMPARE(run.endBy(SIGTERM), 0);
    // In order: the end of stdin stops them.
    for (const QString &name : {QStringLiteral("first"), one, two})
        QCOMPARE(eventTypes(run.output(), name).last(), QStringLiteral("agent.stopped"));
    QVERIFY(!isAnyLiving(startedIn(run.wholeLines())));
}

void UpServersTest::restartsKilledServer()
{
    StartedRun run(words("up",
                         servers(server("one", {}, R"("policy": "immediate")") + ", "
                                 + server("two", {}, R"("policy": "immediate")"))));
    QVERIFY(waitFor(run, one, "agent.ready"));
    QVERIFY(waitFor(run, two, "agent.ready"));
    ::kill(startedIn(run.wholeLines(), one).front(), SIGKILL);
    QVERIFY(waitFor(run, one, "agent.ready", 2));
    QCOMPARE(eventData(run.wholeLines(), "agent.failed", one).at(0)[QLatin1String("reason")],
             QStringLiteral("ProcessCrash"));
    QVERIFY(startedIn(run.wholeLines(), one).front() != startedIn(run.wholeLines(), one).back());
    QCOMPARE(startedIn(run.wholeLines(), two).size(), 1);
    QCOMPARE(run.endBy(SIGTERM), 0);
    QVERIFY(!isAnyLiving(startedIn(run.wholeLines())));
}

void UpServersTest::appliesTiersAndEvaluators()
{
    const QString plain = servers(server("one", {}));
    CompletedRun check(words("check", plain, "--tier", "WriterPro"));
    QVERIFY2(check.output().contains(": valid, 1 agent, ")
                 && check.output().contains("  one: exponential (policy stdio-backend); no circuit "
                                            "breaker; license "
                                            "tier WriterPro does not permit exponential restarts; "
                                            "using linear\n"),
             check.output().constData());
    StartedRun up(words("up", plain, "--tier", "WriterPro"));
    QVERIFY(waitFor(up, one, "agent.ready"));
    QVERIFY(up.waitForError("one: "));
    QVERIFY(up.waitForError("using linear"));
    QCOMPARE(up.endBy(SIGTERM), 0);

    const QByteArray custom = R"("policy": {"type": "custom", "evaluator": {"id": "nix"}})";
    CompletedRun unknown(words("up", servers(server("one", {}, custom))), 78);
    QVERIFY2(unknown.error().contains(":1:")
                 && unknown.error().contains(
                     ": /mcpServers/one/policy/evaluator/id: unknown evaluator \"nix\""),
             unknown.error().constData());
}

void UpServersTest::heartbeatsReachTheirProbe()
{
    StartedRun run(
        words("up",
              servers(R"("one": {"command": "/bin/sh", "args": ["-c", ")" REKINDLE_CHAOSAGENT
                      " beat 20 & exec " REKINDLE_MCPSERVER
                      R"("], "health": [{"kind": "heartbeat",
                                       "interval": "1s", "timeout": "30s"}]})")));
    QVERIFY(waitFor(run, one, "health.changed"));
    const QJsonObject change = eventData(run.wholeLines(), "health.changed", one).front();
    QCOMPARE(change[QLatin1String("newState")].toString(), QStringLiteral("Healthy"));
    QCOMPARE(change[QLatin1String("probe")].toString(), QStringLiteral("heartbeat"));
    QCOMPARE(run.endBy(SIGTERM), 0);
}

REKINDLE_TEST(UpServersTest)
#include "upserverstest.moc"
