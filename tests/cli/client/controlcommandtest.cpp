// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <csignal>

using namespace Rekindle;

/// `rekindle up` and the commands that operate it. The folder of sockets is that of the user, so
/// each command names its host.
class ControlCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void showsAgents();
    void showsCpuAndMemoryOfProcesses();
    void showsStatusTextOfAgents();
    void operatesAgents();
    void waitsForWhatItRequests();
    void reportsCommandsWithoutEffect();
    void waitEndsIfAgentIsGivenUp();
    void rejectsUnknownAgent();
    void stopsHost();
    void reportsThatNoHostRuns();
    void tellsWhenLastHostExited();
    void listsHosts();
    void listensOnlyIfPermitted();

private:
    [[nodiscard]] QStringList with(QStringList arguments) const
    {
        return arguments << QStringLiteral("--config") << m_configuration;
    }
    [[nodiscard]] QByteArray stateOf(const char *agent) const
    {
        CompletedRun status(with(words("status", agent, "--json")));
        return QJsonDocument::fromJson(
                   status.output())[QLatin1String("agents")][0][QLatin1String("state")]
            .toString()
            .toLatin1();
    }
    [[nodiscard]] QStringList upArguments() const
    {
        return words("up", m_configuration, "--store", "off", "--state", "off", "--log", "json");
    }

    QTemporaryDir m_folder;
    QString m_configuration;
};

void ControlCommandTest::initTestCase()
{
    m_configuration = writeFile(m_folder.path(), QStringLiteral("shop.json"), R"({"agents": [
        {"name": "web", "kind": "process", "program": "sleep", "arguments": ["1000"]},
        {"name": "crash", "kind": "process", "program": "false",
         "policy": {"initialDelay": "1h", "maxDelay": "1h"}}]})");
}

void ControlCommandTest::showsAgents()
{
    StartedRun up(upArguments());
    QVERIFY(up.waitForOutput("restart.scheduled"));
    QVERIFY(up.waitForOutput("agent.ready"));
    CompletedRun status(with(words("status")));
    const QByteArrayList lines = status.output().split('\n');
    QCOMPARE(lines.size(), 4); // with the empty end
    QVERIFY2(lines[0].startsWith("AGENT  STATE "), lines[0].constData());
    QVERIFY2(lines[1].startsWith("web    Running  "), lines[1].constData());
    QVERIFY2(lines[2].startsWith("crash  Waiting  -"), lines[2].constData());
    VERIFY_CONTAINS(lines[2], "next start in ");
    VERIFY_CONTAINS(lines[2], "; ProcessCrash: exit code 1");
    CompletedRun one(with(words("status", "web")));
    QVERIFY(!one.output().contains("crash"));
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void ControlCommandTest::showsCpuAndMemoryOfProcesses()
{
    StartedRun up(upArguments());
    QVERIFY(up.waitForOutput("restart.scheduled"));
    QVERIFY(up.waitForOutput("agent.ready"));
    CompletedRun status(with(words("status", "--json")));
    const QJsonValue agents = QJsonDocument::fromJson(status.output())[QLatin1String("agents")];
    QVERIFY(agents[0][QLatin1String("memoryBytes")].toDouble() > 0);
    QVERIFY(agents[0][QLatin1String("cpuMs")].isDouble());
    QVERIFY(agents[1][QLatin1String("memoryBytes")].isNull()); // it does not run
    QVERIFY(agents[1][QLatin1String("cpuMs")].isNull());
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void ControlCommandTest::showsStatusTextOfAgents()
{
    const QString configuration =
        writeFile(m_folder.path(), QStringLiteral("talks.json"),
                  R"({"agents": [{"name": "talks", "kind": "process", "ready": "notify",
                      "program": ")" REKINDLE_CHAOSAGENT R"(",
                      "arguments": ["notify", "STATUS=3 users\nREADY=1", "hang"]}]})");
    StartedRun up(words("up", configuration, "--store", "off", "--state", "off", "--log", "json"));
    QVERIFY(up.waitForOutput("agent.ready"));
    CompletedRun status(words("status", "--config", configuration));
    VERIFY_CONTAINS(status.output(), "  3 users\n");
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void ControlCommandTest::waitsForWhatItRequests()
{
    StartedRun up(upArguments());
    QVERIFY(up.waitForOutput("restart.scheduled"));
    QVERIFY(up.waitForOutput("agent.ready"));
    CompletedRun stop(with(words("stop", "web", "--wait")));
    QCOMPARE(stateOf("web"), QByteArray("Stopped"));
    CompletedRun stopped(with(words("wait", "web", "--for", "ready")), 1);
    QCOMPARE(
        stopped.error(),
        QByteArray("rekindle: web: stopped by an operator; to start it: rekindle start web\n"));
    CompletedRun start(with(words("start", "web", "--wait", "--timeout", "60s")));
    QCOMPARE(start.output(), QByteArray("web: start requested\n"));
    QCOMPARE(stateOf("web"), QByteArray("Running"));
    CompletedRun restart(with(words("restart", "web", "--wait")));
    QCOMPARE(stateOf("web"), QByteArray("Running"));
    CompletedRun late(with(words("retry", "crash", "--wait", "--timeout", "10ms")), 124);
    VERIFY_CONTAINS(late.error(), "not reached within 10ms: crash (");
    CompletedRun alone(with(words("stop", "web", "--timeout", "1s")), 64);
    VERIFY_CONTAINS(alone.error(), "--wait");
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void ControlCommandTest::operatesAgents()
{
    StartedRun up(upArguments());
    QVERIFY(up.waitForOutput("restart.scheduled"));
    QVERIFY(up.waitForOutput("agent.ready"));
    CompletedRun restart(with(words("restart", "web", "--reason", "test")));
    QCOMPARE(restart.output(), QByteArray("web: restart requested\n"));
    QVERIFY(waitUntil([&] { return up.output().count("agent.ready") == 2; }));
    CompletedRun stop(with(words("stop", "web")));
    QCOMPARE(stop.output(), QByteArray("web: stop requested\n"));
    QVERIFY(waitUntil([&] { return stateOf("web") == "Stopped"; }));
    CompletedRun again(with(words("stop", "web")), 1);
    QCOMPARE(again.output(), QByteArray("web: nothing to stop: its state is Stopped\n"));
    CompletedRun start(with(words("start", "web")));
    QVERIFY(waitUntil([&] { return stateOf("web") == "Running"; }));
    CompletedRun isolate(with(words("isolate", "web", "crash")));
    QCOMPARE(isolate.output(),
             QByteArray("web: circuit breaker isolated\ncrash: circuit breaker isolated\n"));
    CompletedRun release(with(words("release", "web", "crash", "--json")));
    QCOMPARE(QJsonDocument::fromJson(release.output())[1][QLatin1String("isolated")], false);
    CompletedRun isolateAgain(with(words("isolate", "web")));
    CompletedRun reset(with(words("reset", "web")));
    QCOMPARE(reset.output(), QByteArray("web: circuit breaker closed\n"));
    CompletedRun retry(with(words("retry", "crash")));
    QCOMPARE(retry.output(), QByteArray("crash: retry requested\n"));
    QVERIFY(up.waitForOutput("restart.started"));
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void ControlCommandTest::reportsCommandsWithoutEffect()
{
    StartedRun up(upArguments());
    QVERIFY(up.waitForOutput("agent.ready"));
    CompletedRun reset(with(words("reset", "web")), 1);
    QCOMPARE(reset.output(), QByteArray("web: nothing to reset: the circuit breaker is closed\n"));
    CompletedRun release(with(words("release", "web")), 1);
    QCOMPARE(release.output(),
             QByteArray("web: nothing to release: the circuit breaker is not isolated\n"));
    CompletedRun retry(with(words("retry", "web")), 1);
    QCOMPARE(retry.output(), QByteArray("web: nothing to retry: its state is Running\n"));
    CompletedRun start(with(words("start", "web")));
    CompletedRun isolate(with(words("isolate", "web")));
    CompletedRun again(with(words("isolate", "web")), 1);
    QCOMPARE(again.output(),
             QByteArray("web: nothing to isolate: the circuit breaker is already isolated\n"));
    CompletedRun lifted(with(words("retry", "web"))); // ends the isolation
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void ControlCommandTest::waitEndsIfAgentIsGivenUp()
{
    const QString configuration =
        writeFile(m_folder.path(), QStringLiteral("given-up.json"), R"({"agents": [
        {"name": "web", "kind": "process", "program": "sleep", "arguments": ["1000"]},
        {"name": "crash", "kind": "process", "program": "false",
         "policy": {"initialDelay": "300ms", "maxRetries": 1}}]})");
    StartedRun up(words("up", configuration, "--store", "off", "--state", "off", "--log", "json"));
    QVERIFY(up.waitForOutput("agent.ready"));
    CompletedRun wait(words("wait", "web", "crash", "--for", "ready", "--config", configuration),
                      1);
    QCOMPARE(wait.error(),
             QByteArray("rekindle: crash: given up (ProcessCrash: exit code 1); to start it: "
                        "rekindle start crash\n"));
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void ControlCommandTest::rejectsUnknownAgent()
{
    StartedRun up(upArguments());
    QVERIFY(up.waitForOutput("agent.ready"));
    for (const char *command : {"status", "start", "reset"}) {
        CompletedRun run(with(words(command, "wed")), 64);
        QCOMPARE(run.error(), QByteArray("rekindle: no agent named wed; did you mean \"web\"?\n"));
        QCOMPARE(run.output(), QByteArray());
    }
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void ControlCommandTest::stopsHost()
{
    StartedRun up(upArguments());
    QVERIFY(up.waitForOutput("agent.ready"));
    CompletedRun down(with(words("down")));
    QCOMPARE(up.end(), 0);
    VERIFY_CONTAINS(up.error(), "stopping all agents (`rekindle down`)");
}

void ControlCommandTest::reportsThatNoHostRuns()
{
    for (const char *command : {"status", "down"}) {
        CompletedRun run(with(words(command)), 69);
        VERIFY_CONTAINS(run.error(),
                        QByteArray("no running host of " + m_configuration.toLocal8Bit()));
        CompletedRun named(words(command, "--host", "no-such-host"), 69);
        VERIFY_CONTAINS(named.error(), "no running host named no-such-host in /");
    }
    CompletedRun missing(words("status", "--config", "/no/such.json"), 69);
    QCOMPARE(missing.error(), QByteArray("rekindle: --config: /no/such.json does not exist\n"));
}

void ControlCommandTest::tellsWhenLastHostExited()
{
    const QString file = writeFile(m_folder.path(), QStringLiteral("short.json"),
                                   R"({"agents": [{"name": "a", "program": "true"}]})");
    CompletedRun up(words("up", file, "--state", "off", "--log", "json"));
    CompletedRun status(words("status", "--config", file), 69);
    const QRegularExpression text(
        QStringLiteral("; its last host \\(process [0-9]+\\) exited at [-0-9T:.]+Z, see `rekindle "
                       "history --config .*short.json`\n$"));
    QVERIFY2(text.match(QString::fromLocal8Bit(status.error())).hasMatch(),
             status.error().constData());
}

void ControlCommandTest::listsHosts()
{
    StartedRun up(upArguments());
    QVERIFY(up.waitForOutput("agent.ready"));
    const auto own = [this](const QJsonValue &host) {
        return host[QLatin1String("config")] == m_configuration;
    };
    CompletedRun hosts(words("hosts", "--json"));
    const QJsonArray all =
        QJsonDocument::fromJson(hosts.output())[QLatin1String("hosts")].toArray();
    const auto found = std::find_if(all.begin(), all.end(), own);
    QVERIFY2(found != all.end(), hosts.output().constData());
    QCOMPARE((*found)[QLatin1String("agents")], 2);
    QCOMPARE((*found)[QLatin1String("pid")].toInteger(), up.processId());
    CompletedRun named(
        words("status", "--host", (*found)[QLatin1String("name")].toString(), "--json"));
    VERIFY_CONTAINS(named.output(), "\"web\"");
    QCOMPARE(up.endBy(SIGTERM), 0);
}

void ControlCommandTest::listensOnlyIfPermitted()
{
    StartedRun up(upArguments() + words("--control", "off"));
    QVERIFY(up.waitForOutput("agent.ready"));
    CompletedRun status(with(words("status")), 69);
    QCOMPARE(up.endBy(SIGTERM), 0);
}

REKINDLE_TEST(ControlCommandTest)
#include "controlcommandtest.moc"
