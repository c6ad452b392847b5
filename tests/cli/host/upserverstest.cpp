// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"

#include "processes.h"
#include "testprogram.h"

#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace Rekindle;

/// `rekindle up` with MCP servers.
class UpServersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readyAfterHandshake();
    void restartsKilledServer();
    void restartsServerThatDoesNotAnswerPing();
    void heartbeatsReachTheirProbe();
    void appliesTiersAndEvaluators();

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

// Detects a hung server soon, but not a slow one.
constexpr char quickPing[] =
    R"("policy": "immediate", "health": [{"kind": "mcp-ping", "interval": "200ms",
       "timeout": "500ms", "misses": 1, "lastChance": "5s"}])";

// The data of the events of a type and an agent.
QList<QJsonObject> eventsOf(const QByteArray &lines, const QString &agent, const char *type)
{
    QList<QJsonObject> found;
    const QString wanted = QStringLiteral("rekindle.%1.v1").arg(QLatin1String(type));
    for (const QJsonObject &event : jsonLines(lines)) {
        const QJsonObject data = event[QLatin1String("data")].toObject();
        if (event[QLatin1String("type")] == wanted
            && (agent.isEmpty() || data[QLatin1String("agent")] == agent))
            found.append(data);
    }
    return found;
}

bool waitFor(CommandRun &run, const QString &agent, const char *type, qsizetype count = 1)
{
    return waitUntil([&] { return eventsOf(run.wholeLines(), agent, type).size() >= count; });
}

// The processes of all starts, of one agent or all.
QList<pid_t> processesOf(CommandRun &run, const QString &agent = {})
{
    QList<pid_t> processes;
    for (const QJsonObject &start : eventsOf(run.wholeLines(), agent, "agent.started"))
        processes.append(start[QLatin1String("pid")].toInt());
    return processes;
}

QString reasonOf(CommandRun &run, const QString &agent)
{
    const auto failures = eventsOf(run.wholeLines(), agent, "agent.failed");
    return failures.isEmpty() ? QString() : failures.front()[QLatin1String("reason")].toString();
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
    for (const QJsonObject &start : eventsOf(run.wholeLines(), {}, "agent.started"))
        order.append(start[QLatin1String("agent")].toString());
    QCOMPARE(order, (QStringList{QStringLiteral("first"), one, two}));
    QVERIFY(readFile(log).contains("\"initialize\""));
    QVERIFY(readFile(log).contains("\"tools/list\""));
    QCOMPARE(run.endBy(SIGTERM), 0);
    // In order: the end of stdin stops them.
    for (const QString &name : {QStringLiteral("first"), one, two})
        QCOMPARE(eventTypes(run.output(), name).last(), QStringLiteral("agent.stopped"));
    QVERIFY(!isAnyLiving(processesOf(run)));
}

void UpServersTest::restartsKilledServer()
{
    StartedRun run(words("up",
                         servers(server("one", {}, R"("policy": "immediate")") + ", "
                                 + server("two", {}, R"("policy": "immediate")"))));
    QVERIFY(waitFor(run, one, "agent.ready"));
    QVERIFY(waitFor(run, two, "agent.ready"));
    ::kill(processesOf(run, one).front(), SIGKILL);
    QVERIFY(waitFor(run, one, "agent.ready", 2));
    QCOMPARE(reasonOf(run, one), QStringLiteral("ProcessCrash"));
    QVERIFY(processesOf(run, one).front() != processesOf(run, one).back());
    QCOMPARE(processesOf(run, two).size(), 1);
    QCOMPARE(run.endBy(SIGTERM), 0);
    QVERIFY(!isAnyLiving(processesOf(run)));
}

void UpServersTest::restartsServerThatDoesNotAnswerPing()
{
    const QStringList once =
        words("--starts", path("starts"), "--until", "1", "--silent", "ping", "--ignore-eof");
    StartedRun run(words("up", servers(server("one", once, quickPing))));
    QVERIFY(waitFor(run, one, "agent.ready", 2));
    QCOMPARE(reasonOf(run, one), QStringLiteral("HealthCheckFailed"));
    const QJsonObject miss = eventsOf(run.wholeLines(), one, "health.changed").front();
    QCOMPARE(miss[QLatin1String("probe")].toString(), QStringLiteral("mcp-ping"));
    // The new server responds.
    QVERIFY(waitUntil([&] {
        const auto changes = eventsOf(run.wholeLines(), one, "health.changed");
        return changes.back()[QLatin1String("newState")] == QLatin1String("Healthy");
    }));
    QCOMPARE(run.endBy(SIGTERM), 0);
    QVERIFY(!isAnyLiving(processesOf(run)));
}

// Sent by another process of the group.
void UpServersTest::heartbeatsReachTheirProbe()
{
    StartedRun run(
        words("up",
              servers(R"("one": {"command": "/bin/sh", "args": ["-c", ")" REKINDLE_CHAOSAGENT
                      " beat 20 & exec " REKINDLE_MCPSERVER
                      R"("], "health": [{"kind": "heartbeat",
                                       "interval": "1s", "timeout": "30s"}]})")));
    QVERIFY(waitFor(run, one, "health.changed"));
    const QJsonObject change = eventsOf(run.wholeLines(), one, "health.changed").front();
    QCOMPARE(change[QLatin1String("newState")].toString(), QStringLiteral("Healthy"));
    QCOMPARE(change[QLatin1String("probe")].toString(), QStringLiteral("heartbeat"));
    QCOMPARE(run.endBy(SIGTERM), 0);
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

REKINDLE_TEST(UpServersTest)
#include "upserverstest.moc"
