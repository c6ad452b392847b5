// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instantagent.h"
#include "socketclient.h"
#include "testprogram.h"

#include <rekindle/control/controlserver.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Rekindle;

namespace {

/// An agent that stops when the test requests it.
class SlowAgent final : public InstantAgent
{
public:
    void stop() override {}
};

} // namespace

/// The requests that a host refuses, and the data of their errors.
class ControlRefusalTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void refusesStartsWhileHostStops();
    void namesRule_data();
    void namesRule();
    void refusesWaitWhenAgentIsRemoved();

private:
    QUuid add(const char *name, const RestartPolicy &policy = {})
    {
        return m_supervisor.add(QLatin1String(name), std::make_unique<SlowAgent>(), policy).id;
    }

    QTemporaryDir m_folder;
    TimerScheduler m_scheduler;
    AgentSupervisor m_supervisor{m_scheduler};
    std::unique_ptr<ControlServer> m_server;
    std::unique_ptr<SocketClient> m_client;
};

void ControlRefusalTest::init()
{
    m_server = std::make_unique<ControlServer>(
        m_supervisor,
        ControlServerOptions{.socketName = QStringLiteral("web"), .folder = m_folder.path()});
    QCOMPARE(m_server->listen(), QString());
    m_client = std::make_unique<SocketClient>(m_server->socketPath());
    m_client->hello();
    QVERIFY(m_client->result().isObject());
}

void ControlRefusalTest::cleanup()
{
    m_client.reset();
    m_server.reset();
    for (const QUuid &id : m_supervisor.ids())
        m_supervisor.remove(id);
}

void ControlRefusalTest::refusesStartsWhileHostStops()
{
    const QUuid id = add("a");
    const auto state = [&] { return m_supervisor.policyEvaluator().state(id); };
    m_supervisor.start(id);
    QTRY_COMPARE(state(), InstanceState::Running);
    const QSignalSpy allStopped(&m_supervisor, &AgentSupervisor::allStopped);
    m_supervisor.stopAll();
    QVERIFY(m_supervisor.isStopping());
    for (const char *method : {"agents.start", "agents.restart", "agents.retry"}) {
        m_client->request(1, method, R"({"agents":["a"]})");
        const QJsonObject error = m_client->error();
        QCOMPARE(error[QLatin1String("code")], -32009);
        QCOMPARE(error[QLatin1String("message")],
                 QStringLiteral("the host is stopping its agents"));
    }
    m_client->request(2, "agents.stop", R"({"agents":["a"]})");
    QVERIFY(m_client->result().isArray());
    Q_EMIT m_supervisor.agent(id)->stopped();
    QTRY_COMPARE(allStopped.count(), 1);
    QCOMPARE(state(), InstanceState::Stopped);

    // The host did not exit.
    QVERIFY(!m_supervisor.isStopping());
    m_client->request(3, "agents.start", R"({"agents":["a"]})");
    QVERIFY(m_client->result().isArray());
    QTRY_COMPARE(state(), InstanceState::Running);
}

void ControlRefusalTest::namesRule_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<QString>("rule");
    const auto row = [](const char *method, const char *params, const char *rule) {
        QTest::newRow(method) << QByteArray(method) << QByteArray(params)
                              << QString::fromLatin1(rule);
    };
    row("breaker.reset", R"({"agent":"a"})", "noCircuitBreaker");
    row("config.reload", "{}", "noConfiguration");
    row("config.check", "{}", "noConfiguration");
    row("fleet.status", "{}", "noFleet");
    row("fleet.drain", R"({"node":"a"})", "noFleet");
    row("fleet.move", R"({"agent":"a","node":"b"})", "noFleet");
    row("host.stop", "{}", "noStopRequests");
}

void ControlRefusalTest::namesRule()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, params);
    QFETCH(QString, rule);
    RestartPolicy without;
    without.circuitBreaker.reset();
    add("a", without);
    m_client->request(1, method.constData(), params);
    const QJsonObject error = m_client->error();
    QCOMPARE(error[QLatin1String("code")], -32004);
    QCOMPARE(error[QLatin1String("data")][QLatin1String("rule")], rule);
}

void ControlRefusalTest::refusesWaitWhenAgentIsRemoved()
{
    add("a");
    const QUuid removed = add("b");
    m_client->request(1, "agents.wait", R"({"agents":["a","b"],"for":"ready"})");
    m_client->request(2, "agents.list");
    QVERIFY(m_client->result().isObject());
    m_supervisor.remove(removed);
    const QJsonObject error = m_client->error();
    QCOMPARE(error[QLatin1String("code")], -32004);
    QCOMPARE(error[QLatin1String("message")], QStringLiteral("b was removed"));
    QCOMPARE(error[QLatin1String("data")][QLatin1String("rule")], QStringLiteral("unreachable"));
}

REKINDLE_TEST(ControlRefusalTest)
#include "controlrefusaltest.moc"
