// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"

#include "processes.h"
#include "testprogram.h"

#include <csignal>

using namespace Rekindle;

/// Groups of real programs in a real `up`.
class UpGroupsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void restartsAllMembersInOrder();
    void exitsWithOneIfTheGroupGivesUp();
    void continuesWhileAGroupStartsLater();
    void explainsThatTheGroupHasGivenUp();
    void staysGivenUpInTheNextHost();
    void probeClosesSharedBreaker();
    void restartOfTheOnlyAgentContinues();
    void checkPrintsTheEffects();

private:
    // The agents a, b and c. Only b runs this script.
    [[nodiscard]] QString config(const QByteArray &group, const QByteArray &script,
                                 const QByteArray &others = {}) const
    {
        const QByteArray sleeps =
            R"(, "kind": "process", "program": "sleep", "arguments": ["1000"]})";
        return writeFile(m_folder.path(), QStringLiteral("groups.json"),
                         R"({"groups": [{"name": "g", "members": ["a", "b", "c"], )" + group
                             + R"(}], "defaults": {"ready": "now", "policy":
                {"initialDelay": "1ms", "jitter": {"kind": "none"}}}, "agents": [{"name": "a")"
                             + sleeps + R"(, {"name": "b", "kind": "process", "program": "sh",
                "arguments": ["-c", ")"
                             + script + R"("]}, {"name": "c")" + sleeps + others + "]}");
    }

    QTemporaryDir m_folder;
};

namespace {

const QByteArray outside =
    R"(, {"name": "d", "kind": "process", "program": "sleep", "arguments": ["1000"]})";

// "a" and the process of each start.
QList<std::pair<QString, pid_t>> startsIn(const QByteArray &lines)
{
    QList<std::pair<QString, pid_t>> starts;
    for (const QJsonObject &each : eventData(lines, "agent.started"))
        starts.append({each[QLatin1String("agent")].toString(),
                       static_cast<pid_t>(each[QLatin1String("pid")].toInt())});
    return starts;
}

} // namespace

void UpGroupsTest::restartsAllMembersInOrder()
{
    StartedRun up(words("up", config(R"("strategy": "oneForAll")", "exec sleep 1000", outside),
                        "--store", "off", "--state", "off", "--log", "json"));
    QVERIFY(waitUntil([&] { return up.wholeLines().count("agent.ready") == 4; }));
    const auto before = startsIn(up.wholeLines());
    // d has no group, so that nothing delays its start.
    QCOMPARE(before.at(0).first, QStringLiteral("d"));
    QCOMPARE(before.at(2).first, QStringLiteral("b"));
    ::kill(before.at(2).second, SIGKILL);
    QVERIFY(waitUntil([&] { return up.wholeLines().count("agent.ready") == 7; }));
    const auto after = startsIn(up.wholeLines());
    QCOMPARE(after.size(), 7);
    for (qsizetype i = 1; i < 4; ++i) {
        QCOMPARE(after.at(3 + i).first, before.at(i).first);
        QVERIFY(after.at(3 + i).second != before.at(i).second);
        QVERIFY(!isLiving(before.at(i).second));
        QVERIFY(isLiving(after.at(3 + i).second));
    }
    QVERIFY(isLiving(before.at(0).second));
    const auto restarts = eventData(up.wholeLines(), "group.restarting");
    QCOMPARE(restarts.size(), 1);
    QCOMPARE(restarts.at(0)[QLatin1String("agent")], QStringLiteral("b"));
    QCOMPARE(restarts.at(0)[QLatin1String("members")].toArray(),
             QJsonArray::fromStringList(words("a", "b", "c")));
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void UpGroupsTest::exitsWithOneIfTheGroupGivesUp()
{
    CompletedRun up(words("up", config(R"("intensity": {"restarts": 0})", "sleep 0.2; exit 1"),
                          "--store", "off", "--state", "off", "--log", "both"),
                    1);
    const auto ends = eventData(up.output(), "group.exhausted");
    QCOMPARE(ends.size(), 1);
    QCOMPARE(ends.at(0)[QLatin1String("agent")], QStringLiteral("b"));
    VERIFY_CONTAINS(up.error(), "b: group g has given up\n");
    // The first member does not really wait.
    VERIFY_CONTAINS(up.error(), "b: waits for group g (a is not ready)\n");
    QVERIFY(!up.error().contains("a: waits for"));
    VERIFY_CONTAINS(up.error(), "no agents left to supervise: 3 of 3 agents given up\n");
    for (const auto &[agent, process] : startsIn(up.output()))
        QVERIFY(!isLiving(process));
}

void UpGroupsTest::continuesWhileAGroupStartsLater()
{
    StartedRun up(words(
        "up", config(R"("intensity": {"restarts": 0}, "rearmAfter": "100ms")", "sleep 0.1; exit 1"),
        "--store", "off", "--state", "off", "--log", "json"));
    QVERIFY(waitUntil([&] { return up.output().count("group.exhausted") >= 2; }));
    QCOMPARE(up.state(), QProcess::Running);
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void UpGroupsTest::explainsThatTheGroupHasGivenUp()
{
    const QString path = config(R"("intensity": {"restarts": 0})", "sleep 0.2; exit 1", outside);
    StartedRun up(words("up", path, "--store", "off", "--state", "off", "--log", "json"));
    QVERIFY(up.waitForOutput("group.exhausted"));
    for (const char *agent : {"a", "b", "c"}) {
        CompletedRun wait(
            words("wait", agent, "--for", "idle", "--timeout", "60s", "--config", path));
        CompletedRun explain(words("explain", agent, "--config", path));
        VERIFY_CONTAINS(explain.output(),
                        "now: Exhausted; group g (given up); no start until its group starts "
                        "again or an operator starts it\n");
    }
    CompletedRun status(words("status", "--config", path));
    VERIFY_CONTAINS(status.output(), "  group g (given up); to start it: rekindle start --group g");
    CompletedRun unreachable(words("wait", "a", "--for", "ready", "--config", path), 1);
    VERIFY_CONTAINS(unreachable.error(),
                    "a: given up with its group; to start it: rekindle start --group g\n");
    QVERIFY(!status.output().contains("waits for"));
    CompletedRun json(words("status", "--json", "--config", path));
    const QJsonArray agents =
        QJsonDocument::fromJson(json.output())[QLatin1String("agents")].toArray();
    QCOMPARE(agents.at(0)[QLatin1String("group")], QStringLiteral("g"));
    QVERIFY(agents.at(3)[QLatin1String("group")].isNull());
    // A start of one member begins the group again.
    CompletedRun start(words("start", "a", "--config", path));
    CompletedRun ready(words("wait", "a", "--for", "ready", "--timeout", "60s", "--config", path));
    QCOMPARE(up.endBy(SIGTERM), 0);
}

// No agent starts while the file exists.
void UpGroupsTest::probeClosesSharedBreaker()
{
    const QString outage = writeFile(m_folder.path(), QStringLiteral("outage"), {});
    const QByteArray agent =
        R"(", "kind": "process", "program": "sh", "requires": ["api"],
            "arguments": ["-c", "test ! -e outage || exit 69; exec sleep 1000"]})";
    const QString path =
        writeFile(m_folder.path(), QStringLiteral("probe.json"),
                  R"({"sharedBreakers": {"api": {"threshold": 2, "timeout": "50ms", "growth": 1,
            "provenAfter": "50ms",
            "probe": {"kind": "exec", "command": ["test", "!", "-e", "outage"],
                      "interval": "10ms", "timeout": "1m"}}},
            "defaults": {"ready": "now", "workingDirectory": ".",
                         "policy": {"initialDelay": "1s", "jitter": {"kind": "none"}}},
            "agents": [{"name": "a)"
                      + agent + R"(, {"name": "b)" + agent + "]}");
    StartedRun up(words("up", path, "--store", "off", "--state", "off", "--log", "json"));
    // The breaker opens, and three probes fail.
    QVERIFY(waitUntil([&] { return up.wholeLines().count(R"("newState":"Open")") >= 4; }));
    const qsizetype starts = startedIn(up.wholeLines()).size();
    QVERIFY(QFile::remove(outage));
    QVERIFY(waitUntil([&] { return up.wholeLines().contains(R"("newState":"Closed")"); }));
    CompletedRun ready(
        words("wait", "--all", "--for", "ready", "--timeout", "60s", "--config", path));
    CompletedRun status(words("status", "--config", path));
    VERIFY_CONTAINS(status.output(), "api             Closed");
    QVERIFY(waitUntil([&] { return startedIn(up.wholeLines()).size() >= starts + 2; }));
    QCOMPARE(up.endBy(SIGTERM), 0);
    QCOMPARE(startedIn(up.wholeLines()).size(), starts + 2);
}

// process-compose v1.122, release notes: a restart of the only process stopped the project, because
// nothing ran for a moment.
void UpGroupsTest::restartOfTheOnlyAgentContinues()
{
    const QString path = writeFile(
        m_folder.path(), QStringLiteral("only.json"),
        R"({"agents": [{"name": "a", "program": "sleep", "arguments": ["1000"], "ready": "now",
                      "policy": {"initialDelay": "100ms"}}]})");
    StartedRun up(words("up", path, "--store", "off", "--state", "off", "--log", "json"));
    QVERIFY(waitUntil([&] { return up.wholeLines().count("agent.ready") == 1; }));
    CompletedRun restart(words("restart", "a", "--config", path));
    QVERIFY(waitUntil([&] { return up.wholeLines().count("agent.ready") == 2; }));
    // The same for one after a failure.
    ::kill(startedIn(up.wholeLines()).at(1), SIGKILL);
    QVERIFY(waitUntil([&] { return up.wholeLines().count("agent.ready") == 3; }));
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void UpGroupsTest::staysGivenUpInTheNextHost()
{
    const QString path = config(R"("intensity": {"restarts": 0})", "sleep 0.2; exit 1", outside);
    const QString state = m_folder.filePath(QStringLiteral("state.json"));
    {
        StartedRun up(words("up", path, "--store", "off", "--state", state, "--log", "json"));
        QVERIFY(up.waitForOutput("group.exhausted"));
        CompletedRun wait(
            words("wait", "a", "--for", "idle", "--timeout", "60s", "--config", path));
        QVERIFY(waitUntil([&] { return readFile(state).count("\"givenUpByGroup\":true") == 3; }));
        up.endBy(SIGKILL);
    }
    StartedRun next(words("up", path, "--store", "off", "--state", state, "--log", "json"));
    QVERIFY(next.waitForError("a: still given up with its group"));
    QVERIFY(next.waitForOutput("agent.ready"));
    CompletedRun explain(words("explain", "a", "--config", path));
    VERIFY_CONTAINS(explain.output(), "now: Exhausted; group g (given up); ");
    QCOMPARE(next.endBy(SIGTERM), 0);
}

void UpGroupsTest::checkPrintsTheEffects()
{
    const QString path = config(R"("strategy": "restForOne")", "exec sleep 1000");
    CompletedRun check(words("check", path));
    VERIFY_CONTAINS(check.output(),
                    "Group g (restForOne): a, b, c\n"
                    "If a fails: b, c are restarted with it\n"
                    "If b fails: c is restarted with it\n");
    CompletedRun json(words("check", path, "--json"));
    const QJsonObject group =
        QJsonDocument::fromJson(json.output())[QLatin1String("groups")][0].toObject();
    QCOMPARE(group[QLatin1String("strategy")], QStringLiteral("restForOne"));
    const QJsonObject first = group[QLatin1String("members")][0].toObject();
    QCOMPARE(first[QLatin1String("agent")], QStringLiteral("a"));
    QCOMPARE(first[QLatin1String("restarts")].toArray(),
             QJsonArray::fromStringList(words("b", "c")));
}

REKINDLE_TEST(UpGroupsTest)
#include "upgroupstest.moc"
