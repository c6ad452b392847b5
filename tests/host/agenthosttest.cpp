// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/config/configuredagents.h>
#include <rekindle/host/agenthost.h>
#include <rekindle/host/programfactory.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/mcp/mcpagent.h>
#include <rekindle/metrics/metricscollector.h>
#include <rekindle/metrics/metricsserver.h>
#include <rekindle/process/processagent.h>
#include <rekindle/state/statefile.h>
#include <rekindle/telemetry/telemetrystore.h>

#include <QHostAddress>

using namespace Rekindle;

class AgentHostTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void discardsMetrics();
    void addsAgentsAndServersOfConfiguration();
    void faultsHaveThePositionOfTheEntry();
    void stopsAgentsAndRecordsTheExit();
    void destroysItsPartsInOrder();

private:
    /// A host with all parts and an agent that runs until it is stopped.
    [[nodiscard]] std::unique_ptr<AgentHost> completeHost() const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

constexpr char text[] = R"({
  "agents": [ { "name": "indexer", "kind": "process", "program": "sleep", "arguments": ["3600"],
      "policy": "immediate", "outputEvents": true,
      "health": [ { "kind": "exec", "command": ["true"] } ] } ],
  "mcpServers": { "files": { "command": "cat", "policy": "watchdog" } }
})";

Configuration configuration()
{
    const Parsed<Configuration> parsed = parseConfiguration(text, QStringLiteral("/"));
    if (!parsed)
        qFatal("%s", qPrintable(parsed.messages().join(u'\n')));
    return *parsed.value;
}

} // namespace

void AgentHostTest::init() { m_folder = std::make_unique<QTemporaryDir>(); }

std::unique_ptr<AgentHost> AgentHostTest::completeHost() const
{
    auto host = std::make_unique<AgentHost>();
    host->setLicense(std::make_unique<FixedLicenseProvider>(LicenseTier::Enterprise));
    const bool isOpen =
        host->useState({.path = m_folder->filePath(QStringLiteral("a.state"))}).open();
    host->useStore({.path = m_folder->filePath(QStringLiteral("a.sqlite"))});
    const auto fault = host->useMetrics().listen(QHostAddress::LocalHost, 0);
    Configuration only = configuration();
    only.agents.removeLast();
    if (!isOpen || fault || !host->addAll(only).isEmpty())
        qFatal("the host is not complete");
    return host;
}

void AgentHostTest::discardsMetrics()
{
    AgentHost host;
    QVERIFY(!host.useMetrics().listen(QHostAddress::LocalHost, 0));
    QVERIFY(host.metrics());
    host.discardMetrics();
    QVERIFY(!host.metrics());
}

void AgentHostTest::addsAgentsAndServersOfConfiguration()
{
    AgentHost host;
    host.setLicense(std::make_unique<FixedLicenseProvider>(LicenseTier::Enterprise));
    QCOMPARE(host.addAll(configuration()), QList<Fault>());
    const AgentSupervisor &supervisor = host.supervisor();
    QCOMPARE(supervisor.ids().size(), 2);
    Agent *const indexer = supervisor.agent(supervisor.idOf(QStringLiteral("indexer")));
    QVERIFY(qobject_cast<ProcessAgent *>(indexer));
    QCOMPARE(indexer->ownHealthChecks().size(), std::size_t{1});
    const QUuid files = supervisor.idOf(QStringLiteral("files"));
    QVERIFY(qobject_cast<McpAgent *>(supervisor.agent(files)));
    QCOMPARE(supervisor.policyEvaluator().policy(files).type, RestartPolicyType::Stepped);
}

void AgentHostTest::faultsHaveThePositionOfTheEntry()
{
    AgentSupervisor supervisor;
    FixedLicenseProvider license(LicenseTier::Enterprise);
    supervisor.featureGate().setProvider(&license);
    ConfiguredAgents agents(supervisor, programFactory());
    QCOMPARE(agents.addAll(configuration()), QList<Fault>());
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("\"indexer\" was not")));
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("\"files\" was not")));
    const QList<Fault> faults = agents.addAll(configuration());
    QCOMPARE(faults.size(), 2);
    QCOMPARE(faults[0].toString(QStringLiteral("c.json")),
             QStringLiteral("c.json:2:15: /agents/0/name: duplicate name \"indexer\""));
}

void AgentHostTest::stopsAgentsAndRecordsTheExit()
{
    const auto host = completeHost();
    AgentSupervisor &supervisor = host->supervisor();
    QSignalSpy stopped(&supervisor, &AgentSupervisor::agentStopped);
    host->quitGracefully(*qApp);
    connect(&supervisor, &AgentSupervisor::agentStarted, qApp, &QCoreApplication::quit);
    host->startAll();
    QVERIFY(host->state()->isOpen());
    QCOMPARE(QCoreApplication::exec(), 0);
    QCOMPARE(stopped.count(), 1);
    QVERIFY(!host->state()->isOpen());
    QVERIFY(host->close()); // again
    QVERIFY(host->metrics()->text().contains("rekindle"));
}

void AgentHostTest::destroysItsPartsInOrder()
{
    auto host = completeHost();
    QSignalSpy started(&host->supervisor(), &AgentSupervisor::agentStarted);
    host->startAll();
    QVERIFY(started.wait(30'000));
    host.reset();
    QVERIFY(QFile::exists(m_folder->filePath(QStringLiteral("a.sqlite"))));
}

REKINDLE_TEST(AgentHostTest)
#include "agenthosttest.moc"
