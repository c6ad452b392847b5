// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "virtualhost.h"
#include "scriptedagent.h"
#include "stage.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

/// A host in virtual time.
class VirtualHostTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void restartsAgentWithoutRealTime();
    void usesItsSourceOfRandomNumbers();
    void readsChangedLicenseAgain();
    void agentsWithManualStartCanBeStarted();
};

namespace {

/// A license whose file is read by reload().
class FileLicense final : public LicenseProvider
{
public:
    explicit FileLicense(QString path)
        : m_path(std::move(path))
    {
    }

    [[nodiscard]] LicenseStatus status() const override { return {}; }
    [[nodiscard]] QStringList files() const override { return {m_path}; }
    void reload() override { ++reloads; }

    int reloads = 0;

private:
    const QString m_path;
};

std::unique_ptr<ScriptedAgent> failingAgent(Scheduler &scheduler)
{
    return std::make_unique<ScriptedAgent>(scheduler,
                                           AgentScript{.runs = QStringLiteral("started fail")});
}

} // namespace

void VirtualHostTest::restartsAgentWithoutRealTime()
{
    VirtualHost stage;
    AgentSupervisor &supervisor = stage.host.supervisor();
    const auto added = supervisor.add(
        QStringLiteral("a"), failingAgent(stage.scheduler),
        policyOf(QStringLiteral("'initialDelay':'1h','maxDelay':'1h','maxRetries':2")));
    QVERIFY(added);
    QSignalSpy started(&supervisor, &AgentSupervisor::agentStarted);
    stage.host.startAll();
    stage.advance(0s);
    QCOMPARE(started.count(), 1);
    stage.advance(1h);
    QCOMPARE(started.count(), 2);
    stage.advance(1h);
    QCOMPARE(started.count(), 3);
    QCOMPARE(supervisor.policyEvaluator().state(added.id), InstanceState::Exhausted);
    QVERIFY(!stage.host.canAgentsBeStarted());
}

void VirtualHostTest::usesItsSourceOfRandomNumbers()
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    int draws = 0;
    AgentHost host(scheduler, [&draws](const QUuid &) {
        ++draws;
        return 0.5;
    });
    host.setLicense(std::make_unique<FixedLicenseProvider>(LicenseTier::Enterprise));
    const auto added = host.supervisor().add(QStringLiteral("a"), failingAgent(scheduler),
                                             policyOf(QStringLiteral("'jitter':{'kind':'full'}")));
    QVERIFY(added);
    host.startAll();
    scheduler.advance(1s);
    QCoreApplication::sendPostedEvents();
    QVERIFY(draws > 0);
}

void VirtualHostTest::readsChangedLicenseAgain()
{
    VirtualHost stage;
    stage.write("license", "1");
    auto license = std::make_unique<FileLicense>(stage.path("license"));
    const FileLicense *const provider = license.get();
    stage.host.setLicense(std::move(license));
    stage.host.watchLicense();
    QCOMPARE(provider->reloads, 1);
    stage.write("license", "22");
    QVERIFY(stage.waitFor([&] { return provider->reloads == 2; }));
}

void VirtualHostTest::agentsWithManualStartCanBeStarted()
{
    VirtualHost stage;
    AgentSupervisor &supervisor = stage.host.supervisor();
    const auto added =
        supervisor.add(QStringLiteral("a"), failingAgent(stage.scheduler), policyOf({}));
    QVERIFY(added);
    QVERIFY(!stage.host.canAgentsBeStarted());
    supervisor.setManualStart(added.id);
    QVERIFY(stage.host.canAgentsBeStarted());
}

REKINDLE_TEST(VirtualHostTest)
#include "virtualhosttest.moc"
