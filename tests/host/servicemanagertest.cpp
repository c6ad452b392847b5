// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "scriptedagent.h"
#include "servicemanagersocket.h"
#include "stage.h"
#include "testprogram.h"
#include "virtualhost.h"

#include <rekindle/host/hostconfiguration.h>

using namespace Rekindle;
using namespace std::chrono_literals;

/// The messages of a host in virtual time to the service manager. Those of `up` and `run` are in
/// servicenotifiertest.
class ServiceManagerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void reportsReadinessAndStop();
    void reportsStatusOncePerSecond();
    void reportsReload();
    void sendsSignsOfLife();
    void doesNothingWithoutServiceManager();

private:
    void add(const QString &runs);

    std::unique_ptr<ServiceManagerSocket> m_manager;
    std::unique_ptr<VirtualHost> m_stage;
};

void ServiceManagerTest::init()
{
    m_manager = std::make_unique<ServiceManagerSocket>();
    qputenv("NOTIFY_SOCKET", QFile::encodeName(m_manager->path()));
    m_stage = std::make_unique<VirtualHost>();
}

void ServiceManagerTest::cleanup()
{
    for (const char *const each : {"NOTIFY_SOCKET", "WATCHDOG_USEC"})
        qunsetenv(each);
}

void ServiceManagerTest::add(const QString &runs)
{
    const auto added = m_stage->host.supervisor().add(
        QStringLiteral("a"),
        std::make_unique<ScriptedAgent>(m_stage->scheduler, AgentScript{.runs = runs}),
        policyOf(QStringLiteral("'initialDelay':'1m'")));
    QVERIFY(added);
}

void ServiceManagerTest::reportsReadinessAndStop()
{
    add(QStringLiteral("started +5s ready"));
    m_stage->host.startAll();
    m_stage->host.useServiceManager();
    m_stage->advance(4s);
    QVERIFY(!m_manager->hasReceived("READY=1"));
    m_stage->advance(2s);
    QVERIFY(m_manager->hasReceived("READY=1\nSTATUS=1 of 1 agent running\n"));
    m_stage->host.stopAll();
    m_stage->advance(1s);
    QVERIFY(m_manager->hasReceived("STOPPING=1\nSTATUS=stopping 1 agent\n"));
    QCOMPARE(m_manager->count("READY=1"), 1);
}

void ServiceManagerTest::reportsStatusOncePerSecond()
{
    add(QStringLiteral("started ready +100ms fail"));
    m_stage->host.startAll();
    m_stage->host.useServiceManager();
    m_stage->advance(0s);
    m_stage->advance(500ms);
    QVERIFY(m_manager->hasReceived("READY=1"));
    QVERIFY(!m_manager->hasReceived("not running: a (Waiting)"));
    m_stage->advance(1s);
    QVERIFY(m_manager->hasReceived("STATUS=0 of 1 agent running; not running: a (Waiting)\n"));
}

void ServiceManagerTest::reportsReload()
{
    m_stage->write("agents.json", "{}");
    HostConfiguration &file =
        m_stage->host.useConfiguration({.path = m_stage->path("agents.json")});
    m_stage->host.useServiceManager();
    m_stage->advance(0s);
    QVERIFY(m_manager->hasReceived("READY=1\nSTATUS=0 of 0 agents running\n"));
    file.reloadNow(QStringLiteral("test"));
    QVERIFY(m_manager->hasReceived("RELOADING=1\nMONOTONIC_USEC="));
    QCOMPARE(m_manager->count("READY=1"), 2);
}

void ServiceManagerTest::sendsSignsOfLife()
{
    qputenv("WATCHDOG_USEC", "20000000");
    m_stage->host.useServiceManager();
    m_stage->advance(35s);
    QVERIFY(m_manager->hasReceived("WATCHDOG=1"));
    QCOMPARE(m_manager->count("WATCHDOG=1"), 4);
}

void ServiceManagerTest::doesNothingWithoutServiceManager()
{
    qunsetenv("NOTIFY_SOCKET");
    const std::size_t before = m_stage->scheduler.armedCount();
    m_stage->host.useServiceManager();
    QCOMPARE(m_stage->scheduler.armedCount(), before);
    m_stage->advance(1s);
    QVERIFY(!m_manager->hasReceived("READY=1"));
}

REKINDLE_TEST(ServiceManagerTest)
#include "servicemanagertest.moc"
