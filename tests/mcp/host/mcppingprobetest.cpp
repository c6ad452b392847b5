// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fulllicense.h"
#include "mcp/client/scriptedchannel.h"
#include "testprogram.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/mcp/mcpagent.h>
#include <rekindle/mcp/mcppingprobe.h>

#include <QSignalSpy>
#include <QtTest>

#include <csignal>

using namespace Rekindle;
using namespace std::chrono_literals;

class McpPingProbeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anAnswerIsGood();
    void anErrorIsAnAnswerToo();
    void noAnswerInTime();
    void noSession();
    void aServerThatDiesMeanwhile();
    void cancelledNobodyHearsOfIt();
    void oneAfterTheOther();
    void theClientIsGone();
    void modernEra();
    void aHungServerIsRestarted();

private:
    /// A client after its handshake, its probe, and what that has said.
    struct Stage : ClientStage
    {
        explicit Stage(McpClientOptions options = {})
            : ClientStage(std::move(options))
        {
            QObject::connect(&probe, &HealthProbe::finished, &probe,
                             [this](bool ok, const QString &text) {
                                 said.append((ok ? u"good " : u"miss ") + text);
                             });
        }

        McpPingProbe probe{client};
        QStringList said;
    };
};

void McpPingProbeTest::anAnswerIsGood()
{
    Stage stage;
    stage.openLegacy();
    stage.probe.start(2s);
    QCOMPARE(stage.channel.lastMethod(), QStringLiteral("ping"));
    stage.channel.answer(stage.channel.lastId(), "{}");
    Stage::settle();
    QCOMPARE(stage.said, QStringList(QStringLiteral("good pong")));
    QCOMPARE(stage.scheduler.armedCount(), std::size_t(0));
}

void McpPingProbeTest::anErrorIsAnAnswerToo()
{
    Stage stage;
    stage.openLegacy();
    stage.probe.start(2s);
    stage.channel.refuse(stage.channel.lastId(), -32601);
    Stage::settle();
    QCOMPARE(stage.said.size(), 1);
    QVERIFY2(stage.said[0].startsWith(QStringLiteral("good ")), qPrintable(stage.said[0]));
}

void McpPingProbeTest::noAnswerInTime()
{
    Stage stage;
    stage.openLegacy();
    stage.probe.start(2s);
    stage.scheduler.advance(2s - 1ns);
    Stage::settle();
    QVERIFY(stage.said.isEmpty());
    stage.scheduler.advance(1ns);
    Stage::settle();
    QCOMPARE(stage.said.size(), 1);
    QVERIFY2(stage.said[0].startsWith(QStringLiteral("miss ")), qPrintable(stage.said[0]));
}

void McpPingProbeTest::noSession()
{
    Stage stage;
    stage.probe.start(2s);
    QCOMPARE(stage.said, QStringList(QStringLiteral("miss there is no session with the server")));
    QVERIFY(stage.channel.sent.isEmpty());
}

void McpPingProbeTest::aServerThatDiesMeanwhile()
{
    Stage stage;
    stage.openLegacy();
    stage.probe.start(2s);
    stage.channel.lose(QStringLiteral("it is gone"));
    Stage::settle();
    QCOMPARE(stage.said.size(), 1);
    QVERIFY2(stage.said[0].startsWith(QStringLiteral("miss ")), qPrintable(stage.said[0]));
}

void McpPingProbeTest::cancelledNobodyHearsOfIt()
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
    QVERIFY(stage.said.isEmpty());

    // Also where the answer is there and was not told yet.
    stage.probe.start(2s);
    stage.channel.answer(stage.channel.lastId(), "{}");
    stage.probe.cancel();
    Stage::settle();
    QVERIFY(stage.said.isEmpty());
    stage.probe.cancel(); // without a run
}

void McpPingProbeTest::oneAfterTheOther()
{
    Stage stage;
    stage.openLegacy();
    for (int i = 1; i <= 3; ++i) {
        stage.probe.start(2s);
        stage.channel.answer(stage.channel.lastId(), "{}");
        Stage::settle();
        QCOMPARE(stage.said.size(), i);
    }
}

void McpPingProbeTest::theClientIsGone()
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

void McpPingProbeTest::modernEra()
{
    McpClientOptions options;
    options.era = McpEra::Modern;
    Stage stage(options);
    stage.client.open();
    stage.channel.answer(
        stage.channel.lastId(),
        R"({"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"s","version":"1"}})");
    stage.channel.answer(stage.channel.lastId(), R"({"tools":[]})");
    QVERIFY(stage.client.isReady());
    stage.probe.start(2s);
    QCOMPARE(stage.channel.lastMethod(), QStringLiteral("server/discover")); // it has no ping
    stage.channel.answer(stage.channel.lastId(), "{}");
    Stage::settle();
    QCOMPARE(stage.said, QStringList(QStringLiteral("good pong")));
}

// A real server that is stopped (SIGSTOP): it lives, holds its pipes, and answers nothing.
void McpPingProbeTest::aHungServerIsRestarted()
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
    schedule.timeout = 2s; // a slow machine is no hung server
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
    QVERIFY(
        supervisor.snapshot(id)->lastFailure->detail.message.contains(QStringLiteral("mcp-ping")));
    QCOMPARE(supervisor.snapshot(id)->generation, quint64(2));
}

REKINDLE_TEST(McpPingProbeTest)
#include "mcppingprobetest.moc"
