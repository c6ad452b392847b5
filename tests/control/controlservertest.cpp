// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/socket/controllistener_p.h"
#include "instantagent.h"
#include "socketclient.h"
#include "testprogram.h"

#include <rekindle/control/controlclient.h>
#include <rekindle/control/controlserver.h>
#include <rekindle/control/reloadableconfiguration.h>
#include <rekindle/groups/agentdependencies.h>
#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/lifecycle/virtualscheduler.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

using namespace Rekindle;
using namespace std::chrono_literals;

/// A server with a real socket and in-process agents.
class ControlServerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void reportsHostAndAgents();
    void operatesAgents();
    void announcesOperations();
    void announcesReloadAndStopForEachAgent();
    void reportsStartedDependencies();
    void reportsWhatAStartDidBesides();
    void explainsLastRequestWithEffect();
    void reportsAgentsWithoutEffect();
    void operatesBreakers();
    void rejectsInvalidParams_data();
    void rejectsInvalidParams();
    void namesCandidatesOfUnknownAgent();
    void leavesSocketOfAnotherHost();
    void replacesSocketOfHostThatExited();
    void bindsAgainWhenSocketOrFolderIsRemoved();
    void removesSocketAtTheEnd();
    void replacesIdleClients();
    void leavesClientsOfOtherProcesses();
    void keepsPlacesForOperators();
    void reportsThatSocketIsRemoved_data();
    void reportsThatSocketIsRemoved();
    void reportsThatSocketIsReplacedByFile();
    void reportsThatClientsHaveDisconnected();
    void answersClientThatClosedItsDirection();
    void disconnectsClientWithoutHello();
    void rejectsUnsafeFolder();
    void forwardsStopRequest();
    void saysByeAtTheEnd();
    void slotDeletesServer();
    void slotRunsEventLoop();
    void leavesNameToHostThatTookTheLock();
    void leavesOtherFiles();
    void removesSocketsOfKilledHosts();
    void reportsStatusTextOfAgent();
    void shortensNameOfLongPath();
    void listsAgentsWithLongOutput();
    void answersPipelinedRequestsOfSlowReader();

private:
    [[nodiscard]] ControlServerOptions options() const
    {
        return {.name = QStringLiteral("web"),
                .socketName = QStringLiteral("web-1"),
                .configuration = QStringLiteral("/etc/web.json"),
                .folder = m_folder->filePath(QStringLiteral("control"))};
    }
    [[nodiscard]] QString socketPath() const
    {
        return m_folder->filePath(QStringLiteral("control/web-1.sock"));
    }
    QUuid add(const char *name, const RestartPolicy &policy = {})
    {
        return m_supervisor->add(QLatin1String(name), std::make_unique<InstantAgent>(), policy).id;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TimerScheduler> m_scheduler;
    std::unique_ptr<AgentSupervisor> m_supervisor;
    std::unique_ptr<ControlServer> m_server;
    FixedLicenseProvider m_license{LicenseTier::Enterprise};
};

void ControlServerTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_scheduler = std::make_unique<TimerScheduler>();
    m_supervisor = std::make_unique<AgentSupervisor>(*m_scheduler);
    m_supervisor->featureGate().setProvider(&m_license);
    m_server = std::make_unique<ControlServer>(*m_supervisor, options());
    QCOMPARE(m_server->listen(), QString());
    QCOMPARE(m_server->socketPath(), socketPath());
}

void ControlServerTest::cleanup()
{
    m_server.reset();
    m_supervisor.reset();
    m_scheduler.reset();
}

void ControlServerTest::reportsStatusTextOfAgent()
{
    class TalkingAgent final : public InstantAgent
    {
    public:
        [[nodiscard]] QString statusText() const override { return QStringLiteral("3 users"); }
    };
    QVERIFY(m_supervisor->add(QStringLiteral("a"), std::make_unique<TalkingAgent>(), {}));
    SocketClient client(socketPath());
    client.hello();
    (void)client.result();
    client.request(1, "agents.list");
    const QJsonArray agents = client.result().toObject().value(QLatin1String("agents")).toArray();
    QCOMPARE(agents.first().toObject().value(QLatin1String("statusText")),
             QStringLiteral("3 users"));
}

void ControlServerTest::reportsHostAndAgents()
{
    add("a");
    add("b");
    m_supervisor->startAll();
    SocketClient client(socketPath());
    QVERIFY(client.isConnected());
    client.hello();
    const QJsonObject host = client.result().toObject().value(QLatin1String("host")).toObject();
    QCOMPARE(host.value(QLatin1String("name")), QStringLiteral("web"));
    QCOMPARE(host.value(QLatin1String("config")), QStringLiteral("/etc/web.json"));
    QCOMPARE(host.value(QLatin1String("pid")), static_cast<double>(::getpid()));
    QCOMPARE(host.value(QLatin1String("run")), m_supervisor->policyEvaluator().run());

    client.request(1, "agents.list");
    const QJsonArray agents = client.result().toObject().value(QLatin1String("agents")).toArray();
    QCOMPARE(agents.size(), 2);
    const QJsonObject first = agents.first().toObject();
    QCOMPARE(first.value(QLatin1String("agent")), QStringLiteral("a"));
    QCOMPARE(first.value(QLatin1String("state")), QStringLiteral("Running"));
    QVERIFY(first.value(QLatin1String("uptimeMs")).toDouble() >= 0);
    QVERIFY(first.value(QLatin1String("nextStartInMs")).isNull());
    QVERIFY(first.value(QLatin1String("lastFailure")).isNull());
    QVERIFY(first.value(QLatin1String("statusText")).isNull());

    client.request(2, "agents.list", "{\"agents\":[\"b\"]}");
    QCOMPARE(client.result().toObject().value(QLatin1String("agents")).toArray().size(), 1);
    client.request(3, "agents.get", "{\"agent\":\"b\"}");
    QCOMPARE(client.result()
                 .toObject()
                 .value(QLatin1String("agent"))
                 .toObject()
                 .value(QLatin1String("agent")),
             QStringLiteral("b"));
}

void ControlServerTest::operatesAgents()
{
    const QUuid id = add("a");
    SocketClient client(socketPath());
    client.hello();
    client.line();
    const auto state = [&] { return m_supervisor->policyEvaluator().state(id); };
    const QByteArray params("{\"agents\":[\"a\"]}");

    client.request(1, "agents.start", params);
    const QJsonObject started = client.result().toArray().first().toObject();
    QCOMPARE(started.value(QLatin1String("agent")), QStringLiteral("a"));
    QCOMPARE(started.value(QLatin1String("accepted")), true);
    QTRY_COMPARE(state(), InstanceState::Running);

    const QSignalSpy restarted(m_supervisor.get(), &AgentSupervisor::agentStarted);
    client.request(2, "agents.restart", params);
    QVERIFY(client.result().toArray().first()[QLatin1String("accepted")].toBool());
    QTRY_COMPARE(restarted.count(), 1);

    client.request(3, "agents.stop", params);
    QVERIFY(client.result().toArray().first()[QLatin1String("accepted")].toBool());
    QTRY_COMPARE(state(), InstanceState::Stopped);
}

// Also those without effect, and before the events of their effects.
void ControlServerTest::announcesReloadAndStopForEachAgent()
{
    struct Configuration final : ReloadableConfiguration
    {
        Result reload(bool dryRun) override
        {
            if (!dryRun)
                onReload();
            Result result;
            result.changes.added = {QStringLiteral("new")};
            result.changes.removed = {QStringLiteral("old")};
            result.changes.changed = {{QStringLiteral("web"), DefinitionPart::Policy, {}, false}};
            return result;
        }
        std::function<void()> onReload;
    } configuration;
    QStringList log;
    connect(m_supervisor.get(), &AgentSupervisor::lifecycleEvent, this,
            [&](const LifecycleEvent &event) {
                if (const auto *action = std::get_if<OperatorAction>(&event))
                    log.append(action->request + u' ' + action->agent + u' '
                               + QString::number(action->clientProcessId == ::getpid()));
            });
    for (const char *name : {"old", "web", "same"})
        add(name);
    configuration.onReload = [&] {
        log.append(QStringLiteral("reload"));
        add("new");
    };
    m_server->setConfiguration(&configuration);
    SocketClient client(socketPath());
    client.hello();
    client.line();
    client.request(1, "config.reload", R"({"dryRun":true})");
    QVERIFY(client.result().isObject());
    QCOMPARE(log, QStringList());
    client.request(2, "config.reload");
    QVERIFY(client.result().isObject());
    QCOMPARE(
        log,
        QStringList({QStringLiteral("config.reload old 1"), QStringLiteral("config.reload web 1"),
                     QStringLiteral("reload"), QStringLiteral("config.reload new 1")}));
    log.clear();
    client.request(3, "host.stop"); // refused
    QVERIFY(!client.error().isEmpty());
    QCOMPARE(log, QStringList());
    connect(m_server.get(), &ControlServer::stopRequested, this,
            [&] { log.append(QStringLiteral("stop")); });
    client.request(4, "host.stop");
    QVERIFY(client.result().isObject());
    QTRY_COMPARE(log.size(), 5);
    QCOMPARE(log.constFirst(), QStringLiteral("host.stop old 1"));
    QCOMPARE(log.constLast(), QStringLiteral("stop"));
    m_server->setConfiguration(nullptr);
}

void ControlServerTest::announcesOperations()
{
    const QUuid id = add("a");
    QStringList types;
    QList<OperatorAction> actions;
    connect(m_supervisor.get(), &AgentSupervisor::lifecycleEvent, this,
            [&](const LifecycleEvent &event) {
                types.append(eventType(event));
                if (const auto *action = std::get_if<OperatorAction>(&event))
                    actions.append(*action);
            });
    SocketClient client(socketPath());
    client.hello();
    client.line();
    client.request(1, "agents.start", R"({"agents":["a"],"reason":"new certificate"})");
    QVERIFY(client.result().isArray());
    QTRY_COMPARE(m_supervisor->policyEvaluator().state(id), InstanceState::Running);
    client.request(2, "breaker.reset", R"({"agent":"a","reason":"fixed"})");
    QVERIFY(client.result().isObject());
    client.request(3, "agents.stop", R"({"agents":["a"]})");
    QVERIFY(client.result().isArray());
    QTRY_COMPARE(m_supervisor->policyEvaluator().state(id), InstanceState::Stopped);
    client.request(4, "agents.stop", R"({"agents":["a"]})");
    QVERIFY(client.result().isArray());
    client.request(5, "agents.list", "{}");
    QVERIFY(client.result().isObject());

    const QString action = QStringLiteral("operator.action");
    QCOMPARE(types.filter(action).size(), 4);
    QCOMPARE(types.constFirst(), action);
    QCOMPARE(types.constLast(), action);
    QCOMPARE(actions.at(0).request, QStringLiteral("agents.start"));
    QCOMPARE(actions.at(0).agent, QStringLiteral("a"));
    QCOMPARE(actions.at(0).reason, QStringLiteral("new certificate"));
    QCOMPARE(actions.at(0).userId, qint64{::getuid()});
    QCOMPARE(actions.at(0).clientProcessId, QCoreApplication::applicationPid());
    QCOMPARE(actions.at(0).program,
             QFileInfo(QStringLiteral("/proc/self/exe")).canonicalFilePath());
    QCOMPARE(actions.at(1).request, QStringLiteral("breaker.reset"));
    QCOMPARE(actions.at(1).reason, QStringLiteral("fixed"));
    QCOMPARE(actions.at(2).request, QStringLiteral("agents.stop"));
    QCOMPARE(actions.at(2).reason, QString());
}

void ControlServerTest::reportsStartedDependencies()
{
    AgentDependencies dependencies(*m_supervisor);
    add("db");
    add("web");
    QVERIFY(dependencies
                .setDependencies(QStringLiteral("web"), {Dependency{.agent = QStringLiteral("db")}})
                .isEmpty());
    QStringList reasons;
    connect(m_supervisor.get(), &AgentSupervisor::operatorActed, this,
            [&](const OperatorAction &action) {
                reasons.append(action.agent + QLatin1String(": ") + action.reason);
            });
    SocketClient client(socketPath());
    client.hello();
    client.line();
    client.request(1, "agents.start", R"({"agents":["web"]})");
    const QJsonValue started = client.result()[0][QLatin1String("alsoStarted")];
    QCOMPARE(started, QJsonValue(QJsonArray{QStringLiteral("db")}));
    QCOMPARE(reasons,
             QStringList({QStringLiteral("web: "), QStringLiteral("db: web depends on it")}));
    client.request(2, "agents.start", R"({"agents":["web"]})");
    QVERIFY(client.result()[0][QLatin1String("alsoStarted")].isUndefined());
}

void ControlServerTest::reportsWhatAStartDidBesides()
{
    const QUuid id = add("a", {.circuitBreaker = CircuitBreakerPolicy()});
    SocketClient client(socketPath());
    client.hello();
    client.line();
    const auto effects = [&client](const char *method) {
        client.request(1, method, R"({"agents":["a"]})");
        return client.result()[0][QLatin1String("effects")];
    };
    QVERIFY(effects("agents.start").isUndefined());
    const QString running = QStringLiteral("already running, restarts counted from zero");
    QCOMPARE(effects("agents.start"), QJsonValue(QJsonArray{running}));
    m_supervisor->policyEvaluator().isolateCircuitBreaker(id);
    QCOMPARE(effects("agents.start"),
             QJsonValue(QJsonArray{running, QStringLiteral("isolation ended")}));
    m_supervisor->policyEvaluator().isolateCircuitBreaker(id);
    QCOMPARE(effects("agents.restart"), QJsonValue(QJsonArray{QStringLiteral("isolation ended")}));
}

void ControlServerTest::explainsLastRequestWithEffect()
{
    m_supervisor->start(add("a", {.circuitBreaker = CircuitBreakerPolicy()}));
    SocketClient client(socketPath());
    client.hello();
    client.line();
    for (const char *each : {"first", "second"}) {
        for (const char *method : {"breaker.isolate", "agents.stop"}) {
            const QByteArray agent =
                QByteArray(method) == "agents.stop" ? R"("agents":["a"])" : R"("agent":"a")";
            client.request(1, method, "{" + agent + R"(,"reason":")" + each + "\"}");
            client.line();
        }
    }
    client.request(2, "agents.explain", R"({"agent":"a"})");
    const QJsonArray actions = client.result()[QLatin1String("actions")].toArray();
    QCOMPARE(actions.size(), 2);
    for (const auto &each : actions)
        QVERIFY(each[QLatin1String("text")].toString().endsWith(QLatin1String(": first")));
}

void ControlServerTest::reportsAgentsWithoutEffect()
{
    add("a");
    SocketClient client(socketPath());
    client.hello();
    client.line();
    client.request(1, "agents.stop", "{\"agents\":[\"a\"]}");
    const QJsonObject stopped = client.result().toArray().first().toObject();
    QCOMPARE(stopped.value(QLatin1String("accepted")), false);
    QCOMPARE(stopped.value(QLatin1String("state")), QStringLiteral("Stopped"));
}

void ControlServerTest::operatesBreakers()
{
    RestartPolicy without;
    without.circuitBreaker.reset();
    const QUuid id = add("a");
    add("b", without);
    SocketClient client(socketPath());
    client.hello();
    client.line();
    client.request(1, "breaker.isolate", "{\"agent\":\"a\"}");
    QCOMPARE(client.result()[QLatin1String("isolated")], true);
    QVERIFY(m_supervisor->policyEvaluator().circuitBreakerState(id).isolated);
    client.request(2, "breaker.release", "{\"agent\":\"a\"}");
    QCOMPARE(client.result()[QLatin1String("isolated")], false);
    client.request(3, "breaker.reset", "{\"agent\":\"a\"}");
    QCOMPARE(client.result()[QLatin1String("state")], QStringLiteral("Closed"));
    client.request(4, "breaker.reset", "{\"agent\":\"b\"}");
    QCOMPARE(client.error().value(QLatin1String("code")), -32004);
}

void ControlServerTest::rejectsInvalidParams_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const char *method, const char *params,
                        const char *message) {
        QTest::newRow(name) << QByteArray(method) << QByteArray(params)
                            << QString::fromLatin1(message);
    };
    row("missing", "agents.stop", "{}", "params: /agents: missing");
    row("unknown", "agents.list", "{\"agent\":\"a\"}",
        "params: /agent: unknown key; did you mean \"agents\"?");
    row("wrong type", "agents.stop", "{\"agents\":\"a\"}",
        "params: /agents: expected an array, found \"a\"");
    row("wrong item", "agents.stop", "{\"agents\":[1]}",
        "params: /agents/0: expected a string, found 1");
    row("repeated", "agents.list", "{\"agents\":[\"a\",\"a\"]}", "params: /agents: a is repeated");
    const QByteArray longReason = R"({"agents":["a"],"reason":")" + QByteArray(1001, 'x') + R"("})";
    row("long reason", "agents.stop", longReason.constData(),
        "params: /reason: expected at most 1000 characters, found 1001");
    row("how", "host.stop", "{\"how\":\"now\"}",
        "params: /how: expected one of orderly, kill, found \"now\"");
}

void ControlServerTest::rejectsInvalidParams()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, params);
    QFETCH(QString, message);
    add("a");
    SocketClient client(socketPath());
    client.hello();
    client.line();
    client.request(1, method.constData(), params);
    const QJsonObject error = client.error();
    QCOMPARE(error.value(QLatin1String("code")), -32602);
    QCOMPARE(error.value(QLatin1String("message")).toString(), message);
}

void ControlServerTest::namesCandidatesOfUnknownAgent()
{
    const QUuid id = add("web");
    SocketClient client(socketPath());
    client.hello();
    client.line();
    client.request(1, "agents.start", "{\"agents\":[\"web\",\"webb\"]}");
    const QJsonObject error = client.error();
    QCOMPARE(error.value(QLatin1String("code")), -32001);
    QCOMPARE(error.value(QLatin1String("message")),
             QStringLiteral("no agent named webb; did you mean \"web\"?"));
    QCOMPARE(error.value(QLatin1String("data")).toObject().value(QLatin1String("candidates")),
             QJsonArray{QStringLiteral("web")});
    // Either all or none.
    QCOMPARE(m_supervisor->policyEvaluator().state(id), InstanceState::Stopped);
}

void ControlServerTest::leavesSocketOfAnotherHost()
{
    {
        ControlServer second(*m_supervisor, options());
        QVERIFY(second.listen().contains(QLatin1String("used by another host")));
    }
    SocketClient client(socketPath());
    QVERIFY(client.isConnected());
}

void ControlServerTest::replacesSocketOfHostThatExited()
{
    m_server.reset();
    // A killed host leaves its socket and its lock file.
    {
        ControlListener killed(socketPath(), *m_scheduler, {});
        QCOMPARE(killed.listen(), QString());
        QCOMPARE(::link(QFile::encodeName(socketPath()).constData(),
                        QFile::encodeName(socketPath() + QLatin1String(".kept")).constData()),
                 0);
    }
    QVERIFY(QFile::rename(socketPath() + QLatin1String(".kept"), socketPath()));
    m_server = std::make_unique<ControlServer>(*m_supervisor, options());
    QCOMPARE(m_server->listen(), QString());
    QVERIFY(SocketClient(socketPath()).isConnected());
}

void ControlServerTest::bindsAgainWhenSocketOrFolderIsRemoved()
{
    SocketClient before(socketPath());
    before.hello();
    before.line();
    QVERIFY(QFile::remove(socketPath()));
    QTRY_VERIFY_WITH_TIMEOUT(SocketClient(socketPath()).isConnected(), 30'000);

    const QFileInfo folder(QFileInfo(socketPath()).absolutePath());
    QVERIFY(QDir(folder.filePath()).removeRecursively());
    QTRY_VERIFY_WITH_TIMEOUT(SocketClient(socketPath()).isConnected(), 30'000);
    QVERIFY(QFile::remove(socketPath()));
    QTRY_VERIFY_WITH_TIMEOUT(SocketClient(socketPath()).isConnected(), 30'000);

    before.request(1, "agents.list");
    QVERIFY(before.result().isObject());
}

void ControlServerTest::removesSocketAtTheEnd()
{
    struct stat status{};
    QCOMPARE(::stat(QFile::encodeName(socketPath()).constData(), &status), 0);
    QCOMPARE(status.st_mode & 0777U, 0600U);
    m_server.reset();
    QCOMPARE(QDir(QFileInfo(socketPath()).path())
                 .entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::System),
             QStringList());
}

void ControlServerTest::replacesIdleClients()
{
    std::vector<std::unique_ptr<SocketClient>> clients;
    for (int i = 0; i < 100; ++i) {
        clients.push_back(std::make_unique<SocketClient>(socketPath()));
        clients.back()->hello();
        QVERIFY(clients.back()->result().isObject());
        QVERIFY(m_server->clientCount() <= 36);
    }
    const QJsonObject bye = clients.front()->message();
    QCOMPARE(bye[QLatin1String("method")], QStringLiteral("bye"));
    QCOMPARE(bye[QLatin1String("params")][QLatin1String("reason")],
             QStringLiteral("a new client needs the connection"));
    QCOMPARE(clients.front()->line(), QByteArray());
    clients.back()->request(1, "agents.list");
    QVERIFY(clients.back()->result().isObject());
}

// The operator is the first client, and has been idle for the longest time.
void ControlServerTest::leavesClientsOfOtherProcesses()
{
    std::array<int, 2> toOperator{};
    std::array<int, 2> toTest{};
    QCOMPARE(::pipe(toOperator.data()), 0);
    QCOMPARE(::pipe(toTest.data()), 0);
    const pid_t operatorProcess = ::fork();
    if (operatorProcess == 0) {
        const SocketClient client(socketPath());
        client.request(0, "hello", R"({"protocols":[1]})");
        const bool isConnected = client.waitForBytes();
        static_cast<void>(::write(toTest[1], isConnected ? "y" : "n", 1));
        char go = 0;
        static_cast<void>(::read(toOperator[0], &go, 1));
        client.request(1, "host.stop");
        ::_exit(client.waitForBytes() ? 0 : 1);
    }
    int stops = 0;
    connect(m_server.get(), &ControlServer::stopRequested, this, [&stops] { ++stops; });
    QTRY_COMPARE_WITH_TIMEOUT(m_server->clientCount(), 1, 30'000);
    pollfd connected{toTest[0], POLLIN, 0};
    QTRY_COMPARE_WITH_TIMEOUT(::poll(&connected, 1, 0), 1, 30'000);
    std::vector<std::unique_ptr<SocketClient>> clients;
    for (int i = 0; i < 200; ++i) {
        clients.push_back(std::make_unique<SocketClient>(socketPath()));
        QCoreApplication::processEvents();
    }
    QTRY_COMPARE(m_server->clientCount(), 36);
    QCOMPARE(::write(toOperator[1], "g", 1), 1);
    QTRY_COMPARE_WITH_TIMEOUT(stops, 1, 30'000);
    int status = -1;
    QTRY_VERIFY_WITH_TIMEOUT(::waitpid(operatorProcess, &status, WNOHANG) != 0, 30'000);
    QCOMPARE(status, 0);
    for (const int each : {toOperator[0], toOperator[1], toTest[0], toTest[1]})
        ::close(each);
}

void ControlServerTest::keepsPlacesForOperators()
{
    add("a");
    std::vector<std::unique_ptr<SocketClient>> clients;
    const auto addClient = [&] {
        clients.push_back(std::make_unique<SocketClient>(socketPath()));
        clients.back()->hello();
        QVERIFY(clients.back()->result().isObject());
    };
    for (int i = 0; i < 32; ++i) {
        addClient();
        if (i % 2 == 0) {
            clients.back()->request(1, "events.subscribe", R"({"from":"now"})");
            QVERIFY(clients.back()->result().isObject());
        } else {
            clients.back()->request(1, "agents.wait", R"({"agents":["a"],"for":"ready"})");
        }
    }
    for (int i = 0; i < 8; ++i) {
        addClient();
        clients.back()->request(1, "agents.wait", R"({"agents":["a"],"for":"ready"})");
        const QJsonObject error = clients.back()->error();
        QCOMPARE(error[QLatin1String("code")], -32006);
        QCOMPARE(error[QLatin1String("data")][QLatin1String("limit")], 32);
        clients.back()->request(2, "agents.list");
        QVERIFY(clients.back()->result().isObject());
    }
    QCOMPARE(m_server->clientCount(), 36);
    clients.front()->closeAll();
    QTRY_COMPARE(m_server->clientCount(), 35);
    clients.back()->request(3, "logs.follow", R"({"agent":"a"})");
    QVERIFY(clients.back()->result().isObject());
}

void ControlServerTest::reportsThatSocketIsRemoved_data()
{
    QTest::addColumn<bool>("isReplaced");
    QTest::newRow("removed") << false;
    QTest::newRow("replaced") << true;
}

void ControlServerTest::reportsThatSocketIsRemoved()
{
    QFETCH(bool, isReplaced);
    const QSignalSpy changed(m_server.get(), &ControlServer::socketChanged);
    const UniqueFd other(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    QVERIFY(QFile::remove(socketPath()));
    if (isReplaced) {
        const auto address = SocketAddress::of(socketPath());
        QCOMPARE(::bind(other.get(), address->get(), address->size()), 0);
    }
    QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 1, 30'000);
    QCOMPARE(changed.first().first(),
             QStringLiteral("%1: %2 by another program; listening again")
                 .arg(socketPath(), isReplaced ? u"replaced" : u"removed"));
    QVERIFY(SocketClient(socketPath()).isConnected());
}

void ControlServerTest::reportsThatSocketIsReplacedByFile()
{
    const QSignalSpy changed(m_server.get(), &ControlServer::socketChanged);
    QVERIFY(QFile::remove(socketPath()));
    QVERIFY(QFile(socketPath()).open(QIODevice::WriteOnly));
    QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 1, 30'000);
    QCOMPARE(changed.first().first(),
             QStringLiteral("%1: expected a socket of this user, found another file; no client can "
                            "connect")
                 .arg(socketPath()));
    QVERIFY(QFile::remove(socketPath()));
    QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 2, 30'000);
    QVERIFY(SocketClient(socketPath()).isConnected());
}

void ControlServerTest::reportsThatClientsHaveDisconnected()
{
    auto client = std::make_unique<SocketClient>(socketPath());
    client->hello();
    QVERIFY(client->result().isObject());
    int left = -1;
    connect(m_server.get(), &ControlServer::clientsDisconnected, this, [&] {
        left = m_server->clientCount();
        m_server.reset();
    });
    client.reset();
    QTRY_VERIFY(!m_server);
    QCOMPARE(left, 0);
}

void ControlServerTest::answersClientThatClosedItsDirection()
{
    SocketClient client(socketPath());
    client.hello();
    client.request(1, "agents.list");
    client.closeWriting();
    QVERIFY(client.result().isObject());
    QVERIFY(client.result().isObject());
    QCOMPARE(client.line(), QByteArray());
    QTRY_COMPARE(m_server->clientCount(), 0);
}

void ControlServerTest::disconnectsClientWithoutHello()
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    AgentSupervisor supervisor(scheduler);
    ControlServerOptions other = options();
    other.socketName = QStringLiteral("other");
    ControlServer server(supervisor, other);
    QCOMPARE(server.listen(), QString());
    SocketClient client(server.socketPath());
    QTRY_COMPARE(server.clientCount(), 1);
    scheduler.advance(4999ms);
    QCOMPARE(server.clientCount(), 1);
    scheduler.advance(1ms);
    QCOMPARE(server.clientCount(), 0);
    QCOMPARE(client.line(), QByteArray());
}

void ControlServerTest::rejectsUnsafeFolder()
{
    ControlServerOptions other = options();
    const auto fault = [&](const char *name) {
        other.folder = m_folder->filePath(QLatin1String(name));
        return ControlServer(*m_supervisor, other).listen();
    };
    QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("open")));
    QFile::setPermissions(m_folder->filePath(QStringLiteral("open")),
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner
                              | QFile::WriteOther);
    QVERIFY(fault("open").contains(QLatin1String("found a folder in which others can write")));
    QVERIFY(QFile::link(m_folder->path(), m_folder->filePath(QStringLiteral("link"))));
    QVERIFY(fault("link").contains(QLatin1String("found a symbolic link")));
    QVERIFY(QFile(m_folder->filePath(QStringLiteral("file"))).open(QIODevice::WriteOnly));
    QVERIFY(fault("file").contains(QLatin1String("found a file")));
    QVERIFY(fault(QByteArray(120, 'x').constData())
                .contains(QLatin1String("expected a path of at most 107 bytes")));
}

void ControlServerTest::forwardsStopRequest()
{
    SocketClient client(socketPath());
    client.hello();
    client.line();
    client.request(1, "host.stop");
    QCOMPARE(client.error().value(QLatin1String("code")), -32004);
    const QSignalSpy requests(m_server.get(), &ControlServer::stopRequested);
    client.request(2, "host.stop", "{\"how\":\"kill\"}");
    QCOMPARE(client.result(), QJsonObject());
    QTRY_COMPARE(requests.count(), 1);
    QCOMPARE(requests[0][0], true);
}

void ControlServerTest::saysByeAtTheEnd()
{
    SocketClient client(socketPath());
    client.hello();
    client.line();
    m_server.reset();
    QCOMPARE(client.message().value(QLatin1String("method")), QStringLiteral("bye"));
    QCOMPARE(client.line(), QByteArray());
}

void ControlServerTest::slotDeletesServer()
{
    const QUuid id = add("a");
    connect(m_supervisor.get(), &AgentSupervisor::operatorCommanded, this,
            [this] { m_server.reset(); });
    SocketClient client(socketPath());
    client.hello();
    client.line();
    client.request(1, "agents.start", "{\"agents\":[\"a\"]}");
    QTRY_VERIFY(!m_server);
    QTRY_COMPARE(m_supervisor->policyEvaluator().state(id), InstanceState::Running);
}

// For example a dialog. Requests wait until the slot returns.
void ControlServerTest::slotRunsEventLoop()
{
    add("a");
    SocketClient client(socketPath());
    SocketClient other(socketPath());
    client.hello();
    other.hello();
    client.line();
    other.line();
    connect(m_supervisor.get(), &AgentSupervisor::operatorCommanded, this, [&] {
        client.closeAll();
        other.request(1, "agents.list");
        for (int i = 0; i < 100; ++i)
            QCoreApplication::processEvents();
    });
    client.request(1, "agents.start", "{\"agents\":[\"a\"]}");
    QVERIFY(other.result().isObject());
    QTRY_COMPARE(m_server->clientCount(), 1);
}

void ControlServerTest::leavesNameToHostThatTookTheLock()
{
    const QSignalSpy changed(m_server.get(), &ControlServer::socketChanged);
    // Both files are removed while this host cannot react, and another host starts.
    QVERIFY(QDir(options().folder).removeRecursively());
    auto second = std::make_unique<ControlServer>(*m_supervisor, options());
    QCOMPARE(second->listen(), QString());
    SocketClient client(socketPath());
    client.hello();
    QVERIFY(client.result().isObject());
    QTRY_COMPARE(second->clientCount(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 1, 30'000);
    QCOMPARE(changed.first().first(),
             QStringLiteral("%1: used by another host (process %2); no client can connect until "
                            "that host exits")
                 .arg(socketPath())
                 .arg(::getpid()));
    client.closeAll();
    second.reset();
    QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 2, 30'000);
    QVERIFY(changed.last().first().toString().endsWith(QLatin1String("; listening again")));
    QVERIFY(SocketClient(socketPath()).isConnected());
}

void ControlServerTest::leavesOtherFiles()
{
    ControlServerOptions other = options();
    other.socketName = QStringLiteral("file");
    const QString path = options().folder + QLatin1String("/file.sock");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("mine");
    file.close();
    QVERIFY(ControlServer(*m_supervisor, other)
                .listen()
                .contains(QLatin1String("expected a socket of this user, found another file")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("mine"));
    other.socketName = QStringLiteral("../file");
    QVERIFY(ControlServer(*m_supervisor, other).listen().contains(QLatin1String("without /")));
}

void ControlServerTest::removesSocketsOfKilledHosts()
{
    m_server.reset();
    const QDir folder(options().folder);
    const auto path = [&folder](const QString &name) {
        return folder.filePath(name + QLatin1String(".sock"));
    };
    const auto addFile = [](const QString &name) {
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("1\n");
    };
    const auto addSocket = [](const QString &name) {
        const UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const auto address = SocketAddress::of(name);
        QCOMPARE(::bind(socket.get(), address->get(), address->size()), 0);
    };
    const QString ofUp = path(QStringLiteral("up-1234abcd"));
    const QString ofApplication = path(QStringLiteral("application-4711"));
    const QString ofLongName = path(QStringLiteral("0123456789abcdef"));
    const QString lockOnly = path(QStringLiteral("lock-4711"));
    const QString runs = path(QStringLiteral("runs-4711"));
    const QString otherName = path(QStringLiteral("other"));
    const QString otherFile = path(QStringLiteral("file-4711"));
    for (const QString &each : {ofUp, ofApplication, ofLongName, runs, otherName}) {
        addSocket(each);
        addFile(each + QLatin1String(".lock"));
    }
    addFile(lockOnly + QLatin1String(".lock"));
    addFile(otherFile);
    addFile(otherFile + QLatin1String(".lock"));
    HostLock lock;
    QCOMPARE(lock.acquire(runs), QString());

    m_server = std::make_unique<ControlServer>(*m_supervisor, options());
    QCOMPARE(m_server->listen(), QString());
    QStringList expected;
    for (const QString &each : {socketPath(), runs, otherName, otherFile})
        expected << QFileInfo(each).fileName()
                 << QFileInfo(each).fileName() + QLatin1String(".lock");
    expected.sort();
    QCOMPARE(folder.entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot, QDir::Name),
             expected);
}

void ControlServerTest::shortensNameOfLongPath()
{
    ControlServerOptions other = options();
    other.socketName = QString(150, u'n') + QLatin1String("-1");
    ControlServer server(*m_supervisor, other);
    QCOMPARE(server.listen(), QString());
    QCOMPARE(server.socketPath(), ControlClient::socketPath(other.socketName, other.folder));
    QVERIFY(SocketClient(server.socketPath()).isConnected());
    QVERIFY(ControlClient::runningHosts(other.folder).contains(server.socketPath()));
    other.socketName.chop(1);
    QVERIFY(ControlClient::socketPath(other.socketName, other.folder) != server.socketPath());
    QCOMPARE(ControlClient::socketPath(QStringLiteral("web-1"), options().folder), socketPath());
}

void ControlServerTest::listsAgentsWithLongOutput()
{
    RestartPolicy none;
    none.type = RestartPolicyType::None;
    for (int i = 0; i < 300; ++i)
        add(qPrintable(QString::number(i)), none);
    m_supervisor->startAll();
    const QList<QUuid> ids = m_supervisor->ids();
    RestartPolicyEvaluator &evaluator = m_supervisor->policyEvaluator();
    QTRY_COMPARE(evaluator.state(ids.last()), InstanceState::Running);
    FailureDetail detail;
    for (int i = 0; i < 20; ++i)
        detail.stderrTail.append(QString(1000, u'x'));
    for (const QUuid &id : ids)
        Q_EMIT m_supervisor->agent(id)->failed(FailureReason::ProcessCrash, detail);
    QTRY_COMPARE(evaluator.state(ids.last()), InstanceState::Failed);
    SocketClient client(socketPath());
    client.hello();
    client.line();
    client.request(1, "agents.list");
    QCOMPARE(client.result()[QLatin1String("agents")].toArray().size(), 300);
    client.request(2, "agents.get", "{\"agent\":\"7\"}");
    QCOMPARE(client
                 .result()[QLatin1String("agent")][QLatin1String("lastFailure")]
                          [QLatin1String("stderrTail")]
                 .toArray()
                 .size(),
             20);
}

void ControlServerTest::answersPipelinedRequestsOfSlowReader()
{
    for (int i = 0; i < 1000; ++i)
        add(qPrintable(QString::number(i)));
    SocketClient client(socketPath());
    client.hello();
    for (int i = 1; i <= 40; ++i)
        client.request(i, "agents.list");
    SocketClient other(socketPath());
    other.hello();
    QVERIFY(other.result().isObject());
    other.request(1, "agents.list");
    QVERIFY(other.result().isObject());
    QVERIFY(client.result().isObject());
    for (int i = 1; i <= 40; ++i)
        QCOMPARE(client.message().value(QLatin1String("id")), i);
}

REKINDLE_TEST(ControlServerTest)
#include "controlservertest.moc"
