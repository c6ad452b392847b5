// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fulllicense.h"
#include "processes.h"
#include "quickscene.h"
#include "testprogram.h"
#include "waituntil.h"

#include <rekindle/lifecycle/agentsnapshot.h>
#include <rekindle/process/processagent.h>

#include <QRegularExpression>

using namespace Rekindle;

/// The QML type Process, with real processes.
class QuickProcessTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void crashedProcessIsRestarted();
    void objectRemovesItsAgent();
    void newObjectWithTheSameNameWaitsForTheLastProcess();
    void supervisorMayBeDestroyedFirst();
    void autoStartMayBeOff();
    void changedPropertiesApplyToTheNextStart();
    void faultsAreWarnings_data();
    void faultsAreWarnings();

private:
    [[nodiscard]] QUuid id() const { return m_supervisor->idOf(QStringLiteral("web")); }
    [[nodiscard]] pid_t process() const
    {
        const Agent *const agent = m_supervisor->agent(id());
        return agent != nullptr ? static_cast<pid_t>(agent->processId()) : 0;
    }
    [[nodiscard]] bool waitForProcess() const
    {
        return waitUntil([this] { return process() > 0; });
    }

    std::unique_ptr<AgentSupervisor> m_supervisor;
};

void QuickProcessTest::init()
{
    m_supervisor = std::make_unique<AgentSupervisor>();
    grantAll(*m_supervisor);
}

void QuickProcessTest::crashedProcessIsRestarted()
{
    QuickScene scene(m_supervisor.get());
    QVERIFY2(scene.load(R"(Process {
        host: supervisor; name: "web"; program: "/bin/sh"
        arguments: ["-c", "test \"$ONE\" = 1 && exec sleep 1000"]
        environment: ({ ONE: 1, HOME: null })
        workingDirectory: "/"
        policy: ({ maxRetries: 3, initialDelay: "1ms", jitter: { kind: "none" } })
    })"),
             qPrintable(scene.error));
    QVERIFY(waitForProcess());
    QCOMPARE(m_supervisor->requestedPolicy(id()).maxRetries, 3);
    const pid_t first = process();
    const auto *const agent = qobject_cast<ProcessAgent *>(m_supervisor->agent(id()));
    QCOMPARE(agent->definition().workingDirectory, QStringLiteral("/"));
    QCOMPARE(agent->definition().environment.value(QStringLiteral("HOME"), QString()),
             std::nullopt);
    ::kill(first, SIGSEGV);
    QVERIFY(waitUntil([&] { return process() > 0 && process() != first; }));
    QCOMPARE(m_supervisor->snapshot(id())->generation, 2U);
}

void QuickProcessTest::objectRemovesItsAgent()
{
    QuickScene scene(m_supervisor.get());
    QVERIFY2(scene.load("Process { host: supervisor; name: \"web\"; program: \"/bin/sleep\"\n"
                        "arguments: [1000] }"),
             qPrintable(scene.error));
    QVERIFY(waitForProcess());
    const pid_t running = process();
    scene.root.reset();
    QVERIFY(m_supervisor->isRetired(id()));
    QVERIFY(waitUntil([&] { return m_supervisor->ids().isEmpty(); }));
    QVERIFY(waitUntil([&] { return !isLiving(running); }));
}

void QuickProcessTest::newObjectWithTheSameNameWaitsForTheLastProcess()
{
    QuickScene scene(m_supervisor.get());
    QVERIFY2(scene.load(R"(Loader {
        sourceComponent: Item {
            Process { host: supervisor; name: "web"; program: "/bin/sleep"; arguments: [1000] }
        }
    })"),
             qPrintable(scene.error));
    QVERIFY(waitForProcess());
    const pid_t running = process();
    scene.evaluate("active = false");
    QVERIFY(waitUntil([&] { return m_supervisor->isRetired(id()) || id().isNull(); }));
    scene.evaluate("active = true");
    QVERIFY(waitUntil([&] { return process() > 0 && process() != running; }));
    QVERIFY(!m_supervisor->isRetired(id()));
    QVERIFY(!isLiving(running));
}

void QuickProcessTest::supervisorMayBeDestroyedFirst()
{
    QuickScene scene(m_supervisor.get());
    QVERIFY2(scene.load("Process { host: supervisor; name: \"web\"; program: \"/bin/sleep\"\n"
                        "arguments: [1000] }"),
             qPrintable(scene.error));
    QVERIFY(waitForProcess());
    const pid_t running = process();
    m_supervisor.reset();
    scene.evaluate("program = \"/bin/true\"");
    scene.root.reset();
    QVERIFY(waitUntil([&] { return !isLiving(running); }));
}

void QuickProcessTest::autoStartMayBeOff()
{
    QuickScene scene(m_supervisor.get());
    QVERIFY2(scene.load("Process { host: supervisor; name: \"web\"; program: \"/bin/sleep\"\n"
                        "arguments: [1000]; autoStart: false }"),
             qPrintable(scene.error));
    QVERIFY(m_supervisor->hasManualStart(id()));
    QCOMPARE(m_supervisor->snapshot(id())->state, InstanceState::Stopped);
    scene.evaluate("supervisor.start(name)");
    QVERIFY(waitForProcess());
}

void QuickProcessTest::changedPropertiesApplyToTheNextStart()
{
    QuickScene scene(m_supervisor.get());
    QVERIFY2(scene.load("Process { host: supervisor; name: \"web\"; program: \"/bin/sleep\"\n"
                        "arguments: [1000] }"),
             qPrintable(scene.error));
    QVERIFY(waitForProcess());
    const QUuid first = id();
    scene.evaluate("arguments = [2000]; policy = ({ maxRetries: 5 })");
    QCOMPARE(id(), first);
    QCOMPARE(m_supervisor->requestedPolicy(first).maxRetries, 5);
    const auto *const agent = qobject_cast<ProcessAgent *>(m_supervisor->agent(first));
    QCOMPARE(agent->definition().arguments, QStringList{QStringLiteral("2000")});
    scene.evaluate("name = \"api\"");
    QVERIFY(!m_supervisor->idOf(QStringLiteral("api")).isNull());
    QVERIFY(m_supervisor->isRetired(first));
}

void QuickProcessTest::faultsAreWarnings_data()
{
    QTest::addColumn<QByteArray>("properties");
    QTest::addColumn<QString>("warning");
    QTest::newRow("key") << QByteArray("policy: ({ maxRetry: 3 })")
                         << "/maxRetry: .*did you mean \"maxRetries\"";
    QTest::newRow("range") << QByteArray("policy: ({ maxRetries: -3 })")
                           << "/maxRetries: expected .*, found -3";
    QTest::newRow("environment") << QByteArray("environment: ({ C: [1] })")
                                 << "/environment/C: expected a text";
    QTest::newRow("name") << QByteArray("name: \"\"") << "name";
}

void QuickProcessTest::faultsAreWarnings()
{
    QFETCH(QByteArray, properties);
    QFETCH(QString, warning);
    QuickScene scene(m_supervisor.get());
    if (!properties.startsWith("name"))
        properties += "; name: \"web\"";
    else
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("was not added")));
    QTest::ignoreMessage(
        QtWarningMsg,
        QRegularExpression(QStringLiteral("scene.qml:3:2: QML Process: .*") + warning));
    QVERIFY2(scene.load("Item {\n Process { host: supervisor; program: \"/bin/true\"; " + properties
                        + "} }"),
             qPrintable(scene.error));
    QVERIFY(m_supervisor->ids().isEmpty());
}

REKINDLE_TEST(QuickProcessTest)
#include "quickprocesstest.moc"
