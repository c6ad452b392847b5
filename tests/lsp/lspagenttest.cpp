// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fulllicense.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/lsp/lspagent.h>

#include <QJsonArray>
#include <QStandardPaths>

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;
using Kind = LspError::Kind;

namespace {

ProcessDefinition server(const QStringList &serverOptions = {})
{
    ProcessDefinition definition;
    definition.program = QStringLiteral(REKINDLE_LSPSERVER);
    definition.arguments = serverOptions;
    definition.stop = {0s, 100ms, 10s};
    return definition;
}

LspOptions patient()
{
    LspOptions options;
    options.shutdownTimeout = 30s; // a slow machine
    options.ping.reset();
    return options;
}

/// An agent without a supervisor, and its signals as text.
struct Stage
{
    explicit Stage(const QStringList &serverOptions = {}, LspOptions options = patient())
        : agent(server(serverOptions), scheduler, std::move(options))
    {
        QObject::connect(&agent, &Agent::ready, &agent, [this] { add(QStringLiteral("ready")); });
        QObject::connect(
            &agent, &LspAgent::opened, &agent, [this](const QJsonObject &, bool isRestart) {
                add(isRestart ? QStringLiteral("opened again") : QStringLiteral("opened"));
            });
        QObject::connect(&agent, &Agent::stopped, &agent,
                         [this] { add(QStringLiteral("stopped")); });
        QObject::connect(&agent, &Agent::failed, &agent,
                         [this](FailureReason reason, const FailureDetail &detail) {
                             failure = {reason, detail};
                             add(QStringLiteral("failed ") + toText(reason));
                         });
        QObject::connect(&agent, &ProtocolAgent::errorLine, &agent,
                         [this](const QByteArray &line) { received.append(line); });
    }

    void add(const QString &entry) { log.append(entry); }

    bool open()
    {
        agent.start();
        return QTest::qWaitFor([this] { return agent.isOpen(); }, 30000);
    }
    bool waitForEnd()
    {
        return QTest::qWaitFor([this] { return !agent.isAlive(); }, 30000);
    }
    static bool comes(const QFuture<LspResult> &future)
    {
        return QTest::qWaitFor([&future] { return future.isFinished(); }, 30000);
    }
    QFuture<LspResult> request(const char *method, const QJsonValue &params = QJsonValue::Undefined)
    {
        return agent.request(QString::fromLatin1(method), params);
    }

    TimerScheduler scheduler;
    LspAgent agent;
    QStringList log;
    QList<QByteArray> received; // methods that the server has reported
    Failure failure;
};

} // namespace

class LspAgentTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void opensAndStops()
    {
        Stage stage;
        QVERIFY(stage.open());
        QCOMPARE(stage.log, QStringList({QStringLiteral("ready"), QStringLiteral("opened")}));
        QVERIFY(stage.agent.capabilities().value(QStringLiteral("hoverProvider")).toBool());
        stage.agent.stop();
        QVERIFY(!stage.agent.isOpen());
        QVERIFY(stage.waitForEnd());
        QCOMPARE(stage.log.last(), QStringLiteral("stopped"));
        QCOMPARE(stage.received,
                 QList<QByteArray>({"initialize", "initialized", "shutdown", "exit"}));
    }

    void reportsFaultyOptions()
    {
        LspOptions options;
        options.initializeTimeout = 0s;
        options.shutdownTimeout = -1s;
        options.longestMessage = 0;
        options.ping->interval = -1s;
        const Stage stage({}, options);
        QStringList faults;
        for (const Fault &fault : stage.agent.faults())
            faults.append(fault.toString());
        QCOMPARE(faults,
                 QStringList({QStringLiteral("/initializeTimeout: expected more than 0s, found 0s"),
                              QStringLiteral("/shutdownTimeout: expected more than 0s, found -1s"),
                              QStringLiteral("/longestMessage: expected at least 1, found 0"),
                              QStringLiteral("/ping/interval: expected 10ms to 1d, found -1s")}));
    }

    // A host that opens its documents sends much at once, and the server may be slow.
    void queuesManyDocuments()
    {
        Stage stage;
        QVERIFY(stage.open());
        const auto process = static_cast<pid_t>(stage.agent.processId());
        QCOMPARE(::kill(process, SIGSTOP), 0);
        const QJsonArray document{QString(1'000'000, u'x')};
        for (int i = 0; i < 40; ++i)
            QVERIFY(stage.agent.notify(QStringLiteral("textDocument/didOpen"), document));
        QCOMPARE(::kill(process, SIGCONT), 0);
        stage.agent.stop();
        QVERIFY(stage.waitForEnd());
        QCOMPARE(stage.log.last(), QStringLiteral("stopped"));
        QCOMPARE(stage.received.count("textDocument/didOpen"), 40);
    }

    void opensAgainAfterStop()
    {
        Stage stage;
        QVERIFY(stage.open());
        stage.agent.stop();
        QVERIFY(stage.waitForEnd());
        stage.log.clear();
        QVERIFY(stage.open());
        QCOMPARE(stage.log, QStringList({QStringLiteral("ready"), QStringLiteral("opened again")}));
    }

    void sendsRequests_data()
    {
        const Rows<QJsonValue> row("params");
        row("object", QJsonObject{{QStringLiteral("a"), 1}});
        row("array", QJsonArray{1, QStringLiteral("\u00e9\n")});
        row("large", QJsonArray{QString(1'000'000, QLatin1Char('x'))});
    }

    void sendsRequests()
    {
        QFETCH(QJsonValue, params);
        Stage stage;
        QVERIFY(stage.open());
        const QFuture<LspResult> result = stage.request("echo", params);
        QVERIFY(Stage::comes(result));
        QVERIFY(!result.result().error);
        QCOMPARE(result.result().result, params);
    }

    void reportsErrorsOfServer()
    {
        Stage stage;
        QVERIFY(stage.open());
        const QFuture<LspResult> unknown = stage.request("$/unknown");
        const QFuture<LspResult> malformed = stage.request("malformed");
        QVERIFY(Stage::comes(unknown));
        QCOMPARE(unknown.result().error->kind, Kind::Refused);
        QCOMPARE(unknown.result().error->code, -32601);
        QVERIFY(Stage::comes(malformed));
        QCOMPARE(malformed.result().error->kind, Kind::InvalidAnswer);
    }

    void refusesRequestsWithoutServer()
    {
        Stage stage;
        const QFuture<LspResult> result = stage.request("echo");
        QVERIFY(result.isFinished());
        QCOMPARE(result.result().error->kind, Kind::NotReady);
        QVERIFY(!stage.agent.notify(QStringLiteral("note")));
    }

    void endsRequestsIfServerCrashes()
    {
        Stage stage;
        QVERIFY(stage.open());
        const QFuture<LspResult> silent = stage.request("silent");
        const QFuture<LspResult> crash = stage.request("crash");
        QVERIFY(stage.waitForEnd());
        for (const QFuture<LspResult> &each : {silent, crash}) {
            QVERIFY(each.isFinished());
            QCOMPARE(each.result().error->kind, Kind::Lost);
            QCOMPARE(each.result().error->process.exitCode, 3);
            QCOMPARE(each.result().error->message,
                     QFileInfo(server().program).fileName()
                         + QLatin1String(": The server exited: Process exited with exit code 3"));
        }
        QCOMPARE(stage.log.last(), QStringLiteral("failed ProcessCrash"));
    }

    void endsRequestsIfServerStops()
    {
        Stage stage;
        QVERIFY(stage.open());
        const QFuture<LspResult> silent = stage.request("silent");
        stage.agent.stop();
        QVERIFY(stage.waitForEnd());
        QVERIFY(silent.isFinished());
        QCOMPARE(silent.result().error->message,
                 QFileInfo(server().program).fileName()
                     + QLatin1String(": The server exited: Process exited with exit code 0"));
    }

    void cancelsRequests()
    {
        Stage stage;
        QVERIFY(stage.open());
        QFuture<LspResult> silent = stage.request("silent");
        silent.cancel();
        const QFuture<LspResult> late =
            stage.agent.request(QStringLiteral("silent"), QJsonValue::Undefined, 10ms);
        QVERIFY(Stage::comes(late));
        QCOMPARE(late.result().error->kind, Kind::Timeout);
        QVERIFY(
            QTest::qWaitFor([&] { return stage.received.count("$/cancelRequest") == 2; }, 30000));
    }

    void passesNotifications()
    {
        Stage stage;
        QVERIFY(stage.open());
        QSignalSpy received(&stage.agent, &LspAgent::notificationReceived);
        QVERIFY(stage.agent.notify(QStringLiteral("log")));
        QVERIFY(received.wait(30000));
        QCOMPARE(received[0][0].toString(), QStringLiteral("window/logMessage"));
        QCOMPARE(received[0][1].value<QJsonValue>().toObject().value(QStringLiteral("message")),
                 QStringLiteral("hello"));
    }

    void answersRequestsOfServer_data()
    {
        const Rows<QString, QJsonValue> row("answer", "result");
        row("none", QJsonValue(-32601));
        row("respond", QJsonValue(QStringLiteral("yes")));
        row("reject", QJsonValue(-32602));
        row("later", QJsonValue(QJsonValue::Null));
    }

    void answersRequestsOfServer()
    {
        QFETCH(QString, answer);
        Stage stage;
        QVERIFY(stage.open());
        LspAgent &agent = stage.agent;
        qint64 deferred = 0;
        connect(&agent, &LspAgent::requestReceived, &agent, [&](qint64 id) {
            if (answer == QLatin1String("respond"))
                agent.respond(id, QStringLiteral("yes"));
            else if (answer == QLatin1String("reject"))
                agent.reject(id, -32602, QStringLiteral("no"));
            else if (answer == QLatin1String("later"))
                agent.deferResponse(deferred = id);
        });
        const QFuture<LspResult> future =
            stage.request("ask", QJsonArray{QStringLiteral("workspace/configuration")});
        if (answer == QLatin1String("later")) {
            QVERIFY(QTest::qWaitFor([&] { return deferred != 0; }, 30000));
            agent.respond(deferred);
        }
        QVERIFY(Stage::comes(future));
        QFETCH(QJsonValue, result);
        QCOMPARE(future.result().result, QJsonValue(QJsonArray{QStringLiteral("s1"), result}));
    }

    void failsToStart_data()
    {
        const Rows<QString, QString> row("option", "message");
        row("hang-initialize",
            "The LSP handshake failed: The server did not answer initialize within 500ms");
        row("refuse-initialize", "The LSP handshake failed: no workspace");
        row("exit-early", "The server exited before the LSP handshake was complete");
    }

    void failsToStart()
    {
        QFETCH(QString, option);
        LspOptions options = patient();
        if (option == QLatin1String("hang-initialize"))
            options.initializeTimeout = 500ms;
        Stage stage({option}, options);
        stage.agent.start();
        QVERIFY(stage.waitForEnd());
        QCOMPARE(stage.log, QStringList(QStringLiteral("failed InitializationFailed")));
        QTEST(stage.failure.detail.message, "message");
    }

    void failsIfServerBreaksProtocol_data()
    {
        const Rows<QString, QString> row("method", "message");
        row("garbage",
            "The server violated the Language Server Protocol: expected a header such as "
            "\"Content-Length: 17\", found \"INFO indexing\"");
        row("large",
            "The server violated the Language Server Protocol: a message has 1000000000 bytes; the "
            "limit is 67108864");
        row("not-json",
            "The server violated the Language Server Protocol: expected a JSON-RPC message, found "
            "hello");
    }

    void failsIfServerBreaksProtocol()
    {
        QFETCH(QString, method);
        Stage stage;
        QVERIFY(stage.open());
        const QFuture<LspResult> result = stage.agent.request(method);
        QVERIFY(stage.waitForEnd());
        QCOMPARE(stage.log.last(), QStringLiteral("failed ProcessCrash"));
        QTEST(stage.failure.detail.message, "message");
        QVERIFY(result.isFinished());
        QCOMPARE(result.result().error->kind, Kind::Lost);
        QTEST(result.result().error->message, "message");
    }

    void stopsServerThatDoesNotStop_data()
    {
        const Rows<QString, QList<QByteArray>> row("option", "received");
        const QList<QByteArray> all{"initialize", "initialized", "shutdown", "exit"};
        row("ignore-shutdown", all);
        row("ignore-exit", all);
    }

    void stopsServerThatDoesNotStop()
    {
        QFETCH(QString, option);
        LspOptions options = patient();
        options.shutdownTimeout = 2s;
        Stage stage({option}, options);
        QVERIFY(stage.open());
        stage.agent.stop();
        QVERIFY(stage.waitForEnd());
        QCOMPARE(stage.log.last(), QStringLiteral("stopped"));
        QTEST(stage.received, "received");
    }

    void stopsDuringInitialize()
    {
        Stage stage({QStringLiteral("hang-initialize")});
        stage.agent.start();
        QVERIFY(QTest::qWaitFor([&] { return stage.received.contains("initialize"); }, 30000));
        stage.agent.stop();
        QVERIFY(stage.waitForEnd());
        QCOMPARE(stage.log, QStringList(QStringLiteral("stopped")));
    }

    void canBeDeletedInSlots()
    {
        TimerScheduler scheduler;
        for (const char *method : {"log", "ask", "crash"}) {
            auto agent = std::make_unique<LspAgent>(server(), scheduler, patient());
            const auto remove = [&agent] { agent.reset(); };
            connect(agent.get(), &LspAgent::opened, agent.get(), [&agent, method] {
                agent->request(QString::fromLatin1(method),
                               QJsonArray{QStringLiteral("workspace/configuration")});
            });
            connect(agent.get(), &LspAgent::notificationReceived, this, remove);
            connect(agent.get(), &LspAgent::requestReceived, this, remove);
            connect(agent.get(), &Agent::failed, this, remove);
            agent->start();
            QVERIFY(QTest::qWaitFor([&] { return !agent; }, 30000));
        }
    }

    void opensAgainAfterRestart()
    {
        Supervised stage(server(), patient());
        QVERIFY(stage.waitForOpened(1));
        stage.agent->request(QStringLiteral("crash"));
        QVERIFY(stage.waitForOpened(2));
        QCOMPARE(stage.opened, QList<bool>({false, true}));
        const QFuture<LspResult> echo = stage.agent->request(QStringLiteral("echo"), QJsonArray{1});
        QVERIFY(Stage::comes(echo));
        QCOMPARE(echo.result().result, QJsonValue(QJsonArray{1}));
        stage.supervisor.stop(stage.id);
        QVERIFY(QTest::qWaitFor([&] { return !stage.agent->isAlive(); }, 30000));
        QCOMPARE(stage.opened.size(), 2);
    }

    void restartsHungServer_data()
    {
        const Rows<bool> row("answers");
        row("answers", true);
        row("hangs", false);
    }

    void restartsHungServer()
    {
        QFETCH(bool, answers);
        LspOptions options = patient();
        options.ping = HealthSchedule{.interval = 50ms, .timeout = 2s, .misses = 1};
        options.ping->lastChance = 2s;
        if (!answers) {
            options.ping->timeout = 100ms;
            options.ping->lastChance = 100ms;
        }
        Supervised stage(
            server(answers ? QStringList() : QStringList{QStringLiteral("ignore-ping")}), options);
        if (!answers) {
            QVERIFY(stage.waitForOpened(2));
            QCOMPARE(stage.supervisor.snapshot(stage.id)->lastFailure->reason,
                     FailureReason::HealthCheckFailed);
            return;
        }
        const auto isHealthy = [&] {
            return stage.supervisor.monitor().health(stage.id).state
                == AgentHealthStatus::State::Healthy;
        };
        QVERIFY(QTest::qWaitFor(isHealthy, 30000));
        QCOMPARE(stage.opened, QList<bool>({false}));
    }

    void runsClangd()
    {
        ProcessDefinition definition;
        definition.program = QStandardPaths::findExecutable(QStringLiteral("clangd"));
        if (definition.program.isEmpty())
            QSKIP("clangd is not installed");
        LspOptions options = patient();
        options.ping = HealthSchedule{.interval = 50ms, .timeout = 30s};
        Supervised stage(definition, options);
        QVERIFY(stage.waitForOpened(1));
        QVERIFY(stage.agent->capabilities().contains(QStringLiteral("hoverProvider")));
        QVERIFY(QTest::qWaitFor(
            [&] {
                return stage.supervisor.monitor().health(stage.id).state
                    == AgentHealthStatus::State::Healthy;
            },
            30000));
        QCOMPARE(::kill(static_cast<pid_t>(stage.agent->processId()), SIGKILL), 0);
        QVERIFY(stage.waitForOpened(2));
        stage.supervisor.stop(stage.id);
        QVERIFY(QTest::qWaitFor([&] { return !stage.agent->isAlive(); }, 60000));
    }

private:
    /// An agent with a supervisor that restarts it at once.
    struct Supervised
    {
        Supervised(const ProcessDefinition &definition, const LspOptions &options)
        {
            grantAll(supervisor);
            auto owned = std::make_unique<LspAgent>(definition, supervisor.scheduler(), options);
            agent = owned.get();
            QObject::connect(
                agent, &LspAgent::opened, agent,
                [this](const QJsonObject &, bool isRestart) { opened.append(isRestart); });
            RestartPolicy policy;
            policy.type = RestartPolicyType::Immediate;
            id = supervisor.add(QStringLiteral("server"), std::move(owned), policy).id;
            supervisor.start(id);
        }

        bool waitForOpened(int count) const
        {
            return QTest::qWaitFor([this, count] { return opened.size() >= count; }, 30000);
        }

        AgentSupervisor supervisor;
        LspAgent *agent = nullptr;
        QUuid id;
        QList<bool> opened;
    };
};

REKINDLE_TEST(LspAgentTest)
#include "lspagenttest.moc"
