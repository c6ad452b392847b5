// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <rekindle/config/configuredagents.h>
#include <rekindle/groups/startgate.h>
#include <rekindle/host/agenthost.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/metrics/metricscollector.h>
#include <rekindle/metrics/metricsserver.h>

#include <csignal>

using namespace Rekindle;

/// Starts real programs with a governor.
class GovernedHostTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startsNoMoreProgramsThanPermitted();
    void reloadChangesLimitsAndPriorities();

private:
    [[nodiscard]] Configuration configuration(const QByteArray &governor, int count,
                                              const QByteArray &keys = {}) const;
    QTemporaryDir m_folder;
};

// Each program counts the programs that have not become ready yet, including itself. It is out of
// the count before its line is written, and therefore before the host knows that it is ready.
Configuration GovernedHostTest::configuration(const QByteArray &governor, int count,
                                              const QByteArray &keys) const
{
    QByteArray agents;
    for (int i = 0; i < count; ++i) {
        agents += agents.isEmpty() ? "" : ",";
        agents += R"({"name": "a)" + QByteArray::number(i)
            + R"(", "kind": "process", "program": "sh", "arguments": ["-c",
                "touch starting/$$; ls starting | wc -l >> counts; rm starting/$$; echo ready; exec sleep 1000"],
                "policy": {"initialDelay": "1ms", "jitter": {"kind": "none"}},
                "workingDirectory": ".", "ready": {"kind": "line", "pattern": "^ready$"})"
            + keys + "}";
    }
    const Parsed<Configuration> parsed =
        parseConfiguration("{" + governor + "\"agents\": [" + agents + "]}", m_folder.path());
    if (!parsed)
        qFatal("%s", qPrintable(parsed.messages().join(u'\n')));
    return *parsed.value;
}

void GovernedHostTest::startsNoMoreProgramsThanPermitted()
{
    constexpr int count = 12;
    QVERIFY(QDir(m_folder.path()).mkdir(QStringLiteral("starting")));
    AgentHost host;
    host.setLicense(std::make_unique<FixedLicenseProvider>(LicenseTier::Enterprise));
    QVERIFY(
        host.addAll(configuration(R"("governor": {"maxStarting": 2, "rate": "10000/s"},)", count))
            .isEmpty());
    AgentSupervisor &supervisor = host.supervisor();
    int ready = 0;
    QList<QUuid> waited;
    (void)host.useMetrics();
    const auto isExported = [&host] {
        const QByteArray queued = QByteArray::number(host.startGate().governor().queuedCount());
        const QByteArray line = "\ngovernor_queued_starts " + queued + '\n';
        return host.metrics()->text().contains(line);
    };
    QVERIFY(isExported());
    connect(&supervisor, &AgentSupervisor::agentReady, this, [&] { ++ready; });
    connect(&supervisor, &AgentSupervisor::startHeld, this, [&](const StartHeld &event) {
        waited.append(event.instanceId);
        QVERIFY(isExported());
    });
    host.startAll();
    QTRY_COMPARE_WITH_TIMEOUT(ready, count, 60'000);
    // On a slow machine, the first programs are ready before the last ones are to start.
    QVERIFY(!waited.isEmpty() && waited.size() <= count - 2);
    for (const QUuid &id : supervisor.ids())
        QCOMPARE(::kill(static_cast<pid_t>(supervisor.snapshot(id)->processId), SIGKILL), 0);
    QTRY_COMPARE_WITH_TIMEOUT(ready, 2 * count, 60'000);
    QCOMPARE(host.startGate().governor().startingCount(), 0);
    QVERIFY(isExported());

    QFile file(m_folder.filePath(QStringLiteral("counts")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> counts = file.readAll().simplified().split(' ');
    QCOMPARE(counts.size(), 2 * count);
    for (const QByteArray &each : counts)
        QVERIFY2(each.toInt() >= 1 && each.toInt() <= 2, each.constData());
}

void GovernedHostTest::reloadChangesLimitsAndPriorities()
{
    AgentHost host;
    host.setLicense(std::make_unique<FixedLicenseProvider>(LicenseTier::Enterprise));
    QVERIFY(host.addAll(configuration({}, 1)).isEmpty());
    QVERIFY(!host.startGate().limits());
    const QUuid id = host.supervisor().ids().value(0);
    const ConfiguredAgents::Result result = host.agents().apply(
        configuration(R"("governor": {"maxStarting": 3},)", 1, R"(, "priority": 7)"));
    QVERIFY(result);
    QCOMPARE(host.startGate().limits()->maxStarting, 3);
    QCOMPARE(host.startGate().priority(id), 7);
    QCOMPARE(result.changes.changed.size(), 1);
    QVERIFY(!result.changes.changed.at(0).isRestarted);
    QVERIFY(host.agents().apply(configuration({}, 1)));
    QVERIFY(!host.startGate().limits());
    QCOMPARE(host.startGate().priority(id), 0);
}

REKINDLE_TEST(GovernedHostTest)
#include "governedhosttest.moc"
