// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "virtualhost.h"

#include <rekindle/control/controlserver.h>
#include <rekindle/host/hostconfiguration.h>

using namespace Rekindle;

/// Files in real folders, in virtual time.
class HostConfigurationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void reloadsWhenItsFileChanges();
    void reloadsWhenAnEnvironmentFileChanges();
    void dryRunChangesNothing();
    void faultChangesNothing();
    void refusesMissingProgramOfRunningAgent();
    void refusesWhileTheHostStops();
    void loadsWithFunctionOfTheHost();
    void changeRestartsAgentThatWatchesIt();
    void ownFilesRestartNothing();
    void warnsAboutPoliciesAboveTheTier();

private:
    /// Writes a configuration, and adds its agents.
    [[nodiscard]] QList<Fault> begin(const QByteArray &agents);
    [[nodiscard]] bool has(const char *agent) const
    {
        return !m_stage->host.supervisor().idOf(QString::fromUtf8(agent)).isNull();
    }

    /// Starts the agents. Returns the reasons of later restarts.
    [[nodiscard]] const QStringList &startAndRecord();

    QStringList m_reasons;
    std::unique_ptr<VirtualHost> m_stage;
    HostConfiguration *m_file = nullptr;
};

namespace {

QByteArray agentText(const QByteArray &name, const QByteArray &more = R"("start": "manual")")
{
    return R"({"name": ")" + name
        + R"(", "kind": "process", "program": "sleep", "arguments": ["3600"], )" + more + '}';
}

QByteArray agentsText(const QByteArray &agents) { return R"({"agents": [)" + agents + "]}"; }

} // namespace

void HostConfigurationTest::init()
{
    m_stage = std::make_unique<VirtualHost>();
    m_file = &m_stage->host.useConfiguration({.path = m_stage->path("agents.json")});
}

QList<Fault> HostConfigurationTest::begin(const QByteArray &agents)
{
    m_stage->write("agents.json", agentsText(agents));
    const Parsed<Configuration> read = m_file->load();
    if (!read)
        return read.faults;
    m_file->watch(*read.value);
    return m_stage->host.addAll(*read.value);
}

const QStringList &HostConfigurationTest::startAndRecord()
{
    m_reasons.clear();
    connect(&m_stage->host.supervisor().policyEvaluator(),
            &RestartPolicyEvaluator::restartRequested, this,
            [this](const RestartRequested &event) { m_reasons.append(event.reason); });
    m_stage->host.startAll();
    m_stage->advance(Duration::zero());
    return m_reasons;
}

void HostConfigurationTest::reloadsWhenItsFileChanges()
{
    QCOMPARE(begin(agentText("a")), QList<Fault>());
    QSignalSpy reloading(m_file, &HostConfiguration::reloading);
    QStringList added;
    connect(m_file, &HostConfiguration::applied, this,
            [&](const Configuration &, const ConfigurationChanges &changes) {
                added += changes.added;
            });
    m_stage->write("agents.json", agentsText(agentText("a") + ", " + agentText("b")));
    QVERIFY(m_stage->waitFor([&] { return has("b"); }));
    QCOMPARE(reloading.count(), 1);
    QVERIFY(reloading[0][0].toString().endsWith(QLatin1String("agents.json changed")));
    QCOMPARE(added, QStringList(QStringLiteral("b")));
}

void HostConfigurationTest::reloadsWhenAnEnvironmentFileChanges()
{
    m_stage->write("a.env", "A=1\n");
    QCOMPARE(begin(agentText("a", R"("start": "manual", "environmentFiles": ["a.env"])")),
             QList<Fault>());
    QSignalSpy reloaded(m_file, &HostConfiguration::reloaded);
    m_stage->write("a.env", "A=22\n");
    QVERIFY(m_stage->waitFor([&] { return reloaded.count() == 1; }));
}

void HostConfigurationTest::dryRunChangesNothing()
{
    QCOMPARE(begin(agentText("a")), QList<Fault>());
    QSignalSpy reloading(m_file, &HostConfiguration::reloading);
    m_stage->write("agents.json", agentsText(agentText("b")));
    const ReloadableConfiguration::Result result = m_file->reload(true);
    QCOMPARE(result.changes.added, QStringList(QStringLiteral("b")));
    QCOMPARE(result.changes.removed, QStringList(QStringLiteral("a")));
    QVERIFY(has("a") && !has("b"));
    QCOMPARE(reloading.count(), 0);
}

void HostConfigurationTest::faultChangesNothing()
{
    QCOMPARE(begin(agentText("a")), QList<Fault>());
    QSignalSpy applied(m_file, &HostConfiguration::applied);
    QSignalSpy reloaded(m_file, &HostConfiguration::reloaded);
    m_stage->write("agents.json", "{}");
    QVERIFY(hasErrors(m_file->reload(false).faults));
    QCOMPARE(applied.count(), 0);
    QCOMPARE(reloaded.count(), 1);
    QVERIFY(has("a"));
}

void HostConfigurationTest::refusesMissingProgramOfRunningAgent()
{
    QCOMPARE(begin(agentText("a", R"("policy": "immediate")")), QList<Fault>());
    m_stage->host.startAll();
    m_stage->advance(Duration::zero());
    m_stage->write("agents.json",
                   agentsText(R"({"name": "a", "kind": "process", "program": "./missing"})"));
    const ReloadableConfiguration::Result result = m_file->reload(false);
    QVERIFY(hasErrors(result.faults));
    QVERIFY(result.changes.changed.isEmpty());
}

void HostConfigurationTest::refusesWhileTheHostStops()
{
    QCOMPARE(begin(agentText("a")), QList<Fault>());
    QVERIFY(!m_stage->host.isStopping());
    m_stage->host.stopAll();
    QVERIFY(m_stage->host.isStopping());
    QCOMPARE(m_file->reload(false).refusal, QStringLiteral("the host is stopping its agents"));
}

void HostConfigurationTest::loadsWithFunctionOfTheHost()
{
    VirtualHost stage;
    HostConfiguration &file = stage.host.useConfiguration(
        {.path = QStringLiteral("x"), .load = [](const QString &path) {
             Parsed<Configuration> parsed =
                 parseConfiguration(agentsText(agentText("a")), QStringLiteral("/"), path);
             parsed.faults.append({QStringLiteral("/agents"), QStringLiteral("not today")});
             return parsed;
         }});
    QVERIFY(file.load());
    const ReloadableConfiguration::Result result = file.reload(false);
    QCOMPARE(result.faults.size(), 1);
    QVERIFY(stage.host.supervisor().ids().isEmpty());
}

void HostConfigurationTest::changeRestartsAgentThatWatchesIt()
{
    m_stage->write("x", "1");
    QCOMPARE(begin(agentText("a", R"("watch": ["x"])")), QList<Fault>());
    const QStringList &reasons = startAndRecord();
    m_stage->write("x", "22");
    QVERIFY(m_stage->waitFor([&] { return !reasons.isEmpty(); }));
    QVERIFY(reasons[0].endsWith(QLatin1String("x changed")));
    // A reload without the key ends the watch.
    m_stage->write("agents.json", agentsText(agentText("a", R"("policy": "immediate")")));
    QVERIFY(!hasErrors(m_file->reload(false).faults));
    m_stage->write("x", "333");
    m_stage->write("agents.json", agentsText(agentText("a") + ", " + agentText("b")));
    QVERIFY(m_stage->waitFor([&] { return has("b"); }));
    QCOMPARE(reasons.size(), 1);
}

void HostConfigurationTest::ownFilesRestartNothing()
{
    m_stage->host.ignoreFiles({m_stage->path("own.log")});
    QCOMPARE(begin(agentText("a", R"("watch": ["*.log"])")), QList<Fault>());
    const QStringList &reasons = startAndRecord();
    m_stage->write("own.log", "1");
    m_stage->write("other.log", "1");
    QVERIFY(m_stage->waitFor([&] { return !reasons.isEmpty(); }));
    QCOMPARE(reasons.size(), 1);
    QVERIFY(reasons[0].endsWith(QLatin1String("/other.log changed")));
}

void HostConfigurationTest::warnsAboutPoliciesAboveTheTier()
{
    VirtualHost stage(LicenseTier::Core);
    const Parsed<Configuration> parsed =
        parseConfiguration(agentsText(agentText("a", R"("policy": "none")") + ", "
                                      + agentText("b", R"("policy": {"type": "linear"})")),
                           QStringLiteral("/"));
    QVERIFY(parsed);
    const QList<Fault> faults = stage.host.addAll(*parsed.value);
    QCOMPARE(faults.size(), 1);
    QVERIFY(!faults[0].isError());
    QCOMPARE(faults[0].path, QStringLiteral("/agents/1/policy"));
    QCOMPARE(faults[0].message,
             QStringLiteral("license tier Core does not permit linear restarts; restarts are "
                            "disabled"));
    QCOMPARE(stage.host.supervisor().ids().size(), 2);
    const QUuid first = stage.host.supervisor().idOf(QStringLiteral("a"));
    QCOMPARE(stage.host.tierWarning(first), QString());
}

REKINDLE_TEST(HostConfigurationTest)
#include "hostconfigurationtest.moc"
