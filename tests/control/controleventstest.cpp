// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "instantagent.h"
#include "scriptedarchive.h"
#include "socketclient.h"
#include "testprogram.h"

#include <rekindle/control/controlserver.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <QTemporaryDir>
#include <QTest>

using namespace Rekindle;
using namespace std::chrono_literals;

/// events.subscribe and agents.wait through a real socket.
class ControlEventsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void sendsEventsAfterTheResponse();
    void selectsNoEventWithAnEmptyListOfTypes();
    void selectsAgentThatWasRemoved();
    void continuesFromCursor();
    void returnsSnapshotWithCursor();
    void rejectsInvalidSubscriptions_data();
    void rejectsInvalidSubscriptions();
    void reportsCursorThatIsGone();
    void sendsOneGapToClientThatDoesNotRead();
    void sendsLongEventsWithoutFurtherEvents();
    void sendsEventsToClientThatClosedItsDirection();
    void sendsLastEventsBeforeBye();
    void forgetsClientThatDisconnects();
    void continuesFromArchive();
    void listsRowsThatArchiveHasDropped();
    void beginsWithOldestEventOfArchive();
    void reportsCursorThatArchiveDoesNotHave();
    void beginsInMemoryIfArchiveFails();
    void cancelsSubscriptionThatWaitsForArchive();
    void secondSubscriptionReplacesThePendingOne();
    void waitsForStates();
    void respondsAtOnceIfStateIsReached();
    void waitTimesOut();
    void runningAgentIsNotStableBeforeItsTime();
    void cancelsWait();
    void waitEndsWhenAgentIsRemoved();
    void waitEndsWhenAgentCannotBeReady();
    void waitEndsWhenAgentIsIsolated();
    void rejectsInvalidWaits_data();
    void rejectsInvalidWaits();

private:
    QUuid add(const char *name, const RestartPolicy &policy = {})
    {
        return m_supervisor->add(QLatin1String(name), std::make_unique<InstantAgent>(), policy).id;
    }
    [[nodiscard]] std::unique_ptr<SocketClient> connected() const
    {
        auto client = std::make_unique<SocketClient>(m_server->socketPath());
        client->hello();
        static_cast<void>(client->line());
        return client;
    }
    static QString typeOf(const QJsonObject &message)
    {
        return message[QLatin1String("params")][QLatin1String("event")][QLatin1String("type")]
            .toString();
    }
    static QString cursorOf(const QJsonObject &message)
    {
        return message[QLatin1String("params")][QLatin1String("cursor")].toString();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TimerScheduler> m_scheduler;
    std::unique_ptr<AgentSupervisor> m_supervisor;
    std::unique_ptr<ControlServer> m_server;
    FixedLicenseProvider m_license{LicenseTier::Enterprise};
};

void ControlEventsTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_scheduler = std::make_unique<TimerScheduler>();
    m_supervisor = std::make_unique<AgentSupervisor>(*m_scheduler);
    m_supervisor->featureGate().setProvider(&m_license);
    m_server = std::make_unique<ControlServer>(
        *m_supervisor,
        ControlServerOptions{.socketName = QStringLiteral("e"), .folder = m_folder->path()});
    QCOMPARE(m_server->listen(), QString());
}

void ControlEventsTest::cleanup()
{
    m_server.reset();
    m_supervisor.reset();
    m_scheduler.reset();
}

void ControlEventsTest::sendsEventsAfterTheResponse()
{
    const QUuid id = add("a");
    const QUuid other = add("b");
    m_supervisor->startAll();
    const auto client = connected();
    client->request(1, "events.subscribe",
                    "{\"from\":\"now\",\"types\":[\"agent.stopped\"],\"agents\":[\"a\"]}");
    const QString now = client->result()[QLatin1String("cursor")].toString();
    client->request(2, "agents.list");
    QCOMPARE(client->result()[QLatin1String("cursor")], now);
    m_supervisor->stop(other);
    m_supervisor->stop(id);
    const QJsonObject event = client->message();
    QCOMPARE(event[QLatin1String("method")], QStringLiteral("event"));
    QCOMPARE(typeOf(event), QStringLiteral("rekindle.agent.stopped.v1"));
    QCOMPARE(event[QLatin1String("params")][QLatin1String("event")][QLatin1String("subject")],
             QStringLiteral("agent/a"));
}

void ControlEventsTest::selectsNoEventWithAnEmptyListOfTypes()
{
    const QUuid id = add("a");
    m_supervisor->start(id);
    QTRY_COMPARE(m_supervisor->snapshot(id)->state, InstanceState::Running);
    const auto client = connected();
    client->request(1, "events.subscribe", R"({"from":"recent","types":[],"until":"now"})");
    QVERIFY(client->result().isObject());
    QCOMPARE(client->message()[QLatin1String("method")], QStringLiteral("events.end"));
}

void ControlEventsTest::selectsAgentThatWasRemoved()
{
    const QUuid id = add("old");
    add("a");
    m_supervisor->startAll();
    QTRY_COMPARE(m_supervisor->snapshot(id)->state, InstanceState::Running);
    m_supervisor->stop(id);
    QTRY_COMPARE(m_supervisor->snapshot(id)->state, InstanceState::Stopped);
    m_supervisor->remove(id);
    const auto client = connected();
    client->request(1, "events.subscribe",
                    R"({"from":"recent","agents":["old"],"types":["agent.stopped"]})");
    QVERIFY(client->result().isObject());
    const QJsonObject event = client->message();
    QCOMPARE(event[QLatin1String("params")][QLatin1String("event")][QLatin1String("subject")],
             QStringLiteral("agent/old"));
    client->request(2, "events.subscribe", R"({"from":"now","agents":["old","odd"]})");
    QCOMPARE(client->error()[QLatin1String("message")], QStringLiteral("no agent named odd"));
    client->request(3, "events.subscribe", R"({"from":"now","agents":["old","a","a"]})");
    QCOMPARE(client->error()[QLatin1String("message")],
             QStringLiteral("params: /agents: a is repeated"));
    client->request(4, "logs.read", R"({"agent":"old"})");
    const QJsonObject error = client->error();
    QCOMPARE(error[QLatin1String("message")], QStringLiteral("no agent named old: it was removed"));
    QCOMPARE(error[QLatin1String("data")][QLatin1String("removed")], QStringLiteral("old"));
}

void ControlEventsTest::continuesFromCursor()
{
    const QUuid id = add("a");
    m_supervisor->start(id);
    const auto first = connected();
    first->request(1, "events.subscribe", "{\"from\":\"oldest\"}");
    const QString run = first->result()[QLatin1String("cursor")].toString().section(u':', 0, 0);
    const QJsonObject started = first->message();
    QCOMPARE(typeOf(started), QStringLiteral("rekindle.agent.started.v1"));
    QCOMPARE(cursorOf(started), run + QStringLiteral(":1"));
    first->closeAll();

    const auto second = connected();
    second->request(1, "events.subscribe",
                    "{\"until\":\"now\",\"from\":\"" + cursorOf(started).toUtf8() + "\"}");
    QCOMPARE(second->result()[QLatin1String("cursor")], cursorOf(started));
    const QJsonObject ready = second->message();
    QCOMPARE(typeOf(ready), QStringLiteral("rekindle.agent.ready.v1"));
    QJsonObject last = second->message();
    while (last[QLatin1String("method")] == QLatin1String("event"))
        last = second->message();
    QCOMPARE(last[QLatin1String("method")], QStringLiteral("events.end"));
}

void ControlEventsTest::returnsSnapshotWithCursor()
{
    const QUuid id = add("a");
    m_supervisor->start(id);
    const auto client = connected();
    client->request(1, "events.subscribe", "{\"from\":\"now\",\"snapshot\":true}");
    const QJsonValue result = client->result();
    QCOMPARE(result[QLatin1String("snapshot")][0][QLatin1String("state")],
             QStringLiteral("Running"));
    m_supervisor->stop(id);
    // Nothing is lost or duplicated between the snapshot and the first event.
    QCOMPARE(typeOf(client->message()), QStringLiteral("rekindle.agent.stopped.v1"));
}

void ControlEventsTest::rejectsInvalidSubscriptions_data()
{
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const char *params, const char *message) {
        QTest::newRow(name) << QByteArray(params) << QString::fromLatin1(message);
    };
    row("no position", "{}", "from");
    row("malformed cursor", "{\"from\":\"yesterday\"}",
        "expected \"now\", \"recent\", \"oldest\" or a cursor up to ");
    row("unknown type", "{\"from\":\"now\",\"types\":[\"agent.redy\"]}", "agent.ready");
    row("unknown agent", "{\"from\":\"now\",\"agents\":[\"x\"]}", "no agent named x");
    row("unknown parameter", "{\"from\":\"now\",\"filter\":1}", "filter");
    row("unknown end", "{\"from\":\"now\",\"until\":\"then\"}", "until");
}

void ControlEventsTest::rejectsInvalidSubscriptions()
{
    QFETCH(QByteArray, params);
    QFETCH(QString, message);
    const auto client = connected();
    client->request(1, "events.subscribe", params);
    const QString found = client->error()[QLatin1String("message")].toString();
    QVERIFY2(found.contains(message), qPrintable(found));
}

void ControlEventsTest::reportsCursorThatIsGone()
{
    const auto client = connected();
    client->request(1, "events.subscribe", "{\"from\":\"another-run:7\"}");
    const QJsonObject error = client->error();
    QCOMPARE(error[QLatin1String("code")], -32007);
    const QString oldest = error[QLatin1String("data")][QLatin1String("oldest")].toString();
    client->request(2, "events.subscribe", "{\"from\":\"" + oldest.toUtf8() + "\"}");
    QCOMPARE(client->result()[QLatin1String("cursor")], oldest);
}

void ControlEventsTest::sendsOneGapToClientThatDoesNotRead()
{
    constexpr int count = 100'000;
    const QUuid id = add("a");
    const auto sleeper = connected();
    sleeper->request(1, "events.subscribe", "{\"from\":\"now\"}");
    static_cast<void>(sleeper->line());
    for (int i = 0; i < count; ++i) {
        m_supervisor->policyEvaluator().announce(id, AgentOutput());
        if (i % 1000 == 0)
            QCoreApplication::processEvents();
    }
    int gaps = 0;
    qint64 received = 0;
    qint64 dropped = 0;
    while (received + dropped < count) {
        const QJsonObject message = sleeper->message();
        const QJsonValue params = message[QLatin1String("params")];
        if (message[QLatin1String("method")] == QLatin1String("events.gap")) {
            ++gaps;
            dropped += params[QLatin1String("count")].toInteger();
        } else {
            QCOMPARE(message[QLatin1String("method")], QStringLiteral("event"));
            ++received;
            QCOMPARE(cursorOf(message).section(u':', 1).toLongLong(), received + dropped);
        }
    }
    QCOMPARE(gaps, 1);
    QVERIFY(dropped > 0);
    QCOMPARE(received + dropped, count);
}

void ControlEventsTest::sendsLongEventsWithoutFurtherEvents()
{
    const QUuid id = add("a");
    AgentOutput output;
    output.line = QString(4096, u'x');
    for (int i = 0; i < 1000; ++i)
        m_supervisor->policyEvaluator().announce(id, output);
    const auto client = connected();
    client->request(1, "events.subscribe", "{\"from\":\"oldest\"}");
    static_cast<void>(client->line());
    for (int i = 1; i <= 1000; ++i)
        QCOMPARE(cursorOf(client->message()).section(u':', 1).toInt(), i);
}

void ControlEventsTest::sendsEventsToClientThatClosedItsDirection()
{
    const QUuid id = add("a");
    const auto client = connected();
    client->request(1, "events.subscribe", "{\"from\":\"now\"}");
    client->closeWriting();
    static_cast<void>(client->line());
    QCoreApplication::processEvents();
    m_supervisor->start(id);
    QCOMPARE(typeOf(client->message()), QStringLiteral("rekindle.agent.started.v1"));
}

void ControlEventsTest::sendsLastEventsBeforeBye()
{
    const QUuid id = add("a");
    const auto client = connected();
    client->request(1, "events.subscribe", "{\"from\":\"now\"}");
    static_cast<void>(client->line());
    m_supervisor->policyEvaluator().announce(id, AgentOutput());
    m_server.reset();
    QCOMPARE(typeOf(client->message()), QStringLiteral("rekindle.agent.output.v1"));
    QCOMPARE(client->message()[QLatin1String("method")], QStringLiteral("bye"));
}

void ControlEventsTest::forgetsClientThatDisconnects()
{
    const QUuid id = add("a");
    const auto client = connected();
    client->request(1, "events.subscribe", "{\"from\":\"now\"}");
    client->request(2, "agents.wait", "{\"agents\":[\"a\"],\"for\":\"ready\"}");
    static_cast<void>(client->line());
    client->closeAll();
    QTRY_COMPARE(m_server->clientCount(), 0);
    m_supervisor->start(id);
    QCoreApplication::processEvents();
    const auto other = connected();
    other->request(1, "events.subscribe", "{\"from\":\"oldest\"}");
    static_cast<void>(other->line());
    QCOMPARE(typeOf(other->message()), QStringLiteral("rekindle.agent.started.v1"));
}

void ControlEventsTest::continuesFromArchive()
{
    m_supervisor->start(add("a"));
    ScriptedArchive archive;
    m_server->setArchive(&archive);
    SocketClient client(m_server->socketPath());
    client.hello();
    QVERIFY(client.result()[QLatin1String("features")].toArray().contains(QStringLiteral("store")));
    client.request(1, "events.subscribe", R"({"from":"old:7","until":"now","snapshot":true})");
    client.request(2, "agents.list");
    QCOMPARE(client.message()[QLatin1String("id")], 2); // the response to 1 follows later
    QCOMPARE(archive.requested().text(), QStringLiteral("old:7"));
    archive.respond({.events = events("old", {8, 9}), .next = 3});
    const QJsonValue result = client.result();
    QCOMPARE(result[QLatin1String("cursor")], QStringLiteral("old:7"));
    QCOMPARE(result[QLatin1String("snapshot")].toArray().size(), 1);
    QCOMPARE(cursorOf(client.message()), QStringLiteral("old:8"));
    QCOMPARE(cursorOf(client.message()), QStringLiteral("old:9"));
    QTRY_COMPARE(archive.reads, 2);
    archive.respond({.isLast = true, .isComplete = true});
    const QString run = m_supervisor->policyEvaluator().run();
    QCOMPARE(cursorOf(client.message()), QString(run + QLatin1String(":1")));
    QCOMPARE(cursorOf(client.message()), QString(run + QLatin1String(":2")));
    QCOMPARE(client.message()[QLatin1String("method")], QStringLiteral("events.end"));
}

void ControlEventsTest::listsRowsThatArchiveHasDropped()
{
    const auto client = connected();
    client->request(1, "agents.list");
    QVERIFY(client->result()[QLatin1String("store")].isNull());
    ScriptedArchive archive;
    archive.dropped = 7;
    m_server->setArchive(&archive);
    client->request(2, "agents.list");
    QCOMPARE(client->result()[QLatin1String("store")],
             QJsonValue(QJsonObject{{QStringLiteral("droppedRows"), 7}}));
}

void ControlEventsTest::beginsWithOldestEventOfArchive()
{
    ScriptedArchive archive;
    m_server->setArchive(&archive);
    const auto client = connected();
    client->request(1, "events.subscribe", R"({"from":"recent"})");
    QVERIFY(client->result().isObject());
    QCOMPARE(archive.reads, 0);
    client->request(2, "events.subscribe", R"({"from":"oldest"})");
    QTRY_COMPARE(archive.reads, 1);
    archive.respond({.events = gap("old", 3, 2) + events("old", {5}), .isLast = true});
    QCOMPARE(client->result()[QLatin1String("cursor")], QStringLiteral("old:2"));
    const QJsonObject missing = client->message();
    QCOMPARE(missing[QLatin1String("method")], QStringLiteral("events.gap"));
    QCOMPARE(missing[QLatin1String("params")][QLatin1String("to")], QStringLiteral("old:4"));
    QCOMPARE(cursorOf(client->message()), QStringLiteral("old:5"));
}

void ControlEventsTest::reportsCursorThatArchiveDoesNotHave()
{
    ScriptedArchive archive;
    m_server->setArchive(&archive);
    const auto client = connected();
    client->request(1, "events.subscribe", R"({"from":"other:7"})");
    QTRY_COMPARE(archive.reads, 1);
    archive.respond({.events = events("old", {5}), .isLast = true, .isGone = true});
    QJsonObject error = client->error();
    QCOMPARE(error[QLatin1String("code")], -32007);
    QCOMPARE(error[QLatin1String("data")][QLatin1String("oldest")], QStringLiteral("old:4"));
    client->request(2, "events.subscribe", R"({"from":"old:4"})");
    QTRY_COMPARE(archive.reads, 2);
    archive.respond({.error = QStringLiteral("no disk")});
    error = client->error();
    QCOMPARE(error[QLatin1String("code")], -32007);
    QVERIFY(error[QLatin1String("message")].toString().contains(QLatin1String("no disk")));
    QCOMPARE(error[QLatin1String("data")][QLatin1String("oldest")],
             QString(m_supervisor->policyEvaluator().run() + QLatin1String(":0")));
}

void ControlEventsTest::beginsInMemoryIfArchiveFails()
{
    m_supervisor->start(add("a"));
    ScriptedArchive archive;
    m_server->setArchive(&archive);
    const auto client = connected();
    client->request(1, "events.subscribe", R"({"from":"oldest"})");
    QTRY_COMPARE(archive.reads, 1);
    archive.respond({.error = QStringLiteral("no disk")});
    QVERIFY(client->result().isObject());
    QCOMPARE(typeOf(client->message()), QStringLiteral("rekindle.agent.started.v1"));
}

void ControlEventsTest::cancelsSubscriptionThatWaitsForArchive()
{
    ScriptedArchive archive;
    m_server->setArchive(&archive);
    const auto client = connected();
    client->request(1, "events.subscribe", R"({"from":"oldest"})");
    client->send("{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel\",\"params\":{\"id\":1}}\n");
    QCOMPARE(client->error()[QLatin1String("code")], -32012);
    archive.respond({.events = events("old", {5}), .isLast = true});
    client->request(1, "agents.list");
    QVERIFY(client->result()[QLatin1String("agents")].isArray());

    const auto other = connected();
    other->request(1, "events.subscribe", R"({"from":"oldest"})");
    QTRY_COMPARE(archive.reads, 2);
    other->closeAll();
    QTRY_COMPARE(m_server->clientCount(), 1);
    archive.respond({.events = events("old", {5}), .isLast = true});
}

void ControlEventsTest::secondSubscriptionReplacesThePendingOne()
{
    const QUuid id = add("a");
    ScriptedArchive archive;
    m_server->setArchive(&archive);
    const auto client = connected();
    client->request(1, "events.subscribe", R"({"from":"oldest"})");
    client->request(2, "events.subscribe", R"({"from":"now"})");
    const QJsonObject replaced = client->message();
    QCOMPARE(replaced[QLatin1String("id")], 1);
    QCOMPARE(replaced[QLatin1String("error")][QLatin1String("code")], -32012);
    QVERIFY(client->result().isObject());
    archive.respond({.events = events("old", {5}), .isLast = true});
    m_supervisor->start(id);
    QCOMPARE(typeOf(client->message()), QStringLiteral("rekindle.agent.started.v1"));
}

void ControlEventsTest::waitsForStates()
{
    const QUuid a = add("a", {.stableAfter = 1ms});
    const QUuid b = add("b", {.stableAfter = 1ms});
    const auto client = connected();
    client->request(1, "agents.wait", "{\"agents\":[\"a\",\"b\"],\"for\":\"ready\"}");
    client->request(2, "agents.list");
    QCOMPARE(client->message()[QLatin1String("id")], 2); // the response to 1 follows later
    m_supervisor->start(a);
    client->request(3, "agents.list");
    QCOMPARE(client->message()[QLatin1String("id")], 3);
    m_supervisor->start(b);
    const QJsonObject ready = client->message();
    QCOMPARE(ready[QLatin1String("id")], 1);
    const QJsonValue agents = ready[QLatin1String("result")][QLatin1String("agents")];
    QCOMPARE(agents.toArray().size(), 2);
    QCOMPARE(agents[0][QLatin1String("state")], QStringLiteral("Running"));

    client->request(4, "agents.wait", "{\"agents\":[\"b\",\"a\"],\"for\":\"stable\"}");
    QCOMPARE(client->message()[QLatin1String("id")], 4);
    client->request(5, "agents.wait", "{\"agents\":[\"a\"],\"for\":\"stopped\"}");
    client->request(6, "agents.list");
    QCOMPARE(client->message()[QLatin1String("id")], 6);
    m_supervisor->stop(a);
    QCOMPARE(client->message()[QLatin1String("id")], 5);
}

void ControlEventsTest::respondsAtOnceIfStateIsReached()
{
    const QUuid id = add("a", {.stableAfter = 0ms});
    const auto client = connected();
    client->request(1, "agents.wait", "{\"agents\":[\"a\"],\"for\":\"stopped\"}");
    QCOMPARE(client->message()[QLatin1String("id")], 1);
    m_supervisor->start(id);
    int request = 1;
    for (const char *state : {"ready", "stable", "idle"}) {
        client->request(++request, "agents.wait",
                        QByteArray("{\"agents\":[\"a\"],\"timeout\":0,\"for\":\"") + state + "\"}");
        const QJsonObject message = client->message();
        QCOMPARE(message[QLatin1String("id")], request);
        QVERIFY2(message.contains(QLatin1String("result")), state);
    }
}

void ControlEventsTest::waitTimesOut()
{
    add("a");
    const auto client = connected();
    client->request(1, "agents.wait", "{\"agents\":[\"a\"],\"for\":\"ready\",\"timeout\":10}");
    const QJsonObject error = client->error();
    QCOMPARE(error[QLatin1String("code")], -32010);
    QCOMPARE(error[QLatin1String("message")],
             QStringLiteral("not reached within 10ms: a (Stopped)"));
}

void ControlEventsTest::runningAgentIsNotStableBeforeItsTime()
{
    m_supervisor->start(add("a", {.stableAfter = 1h}));
    const auto client = connected();
    client->request(1, "agents.wait", "{\"agents\":[\"a\"],\"for\":\"ready\"}");
    QCOMPARE(client->message()[QLatin1String("id")], 1);
    client->request(2, "agents.wait", "{\"agents\":[\"a\"],\"for\":\"stable\",\"timeout\":0}");
    QCOMPARE(client->error()[QLatin1String("code")], -32010);
}

void ControlEventsTest::cancelsWait()
{
    const QUuid id = add("a");
    const auto client = connected();
    client->request(1, "agents.wait", "{\"agents\":[\"a\"],\"for\":\"ready\"}");
    client->send("{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel\",\"params\":{\"id\":1}}\n");
    QCOMPARE(client->error()[QLatin1String("code")], -32012);
    // The canceled wait must not respond to another request with the same id.
    client->request(1, "agents.wait", "{\"agents\":[\"a\"],\"for\":\"stable\"}");
    client->request(2, "agents.list");
    QCOMPARE(client->message()[QLatin1String("id")], 2);
    m_supervisor->start(id);
    client->request(3, "agents.list");
    QCOMPARE(client->message()[QLatin1String("id")], 3);
}

void ControlEventsTest::waitEndsWhenAgentIsRemoved()
{
    const QUuid id = add("a");
    const auto client = connected();
    client->request(1, "agents.wait", "{\"agents\":[\"a\"],\"for\":\"ready\"}");
    client->request(2, "agents.list");
    QCOMPARE(client->message()[QLatin1String("id")], 2);
    m_supervisor->remove(id);
    QCOMPARE(client->error()[QLatin1String("message")], QStringLiteral("a was removed"));
}

void ControlEventsTest::waitEndsWhenAgentCannotBeReady()
{
    const QUuid id = add("a", {.type = RestartPolicyType::None});
    const auto client = connected();
    client->request(1, "agents.wait", R"({"agents":["a"],"for":"stable"})");
    m_supervisor->start(id);
    QTRY_VERIFY(m_supervisor->policyEvaluator().state(id) == InstanceState::Running);
    Q_EMIT m_supervisor->agent(id)->failed(FailureReason::ProcessCrash,
                                           {.message = QStringLiteral("exit code 3")});
    const QString message = QStringLiteral("a: failed (ProcessCrash: exit code 3); to start it: "
                                           "rekindle start a");
    const QJsonObject error = client->error();
    QCOMPARE(error[QLatin1String("code")], -32004);
    QCOMPARE(error[QLatin1String("message")], message);
    client->request(2, "agents.wait", R"({"agents":["a"],"for":"ready"})");
    QCOMPARE(client->error()[QLatin1String("message")], message);
    client->request(3, "agents.wait", R"({"agents":["a"],"for":"stopped"})");
    QVERIFY(client->message().contains(QLatin1String("result")));
    // Another start would end in the same way.
    const QUuid other = add("b");
    client->request(4, "agents.wait", R"({"agents":["b"],"for":"stable"})");
    m_supervisor->start(other);
    QTRY_VERIFY(m_supervisor->policyEvaluator().state(other) == InstanceState::Running);
    Q_EMIT m_supervisor->agent(other)->stopped();
    QCOMPARE(client->error()[QLatin1String("message")], QStringLiteral("b: finished"));
}

void ControlEventsTest::waitEndsWhenAgentIsIsolated()
{
    const QUuid id = add("a", {.circuitBreaker = CircuitBreakerPolicy{.threshold = 1}});
    m_supervisor->start(id);
    const auto client = connected();
    client->request(1, "agents.wait", R"({"agents":["a"],"for":"ready"})");
    QVERIFY(client->message().contains(QLatin1String("result")));
    client->request(2, "agents.wait", R"({"agents":["a"],"for":"stable"})");
    Q_EMIT m_supervisor->agent(id)->failed(FailureReason::ProcessCrash,
                                           {.message = QStringLiteral("exit code 3")});
    QTRY_VERIFY(m_supervisor->policyEvaluator().state(id) == InstanceState::CircuitOpen);
    client->request(3, "breaker.isolate", R"({"agent":"a"})");
    QSet<int> ids;
    for (int i = 0; i < 2; ++i) {
        const QJsonObject message = client->message();
        ids.insert(message[QLatin1String("id")].toInt());
        if (message[QLatin1String("id")] == 2)
            QCOMPARE(message[QLatin1String("error")][QLatin1String("message")],
                     QStringLiteral("a: isolated (ProcessCrash: exit code 3); to release it: "
                                    "rekindle release a"));
    }
    QCOMPARE(ids, QSet<int>({2, 3}));
    client->request(4, "agents.wait", R"({"agents":["a"],"for":"ready"})");
    QCOMPARE(client->error()[QLatin1String("code")], -32004);
    for (const char *state : {"stopped", "idle"}) {
        client->request(5, "agents.wait", QByteArray(R"({"agents":["a"],"for":")") + state + "\"}");
        QVERIFY2(client->message().contains(QLatin1String("result")), state);
    }
}

void ControlEventsTest::rejectsInvalidWaits_data()
{
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const char *params, const char *message) {
        QTest::newRow(name) << QByteArray(params) << QString::fromLatin1(message);
    };
    row("no agents", "{\"for\":\"ready\"}", "agents");
    row("empty agents", "{\"agents\":[],\"for\":\"ready\"}", "expected at least one agent");
    row("no state", "{\"agents\":[\"a\"]}", "for");
    row("unknown state", "{\"agents\":[\"a\"],\"for\":\"readi\"}", "\"ready\"");
    row("unknown agent", "{\"agents\":[\"x\"],\"for\":\"ready\"}", "no agent named x");
    row("negative timeout", "{\"agents\":[\"a\"],\"for\":\"ready\",\"timeout\":-1}", "timeout");
}

void ControlEventsTest::rejectsInvalidWaits()
{
    QFETCH(QByteArray, params);
    QFETCH(QString, message);
    add("a");
    const auto client = connected();
    client->request(1, "agents.wait", params);
    const QString found = client->error()[QLatin1String("message")].toString();
    QVERIFY2(found.contains(message), qPrintable(found));
}

REKINDLE_TEST(ControlEventsTest)
#include "controleventstest.moc"
