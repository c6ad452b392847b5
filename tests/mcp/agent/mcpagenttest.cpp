// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// With a real server.

#include "contains.h"
#include "mcp/host/serverstage.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/mcp/mcpagent.h>

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;
using Kind = McpError::Kind;

namespace {

ProcessDefinition sample(const QStringList &options = {})
{
    ProcessDefinition definition;
    definition.program = QStringLiteral(REKINDLE_MCPSERVER);
    definition.arguments = options;
    definition.stop = {2s, 2s, 2s};
    return definition;
}

/// An agent and its signals as text.
struct Stage
{
    explicit Stage(const QStringList &options = {}, McpClientOptions clientOptions = {})
        : agent(sample(options), scheduler, std::move(clientOptions))
    {
        QObject::connect(&agent, &Agent::started, &agent, [this] { add("started"); });
        QObject::connect(&agent, &Agent::ready, &agent, [this] { add("ready"); });
        QObject::connect(&agent, &Agent::stopped, &agent, [this] { add("stopped"); });
        QObject::connect(&agent, &Agent::failed, &agent,
                         [this](FailureReason reason, const FailureDetail &detail) {
                             failure = {reason, detail};
                             log.push_back(QStringLiteral("failed ") + toText(reason));
                         });
        QObject::connect(&agent, &Agent::restartRequested, &agent,
                         [this] { add("restart requested"); });
    }

    void add(const char *entry) { log.push_back(QString::fromLatin1(entry)); }

    /// Starts the agent and waits until it is ready.
    bool start()
    {
        agent.start();
        return QTest::qWaitFor([this] { return agent.client().isReady(); }, 30000);
    }
    bool waitForEnd()
    {
        return QTest::qWaitFor([this] { return !agent.isAlive(); }, 30000);
    }
    QFuture<ToolResult> call(const char *tool, const QJsonObject &arguments = {},
                             const CallOptions &options = {})
    {
        return agent.client().call(QString::fromLatin1(tool), arguments, options);
    }

    TimerScheduler scheduler;
    McpAgent agent;
    QStringList log;
    Failure failure;
};

} // namespace

class McpAgentTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void passesNotificationsOfProcess()
    {
        Stage stage;
        ProcessDefinition definition;
        definition.program = QStringLiteral(REKINDLE_CHAOSAGENT);
        definition.arguments = {QStringLiteral("notify"),
                                QStringLiteral("STATUS=indexing\nSTOPPING=1"),
                                QStringLiteral("hang")};
        definition.health = {heartbeatProbe()};
        stage.agent.setDefinition(definition);
        bool isStopping = false;
        connect(&stage.agent, &Agent::stopping, this, [&] { isStopping = true; });
        stage.agent.start();
        QVERIFY(QTest::qWaitFor([&] { return isStopping; }, 30000));
        QCOMPARE(stage.agent.statusText(), QStringLiteral("indexing"));
    }

    void negotiatesRevision_data()
    {
        const Rows<QString, McpProtocol::Revision, McpProtocol::Revision> row("server", "client",
                                                                              "used");
        using enum McpProtocol::Revision;
        row("legacy", "both", Legacy, Legacy);
        row("modern", "both", Modern, Modern);
        row("auto, both", "both", Unknown, Legacy);
        row("auto, modern", "modern", Unknown, Modern);
        row("auto, legacy", "legacy", Unknown, Legacy);
    }

    void negotiatesRevision()
    {
        QFETCH(QString, server);
        QFETCH(McpProtocol::Revision, client);
        Stage stage({QStringLiteral("--revision"), server}, {.revision = client});
        QVERIFY(stage.start());
        QCOMPARE(stage.log, options({"started", "ready"}));
        QTEST(stage.agent.client().revision(), "used");
        QVERIFY(stage.agent.client().tools().size() > 10);
        const QFuture<ToolResult> echo =
            stage.call("echo", {{QStringLiteral("message"), QStringLiteral("h\u00e9\n")}});
        QVERIFY(comes(echo));
        QCOMPARE(echo.result().text(), QStringLiteral("h\u00e9\n"));
        const QFuture<ToolResult> unknown = stage.call("no_such_tool");
        QVERIFY(comes(unknown));
        QCOMPARE(unknown.result().error->code, -32602);
        const QFuture<McpAnswer> probe = stage.agent.client().probe(30s);
        QVERIFY(comes(probe));
        QVERIFY(!probe.result().error);
    }

    void signalsItsGroup()
    {
        Stage stage;
        QVERIFY(!stage.agent.signalGroup(SIGKILL));
        QVERIFY(stage.start());
        QVERIFY(stage.agent.signalGroup(SIGKILL));
        QVERIFY(stage.waitForEnd());
        QCOMPARE(stage.log.last(), QStringLiteral("failed ProcessCrash"));
        QCOMPARE(stage.failure.detail.signal, SIGKILL);
    }

    void reportsFaultsOfItsDefinition()
    {
        Stage stage;
        QVERIFY(stage.agent.faults().isEmpty());
        stage.agent.setDefinition({});
        QVERIFY(hasErrors(stage.agent.faults()));
    }

    void stops()
    {
        Stage stage;
        QVERIFY(stage.start());
        const QFuture<ToolResult> pending = stage.call("silent");
        stage.agent.stop();
        QVERIFY(stage.waitForEnd());
        QCOMPARE(stage.log, options({"started", "ready", "stopped"}));
        QCOMPARE(pending.result().error->kind, Kind::Lost);
        QCOMPARE(pending.result().error->process.exitCode, 0);
    }

    void readsPagesAndSkipsNoise()
    {
        Stage plain;
        QVERIFY(plain.start());
        Stage stage(options({"--page-size", "3", "--noise", "--flood", "200000"}));
        int noise = 0;
        QObject::connect(&stage.agent.client(), &McpClient::noise, &stage.agent, [&] { ++noise; });
        QVERIFY(stage.start());
        QCOMPARE(stage.agent.client().tools(), plain.agent.client().tools());
        QVERIFY(noise > 3000);
    }

    void crashEndsPendingCalls()
    {
        Stage stage(options({"--err", "a word before the end"}));
        QVERIFY(stage.start());
        QList<QFuture<ToolResult>> futures;
        for (int i = 0; i < 16; ++i)
            futures.push_back(stage.call("silent"));
        futures.push_back(stage.call("crash"));
        QVERIFY(stage.waitForEnd());
        QCOMPARE(stage.log, options({"started", "ready", "failed ProcessCrash"}));
        QCOMPARE(stage.failure.detail.signal, SIGKILL);
        for (const QFuture<ToolResult> &future : std::as_const(futures)) {
            QVERIFY(future.isFinished());
            const McpError error = future.result().error.value();
            QCOMPARE(error.kind, Kind::Lost);
            QCOMPARE(error.process.signal, SIGKILL);
            QCOMPARE(error.process.stderrTail, options({"a word before the end"}));
            VERIFY_CONTAINS(error.message, "SIGKILL");
            QVERIFY(error.wasWritten);
        }

        Stage exits;
        QVERIFY(exits.start());
        const QFuture<ToolResult> future = exits.call("exit", {{QStringLiteral("code"), 17}});
        QVERIFY(exits.waitForEnd());
        QCOMPARE(future.result().error->process.exitCode, 17);
    }

    void exit42EndsPendingCalls()
    {
        Stage stage;
        QVERIFY(stage.start());
        const QFuture<ToolResult> pending = stage.call("silent");
        const QFuture<ToolResult> exits = stage.call("exit42");
        QVERIFY(stage.waitForEnd());
        QCOMPARE(stage.log, options({"started", "ready", "restart requested"}));
        // The response that was written before the exit is delivered.
        QCOMPARE(exits.result().text(), QStringLiteral("restarting"));
        QCOMPARE(pending.result().error->kind, Kind::Lost);
        QCOMPARE(pending.result().error->process.exitCode, 42);
    }

    void killsServerThatClosesOutput()
    {
        Stage stage(options({"--close-out", "--ignore-term", "--ignore-eof"}));
        stage.agent.start();
        QVERIFY(stage.waitForEnd());
        // The output is closed during the handshake.
        QCOMPARE(stage.log, options({"started", "failed InitializationFailed"}));
        QVERIFY(stage.failure.detail.message.contains(QStringLiteral("stdout")));
    }

    void killsServerThatClosesInput()
    {
        Stage stage(options({"--ignore-term", "--ignore-eof"}));
        QVERIFY(stage.start());
        const QFuture<ToolResult> deaf = stage.call("deaf");
        // Exceeds the capacity of the pipe, so that the write fails whenever the pipe is closed.
        const QString text(256 * 1024, u'x');
        const QFuture<ToolResult> echo = stage.call("echo", {{QStringLiteral("message"), text}});
        QVERIFY(stage.waitForEnd());
        QCOMPARE(stage.log, options({"started", "ready", "failed ProcessCrash"}));
        QCOMPARE(deaf.result().error->kind, Kind::Lost);
        QCOMPARE(echo.result().error->kind, Kind::Lost);
    }

    void reportsFailedStarts_data()
    {
        const Rows<QStringList, QString> row("arguments", "reason");
        row("initialize refused", options({"--revision", "legacy", "--initialize-error"}),
            "failed InitializationFailed");
        row("initialize unanswered", options({"--silent", "initialize"}),
            "failed InitializationFailed");
        row("tools/list unanswered", options({"--silent", "tools/list"}),
            "failed InitializationFailed");
        row("other version", options({"--version", "1999-01-01"}), "failed InitializationFailed");
        row("exit", options({"--exit-in-handshake", "9"}), "failed ProcessCrash");
        row("exit 0", options({"--exit-in-handshake", "0"}), "failed InitializationFailed");
    }

    void reportsFailedStarts()
    {
        QFETCH(QStringList, arguments);
        McpClientOptions clientOptions;
        if (arguments.contains(QStringLiteral("--silent")))
            clientOptions.handshakeTimeout = 500ms;
        Stage stage(QStringList{QStringLiteral("--err"), QStringLiteral("my reason")} + arguments,
                    clientOptions);
        stage.agent.start();
        QVERIFY(stage.waitForEnd());
        QCOMPARE(stage.log.size(), 2);
        QTEST(stage.log.last(), "reason");
        QCOMPARE(stage.failure.detail.stderrTail, options({"my reason"}));
        QVERIFY(!stage.failure.detail.message.isEmpty());
        QVERIFY(stage.failure.detail.processId > 0);
        QCOMPARE(stage.agent.client().call(QStringLiteral("echo")).result().error->kind,
                 Kind::NotReady);
    }

    void startsAgain()
    {
        QTemporaryDir folder;
        const QString log = folder.filePath(QStringLiteral("log"));
        Stage stage({QStringLiteral("--log"), log});
        for (int i = 0; i < 3; ++i) {
            QVERIFY(stage.start());
            const QFuture<ToolResult> echo =
                stage.call("echo", {{QStringLiteral("message"), QString::number(i)}});
            QVERIFY(comes(echo));
            QCOMPARE(echo.result().text(), QString::number(i));
            stage.call("crash");
            QVERIFY(stage.waitForEnd());
        }
        QFile file(log);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().count("\"method\":\"initialize\""), 3);
    }

    // Messages that exceed the capacity of the pipe and of the agent's buffer, in both directions
    void transfersLargeMessages()
    {
        Stage stage;
        QVERIFY(stage.start());
        QList<QFuture<ToolResult>> futures;
        for (int i = 0; i < 4; ++i) {
            const QString text(3 * 1024 * 1024, QChar(u'a' + i));
            futures.push_back(stage.call("echo", {{QStringLiteral("message"), text}}));
        }
        for (int i = 0; i < 4; ++i) {
            QVERIFY(comes(futures[i]));
            QVERIFY(!futures[i].result().error);
            QCOMPARE(futures[i].result().text(), QString(3 * 1024 * 1024, QChar(u'a' + i)));
        }
    }

    void updatesTools_data()
    {
        const Rows<McpProtocol::Revision> row("revision");
        row("legacy", McpProtocol::Revision::Legacy);
        row("modern", McpProtocol::Revision::Modern);
    }

    void updatesTools()
    {
        QFETCH(McpProtocol::Revision, revision);
        Stage stage({}, {.revision = revision});
        QVERIFY(stage.start());
        const auto has = [&stage](const char *name) {
            const QList<McpTool> tools = stage.agent.client().tools();
            return std::any_of(tools.begin(), tools.end(), [name](const McpTool &tool) {
                return tool.name == QLatin1String(name);
            });
        };
        QVERIFY(!has("more"));
        bool changed = false;
        QObject::connect(&stage.agent.client(), &McpClient::toolsChanged, &stage.agent,
                         [&] { changed = true; });
        stage.call("change",
                   {{QStringLiteral("add"), QStringLiteral("more")},
                    {QStringLiteral("remove"), QStringLiteral("echo")}});
        QVERIFY(QTest::qWaitFor([&] { return changed && has("more") && !has("echo"); }, 30000));
    }
};

REKINDLE_TEST(McpAgentTest)
#include "mcpagenttest.moc"
