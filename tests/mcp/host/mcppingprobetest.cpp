// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fulllicense.h"
#include "mcp/client/scriptedchannel.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/mcp/mcpagent.h>
#include <rekindle/mcp/mcppingprobe.h>

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

class McpPingProbeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reportsResponses_data()
    {
        const Rows<QByteArray, QString> row("response", "result");
        row("result", "result", "good pong");
        row("error", "error", "good no");
        row("loss", "loss", "miss it crashed");
    }

    void reportsResponses()
    {
        QFETCH(QByteArray, response);
        Stage stage;
        stage.openLegacy();
        QStringList expected;
        while (stage.channel.open && expected.size() < 3) {
            stage.probe.start(2s);
            QCOMPARE(stage.channel.lastMethod(), QStringLiteral("ping"));
            if (response == "result")
                stage.answer("{}");
            else if (response == "error")
                stage.channel.refuse(stage.channel.lastId(), -32601);
            else
                stage.channel.lose(QStringLiteral("it crashed"));
            Stage::settle();
            QFETCH(QString, result);
            expected.append(result);
            QCOMPARE(stage.results, expected);
            QCOMPARE(stage.scheduler.armedCount(), std::size_t(0));
        }
    }

    void failsAfterTimeout()
    {
        Stage stage;
        stage.openLegacy();
        stage.probe.start(2s);
        stage.scheduler.advance(2s - 1ns);
        Stage::settle();
        QVERIFY(stage.results.isEmpty());
        stage.scheduler.advance(1ns);
        Stage::settle();
        QCOMPARE(stage.results.size(), 1);
        QVERIFY2(stage.results[0].startsWith(QStringLiteral("miss ")),
                 qPrintable(stage.results[0]));
    }

    void failsWithoutSession()
    {
        Stage stage;
        stage.probe.start(2s);
        QCOMPARE(stage.results,
                 QStringList(QStringLiteral("miss there is no session with the server")));
        QVERIFY(stage.channel.sent.isEmpty());
    }

    void reportsNothingAfterCancellation()
    {
        Stage stage;
        stage.openLegacy();
        stage.probe.start(2s);
        const qint64 id = stage.channel.lastId();
        stage.probe.cancel();
        Stage::settle();
        stage.channel.answer(id, "{}");
        stage.scheduler.advance(1min);
        Stage::settle();
        QVERIFY(stage.results.isEmpty());

        // Also if the response has arrived but is not reported yet
        stage.probe.start(2s);
        stage.answer("{}");
        stage.probe.cancel();
        Stage::settle();
        QVERIFY(stage.results.isEmpty());
        stage.probe.cancel(); // without a run
    }

    void failsAfterDeletionOfClient()
    {
        VirtualClock clock;
        VirtualScheduler scheduler(clock);
        ScriptedChannel channel;
        auto client = std::make_unique<McpClient>(channel, scheduler);
        McpPingProbe probe(*client);
        QSignalSpy finished(&probe, &HealthProbe::finished);
        client.reset();
        probe.start(2s);
        QCOMPARE(finished.size(), 1);
        QVERIFY(!finished[0][0].toBool());
    }

    void usesDiscoverWithModernRevision()
    {
        Stage stage({.revision = McpProtocol::Revision::Modern});
        stage.client.open();
        stage.answer(
            R"({"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"s","version":"1"}})");
        stage.answer(R"({"tools":[]})");
        QVERIFY(stage.client.isReady());
        stage.probe.start(2s);
        QCOMPARE(stage.channel.lastMethod(), QStringLiteral("server/discover")); // it has no ping
        stage.answer("{}");
        Stage::settle();
        QCOMPARE(stage.results, QStringList(QStringLiteral("good pong")));
    }

    // A real server after SIGSTOP keeps its pipes open but answers nothing.
    void restartsHungServer()
    {
        AgentSupervisor supervisor;
        grantAll(supervisor);
        ProcessDefinition definition;
        definition.program = QStringLiteral(REKINDLE_MCPSERVER);
        auto owned = std::make_unique<McpAgent>(definition, supervisor.scheduler());
        McpAgent &agent = *owned;
        RestartPolicy policy;
        policy.type = RestartPolicyType::Immediate;
        const QUuid id = supervisor.add(QStringLiteral("server"), std::move(owned), policy).id;
        HealthSchedule schedule;
        schedule.interval = 50ms;
        schedule.timeout = 2s; // long enough for a slow machine
        schedule.misses = 1;
        schedule.lastChance = 2s;
        std::vector<HealthCheck> checks;
        checks.push_back(
            {QStringLiteral("mcp-ping"), schedule, std::make_unique<McpPingProbe>(agent.client())});
        QVERIFY(supervisor.monitor().setHealth(id, std::move(checks)).isEmpty());
        supervisor.start(id);
        const auto isHealthy = [&] {
            return supervisor.monitor().health(id).state == AgentHealthStatus::State::Healthy;
        };
        QVERIFY(QTest::qWaitFor(isHealthy, 30000));

        const qint64 first = agent.processId();
        QCOMPARE(::kill(static_cast<pid_t>(first), SIGSTOP), 0);
        QVERIFY(QTest::qWaitFor(
            [&] { return agent.client().isReady() && agent.processId() != first && isHealthy(); },
            30000));
        QCOMPARE(supervisor.snapshot(id)->lastFailure->reason, FailureReason::HealthCheckFailed);
        QVERIFY(supervisor.snapshot(id)->lastFailure->detail.message.contains(
            QStringLiteral("mcp-ping")));
        QCOMPARE(supervisor.snapshot(id)->generation, quint64(2));
    }

private:
    /// A client, its probe, and the results of the probe.
    struct Stage : ClientStage
    {
        explicit Stage(McpClientOptions options = {})
            : ClientStage(std::move(options))
        {
            QObject::connect(&probe, &HealthProbe::finished, &probe,
                             [this](bool ok, const QString &text) {
                                 results.append((ok ? u"good " : u"miss ") + text);
                             });
        }

        McpPingProbe probe{client};
        QStringList results;
    };
};

REKINDLE_TEST(McpPingProbeTest)
#include "mcppingprobetest.moc"
