// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "etcd/etcdserver.h"
#include "testprogram.h"

#include <csignal>
#include <optional>

using namespace Rekindle;

namespace {

const QString placedAgent = QStringLiteral("billing");
const QString longLease = QStringLiteral(R"({"duration": "5m", "renewal": "1s", "giveUp": "2m"})");
const QString shortLease = QStringLiteral(R"({"duration": "4s", "renewal": "1s", "giveUp": "2s"})");

/// A host of a node. It is killed at the end.
class NodeRun
{
public:
    NodeRun(const QTemporaryDir &folder, const QString &configuration)
        : m_configuration(configuration)
        , m_run(words("up", configuration, "--store", "off", "--state",
                      folder.filePath(QStringLiteral("state")), "--log", "json"))
    {
    }

    [[nodiscard]] StartedRun &run() { return m_run; }
    [[nodiscard]] bool waitForStarts(qsizetype count)
    {
        return waitUntil([&] { return starts() >= count; });
    }
    [[nodiscard]] qsizetype starts() { return startedIn(m_run.wholeLines(), placedAgent).size(); }
    [[nodiscard]] QStringList with(QStringList arguments) const
    {
        return arguments << QStringLiteral("--config") << m_configuration;
    }

private:
    QString m_configuration;
    StartedRun m_run;
};

} // namespace

/// Hosts of a fleet with a real etcd, and the commands that show and operate it.
class FleetCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void showsFleet();
    void givesTokenToProcess();
    void explainsPlacement();
    void movesAgent();
    void drainsNode();
    void refusesWhatOtherHostsDo();
    void printsEventsOfHosts();
    void startsAgentsOfKilledHost();
    void restartedHostNeedNotWait();
    void shutdownReleasesAgents();
    void hostWithoutFleetSaysSo();
    void checkExplainsTimes();
    void checkReportsUnusableEtcd();

private:
    // Each test has a fleet of its own. The lease is not lost on a busy machine.
    [[nodiscard]] QString configurationOf(const QString &node,
                                          const QString &lease = longLease) const
    {
        const QString text =
            QStringLiteral(R"({
                "fleet": {"node": "%1",
                          "etcd": {"endpoints": ["%2"], "prefix": "%3/"},
                          "lease": %5},
                "agents": [
                    {"name": "local", "program": "sleep", "arguments": ["1000"]},
                    {"name": "billing", "program": "/bin/sh",
                     "arguments": ["-c", "echo $REKINDLE_FENCE > %4; exec sleep 1000"],
                     "stop": {"terminate": "200ms", "kill": "200ms"},
                     "placement": {"prefer": ["a"]}}]})")
                .arg(node, m_etcd.at(0).url().toString(),
                     QLatin1String(QTest::currentTestFunction()), tokenFile(node), lease);
        return writeFile(m_folder.path(), node + QLatin1String(".json"), text.toUtf8());
    }
    [[nodiscard]] QString tokenFile(const QString &node) const
    {
        return m_folder.filePath(
            QStringLiteral("%1.%2").arg(QLatin1String(QTest::currentTestFunction()), node));
    }
    [[nodiscard]] qint64 tokenOn(const QString &node) const
    {
        return readFile(tokenFile(node)).trimmed().toLongLong();
    }
    // The state file of a node.
    [[nodiscard]] const QTemporaryDir &stateOf(const QString &node) const
    {
        return node == a ? m_stateOfA : m_stateOfB;
    }

    const QString a = QStringLiteral("a");
    const QString b = QStringLiteral("b");
    QTemporaryDir m_folder;
    QTemporaryDir m_stateOfA;
    QTemporaryDir m_stateOfB;
    EtcdCluster m_etcd{1};
};

void FleetCommandTest::initTestCase() { QVERIFY(m_etcd.waitUntilReady()); }

void FleetCommandTest::showsFleet()
{
    NodeRun host(stateOf(a), configurationOf(a));
    QVERIFY(host.waitForStarts(1));
    CompletedRun text(host.with(words("fleet", "status")));
    const QByteArrayList lines = text.output().split('\n');
    QVERIFY2(lines[0].startsWith("NODE "), lines[0].constData());
    QVERIFY2(lines[1].startsWith("a (this host)  active "), lines[1].constData());
    QVERIFY2(lines[3].startsWith("AGENT "), lines[3].constData());
    QVERIFY2(lines[4].startsWith("billing  a "), lines[4].constData());
    VERIFY_CONTAINS(lines[4], "runs on this node");
    CompletedRun json(host.with(words("fleet", "status", "--json")));
    const QJsonObject fleet = QJsonDocument::fromJson(json.output()).object();
    QCOMPARE(fleet[QLatin1String("node")].toString(), a);
    QCOMPARE(fleet[QLatin1String("agents")].toArray().size(), 1); // "local" is not in the fleet
    QCOMPARE(host.run().endBy(SIGTERM), 0);
}

void FleetCommandTest::givesTokenToProcess()
{
    NodeRun host(stateOf(a), configurationOf(a));
    QVERIFY(host.waitForStarts(1));
    QVERIFY(waitUntil([&] { return tokenOn(a) > 0; }));
    const QByteArray started = host.run().wholeLines();
    QCOMPARE(
        eventData(started, "agent.started", placedAgent).first()[QLatin1String("fence")].toDouble(),
        double(tokenOn(a)));
    QVERIFY(!eventData(started, "agent.started", QStringLiteral("local"))
                 .first()
                 .contains(QLatin1String("fence")));
    // A restart on the same node keeps it.
    const qint64 token = tokenOn(a);
    QVERIFY(QFile::remove(tokenFile(a)));
    CompletedRun restart(host.with(words("restart", placedAgent, "--wait")));
    QVERIFY(waitUntil([&] { return tokenOn(a) > 0; }));
    QCOMPARE(tokenOn(a), token);
    QCOMPARE(host.run().endBy(SIGTERM), 0);
}

void FleetCommandTest::explainsPlacement()
{
    NodeRun first(stateOf(a), configurationOf(a));
    QVERIFY(first.waitForStarts(1));
    NodeRun second(stateOf(b), configurationOf(b));
    QVERIFY(second.run().waitForOutput("agent.ready")); // of "local"
    CompletedRun here(first.with(words("explain", placedAgent)));
    VERIFY_CONTAINS(here.output(), "placement: runs on this node (token ");
    QVERIFY(waitUntil([&] {
        CompletedRun there(second.with(words("explain", placedAgent)));
        return there.output().contains("placement: runs on a");
    }));
    CompletedRun status(second.with(words("status", placedAgent)));
    VERIFY_CONTAINS(status.output(), "runs on a");
    QCOMPARE(second.starts(), 0);
    QCOMPARE(second.run().endBy(SIGTERM), 0);
    QCOMPARE(first.run().endBy(SIGTERM), 0);
}

void FleetCommandTest::movesAgent()
{
    NodeRun first(stateOf(a), configurationOf(a));
    QVERIFY(first.waitForStarts(1));
    CompletedRun nowhere(first.with(words("fleet", "move", placedAgent, "nowhere")), 1);
    VERIFY_CONTAINS(nowhere.error(), "no node named nowhere has a session");
    CompletedRun here(first.with(words("fleet", "move", placedAgent, a)), 1);
    VERIFY_CONTAINS(here.error(), "billing already runs on a");
    NodeRun second(stateOf(b), configurationOf(b));
    QVERIFY(waitUntil([&] {
        CompletedRun status(first.with(words("fleet", "status")));
        return status.output().contains("\nb              active ");
    }));
    CompletedRun move(first.with(words("fleet", "move", placedAgent, b, "--reason", "test")));
    QCOMPARE(move.output(), QByteArray("billing: moves to b\n"));
    QVERIFY(second.waitForStarts(1));
    QVERIFY(waitUntil([&] { return tokenOn(b) > tokenOn(a); }));
    CompletedRun there(first.with(words("fleet", "move", placedAgent, b)), 1);
    VERIFY_CONTAINS(there.error(), "billing does not run on a: ");
    CompletedRun stop(first.with(words("stop", placedAgent)));
    VERIFY_CONTAINS(stop.output(), "; node b still owns it\n");
    CompletedRun explain(first.with(words("explain", placedAgent)));
    VERIFY_CONTAINS(explain.output(), "owned by b; stopped by an operator on this node");
    QCOMPARE(first.run().endBy(SIGTERM), 0);
    QCOMPARE(second.run().endBy(SIGTERM), 0);
}

void FleetCommandTest::drainsNode()
{
    NodeRun first(stateOf(a), configurationOf(a));
    QVERIFY(first.waitForStarts(1));
    NodeRun second(stateOf(b), configurationOf(b));
    CompletedRun drain(first.with(words("fleet", "drain", a)));
    QCOMPARE(drain.output(), QByteArray("a: drained\n"));
    QVERIFY(second.waitForStarts(1));
    QVERIFY(waitUntil([&] {
        CompletedRun move(second.with(words("fleet", "move", placedAgent, a)), 1);
        return move.error().contains("a is drained");
    }));
    CompletedRun status(first.with(words("fleet", "status")));
    VERIFY_CONTAINS(status.output(), "this host is drained");
    CompletedRun cancel(first.with(words("fleet", "drain", a, "--cancel")));
    QCOMPARE(cancel.output(), QByteArray("a: contends for agents\n"));
    // It does not take its agents back, but starts those of a node that is drained.
    CompletedRun other(second.with(words("fleet", "drain", b, "--json")));
    QVERIFY(QJsonDocument::fromJson(other.output()).object()[QLatin1String("drained")].toBool());
    QVERIFY(first.waitForStarts(2));
    QCOMPARE(first.run().endBy(SIGTERM), 0);
    QCOMPARE(second.run().endBy(SIGTERM), 0);
}

void FleetCommandTest::refusesWhatOtherHostsDo()
{
    NodeRun host(stateOf(a), configurationOf(a));
    QVERIFY(host.run().waitForOutput("agent.ready"));
    CompletedRun drain(host.with(words("fleet", "drain", b)), 1);
    VERIFY_CONTAINS(drain.error(), "this host is node a");
    CompletedRun local(host.with(words("fleet", "move", "local", b)), 1);
    VERIFY_CONTAINS(local.error(), "local");
    CompletedRun both(host.with(words("fleet", "drain", a, "--cancel", "--timeout", "1s")), 64);
    QCOMPARE(host.run().endBy(SIGTERM), 0);
}

void FleetCommandTest::printsEventsOfHosts()
{
    NodeRun first(stateOf(a), configurationOf(a));
    QVERIFY(first.waitForStarts(1)); // else b may start it before a has a session
    NodeRun second(stateOf(b), configurationOf(b));
    QVERIFY(second.run().waitForOutput("agent.ready"));
    CompletedRun events(words("fleet", "events", "a", "b", "--type", "agent.started"));
    VERIFY_CONTAINS(events.output(), " a/billing: ");
    VERIFY_CONTAINS(events.output(), " b/local: ");
    // A host that is named twice.
    CompletedRun twice(words("fleet", "events", "a", "a", "--type", "agent.started", "--json"));
    QCOMPARE(jsonLines(twice.output()).size(), 2);
    CompletedRun missing(words("fleet", "events", "a", "no-such-host"), 69);
    QCOMPARE(first.run().endBy(SIGTERM), 0);
    QCOMPARE(second.run().endBy(SIGTERM), 0);
}

void FleetCommandTest::startsAgentsOfKilledHost()
{
    NodeRun first(stateOf(a), configurationOf(a, shortLease));
    QVERIFY(first.waitForStarts(1));
    NodeRun second(stateOf(b), configurationOf(b, shortLease));
    QVERIFY(second.run().waitForOutput("agent.ready"));
    const pid_t process = startedIn(first.run().wholeLines(), placedAgent).last();
    first.run().endBy(SIGKILL);
    QVERIFY(second.waitForStarts(1));
    QCOMPARE(::kill(process, 0), -1);
    QCOMPARE(second.run().endBy(SIGTERM), 0);
}

void FleetCommandTest::restartedHostNeedNotWait()
{
    std::optional<NodeRun> first(std::in_place, stateOf(a), configurationOf(a));
    QVERIFY(first->waitForStarts(1));
    first.reset(); // killed
    NodeRun again(stateOf(a), configurationOf(a));
    QVERIFY(again.waitForStarts(1)); // the lease is 5 min
    QCOMPARE(again.run().endBy(SIGTERM), 0);
}

void FleetCommandTest::shutdownReleasesAgents()
{
    NodeRun first(stateOf(a), configurationOf(a));
    QVERIFY(first.waitForStarts(1));
    NodeRun second(stateOf(b), configurationOf(b));
    QVERIFY(second.run().waitForOutput("agent.ready")); // of "local"
    QVERIFY(waitUntil([&] {
        CompletedRun status(second.with(words("fleet", "status")));
        return status.output().contains("\na ");
    }));
    QCOMPARE(first.run().endBy(SIGTERM), 0);
    QVERIFY(second.waitForStarts(1));
    QVERIFY(waitUntil([&] {
        CompletedRun status(second.with(words("fleet", "status")));
        return status.output().contains("\na              no session for ");
    }));
    QCOMPARE(second.run().endBy(SIGTERM), 0);
}

void FleetCommandTest::hostWithoutFleetSaysSo()
{
    const QString path =
        writeFile(m_folder.path(), QStringLiteral("alone.json"),
                  R"({"agents": [{"name": "local", "program": "sleep", "arguments": ["9"]}]})");
    NodeRun host(stateOf(a), path);
    QVERIFY(host.run().waitForOutput("agent.ready"));
    const QList<QStringList> commands{words("fleet", "status"), words("fleet", "drain", a),
                                      words("fleet", "move", "local", b)};
    for (const QStringList &each : commands) {
        CompletedRun run(host.with(each), 1);
        QVERIFY2(run.error().contains("this host is in no fleet"), run.error().constData());
    }
    QCOMPARE(host.run().endBy(SIGTERM), 0);
}

void FleetCommandTest::checkExplainsTimes()
{
    CompletedRun check(words("check", configurationOf(a, shortLease)));
    VERIFY_CONTAINS(check.output(), "fleet: this host is node a\n");
    VERIFY_CONTAINS(check.output(), "runs on at most one node: billing\n");
    VERIFY_CONTAINS(check.output(), "an outage of etcd of less than 500ms stops none of them");
    VERIFY_CONTAINS(check.output(), "begins within 2s and all processes are dead within 2.4s");
    VERIFY_CONTAINS(check.output(), "start on another one 3s to 5s later");
}

void FleetCommandTest::checkReportsUnusableEtcd()
{
    const QString path =
        writeFile(m_folder.path(), QStringLiteral("unusable.json"),
                  "{\"fleet\": {\"node\": \"a\",\n"
                  "\"etcd\": {\"endpoints\": [\"ftp://h\"],\n"
                  "\"user\": \"u\", \"passwordFile\": \"missing\"}},\n"
                  "\"agents\": [{\"name\": \"w\", \"program\": \"sleep\", \"placement\": {}}]}");
    CompletedRun check(words("check", path), 78);
    VERIFY_CONTAINS(check.error(), "ftp://h");
    VERIFY_CONTAINS(check.error(), "/fleet/etcd/passwordFile: expected a file with a password");
    CompletedRun up(words("up", path), 78);
    VERIFY_CONTAINS(up.error(), "/fleet/etcd/passwordFile");
}

REKINDLE_TEST(FleetCommandTest)
#include "fleetcommandtest.moc"
