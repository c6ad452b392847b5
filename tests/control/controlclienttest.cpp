// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/uniquefd_p.h"
#include "control/socket/socketaddress_p.h"
#include "instantagent.h"
#include "testprogram.h"

#include <rekindle/control/controlclient.h>
#include <rekindle/control/controlserver.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/socket.h>

#include <cerrno>
#include <sys/socket.h>
#include <thread>
#include <vector>

using namespace Rekindle;
using Cause = ControlClient::Cause;

class ControlClientTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void waitsForPlaceInQueue();
    void init();
    void cleanup();
    void receivesResultsAndErrors();
    void operatesAgentsAndBreakers();
    void receivesNotifications();
    void receivesLargeResults();
    void reportsThatNoHostListens();
    void reportsRefusedHello_data();
    void reportsRefusedHello();
    void reportsLostConnection();
    void cancelsRequestsOfDestroyedClient();
    void listsRunningHosts();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TimerScheduler> m_scheduler;
    std::unique_ptr<AgentSupervisor> m_supervisor;
    std::unique_ptr<ControlServer> m_server;
    FixedLicenseProvider m_license{LicenseTier::Enterprise};
};

void ControlClientTest::init()
{
    qRegisterMetaType<Rekindle::ControlClient::Cause>();
    m_folder = std::make_unique<QTemporaryDir>();
    m_scheduler = std::make_unique<TimerScheduler>();
    m_supervisor = std::make_unique<AgentSupervisor>(*m_scheduler);
    m_supervisor->featureGate().setProvider(&m_license);
    m_server = std::make_unique<ControlServer>(
        *m_supervisor,
        ControlServerOptions{.socketName = QStringLiteral("b"), .folder = m_folder->path()});
    QCOMPARE(m_server->listen(), QString());
}

void ControlClientTest::cleanup()
{
    m_server.reset();
    m_supervisor.reset();
    m_scheduler.reset();
}

void ControlClientTest::receivesResultsAndErrors()
{
    static_cast<void>(m_supervisor->add(QStringLiteral("a"), std::make_unique<InstantAgent>()));
    ControlClient client;
    const QSignalSpy opened(&client, &ControlClient::opened);
    client.open(m_server->socketPath());
    QTRY_COMPARE(opened.count(), 1);
    QCOMPARE(client.host().processId, QCoreApplication::applicationPid());
    QCOMPARE(client.host().features, QStringList(QStringLiteral("logs")));

    const auto listed = client.listAgents({QStringLiteral("a")});
    QTRY_VERIFY(listed.isFinished());
    QVERIFY(listed.result());
    QCOMPARE(listed.result().value.agents.value(0).agent, QStringLiteral("a"));
    const auto agent = client.agent(QStringLiteral("a"));
    QTRY_VERIFY(agent.isFinished());
    QCOMPARE(agent.result().value.state, toText(InstanceState::Stopped));

    const auto explained = client.explain(QStringLiteral("a"));
    QTRY_VERIFY(explained.isFinished());
    QCOMPARE(explained.result().value.toText({}),
             QStringLiteral("a: no decision since the host started\n\n"
                            "now: Stopped; no start until an operator starts it\n"));
    const auto unexplained = client.explain(QStringLiteral("b"));
    QTRY_VERIFY(unexplained.isFinished());
    QVERIFY(!unexplained.result());
    QCOMPARE(unexplained.result().value.toText({}), QString());

    const auto refused = client.agent(QStringLiteral("b"));
    QTRY_VERIFY(refused.isFinished());
    const std::optional<ControlError> error = refused.result().error;
    QVERIFY(error);
    QCOMPARE(error->code, ControlError::Code::UnknownAgent);
    QCOMPARE(error->data, QByteArray(R"({"candidates":["a"]})"));
}

void ControlClientTest::operatesAgentsAndBreakers()
{
    static_cast<void>(m_supervisor->add(QStringLiteral("a"), std::make_unique<InstantAgent>()));
    ControlClient client;
    const QSignalSpy opened(&client, &ControlClient::opened);
    client.open(m_server->socketPath());
    QTRY_COMPARE(opened.count(), 1);
    const auto start = client.operate(ControlOperation::Start, QStringLiteral("a"));
    const auto reset = client.operate(ControlOperation::ResetBreaker, QStringLiteral("a"));
    const auto refused = client.operate(ControlOperation::Stop, QStringLiteral("b"));
    QTRY_VERIFY(refused.isFinished());
    QCOMPARE(start.result().value.agent, QStringLiteral("a"));
    QVERIFY(start.result().value.isAccepted);
    QVERIFY(!reset.result().value.isAccepted);
    QCOMPARE(reset.result().value.noEffect, QStringLiteral("the circuit breaker is closed"));
    QCOMPARE(refused.result().error->code, ControlError::Code::UnknownAgent);
}

void ControlClientTest::receivesNotifications()
{
    auto added = std::make_unique<InstantAgent>();
    InstantAgent *const agent = added.get();
    const QUuid id = m_supervisor->add(QStringLiteral("a"), std::move(added)).id;
    ControlClient client;
    QStringList received;
    connect(&client, &ControlClient::opened, this, [&] {
        client.subscribe({}).then([&](const ControlResult<QString> &cursor) {
            received.append(cursor.value);
            RestartRequested event;
            event.reason = QStringLiteral("one");
            m_supervisor->policyEvaluator().announce(id, event);
        });
        client.readLines(QStringLiteral("a"), 10, true)
            .then([&](const ControlResult<QList<OutputLine>> &) {
                Q_EMIT agent->output(AgentOutput::Stream::Error, "two");
            });
    });
    connect(&client, &ControlClient::eventReceived, this, [&](const ControlEvent &event) {
        const std::optional<LifecycleEvent> read = event.event();
        QVERIFY(read);
        received.append(event.type + u' ' + event.agent + u' '
                        + std::get<RestartRequested>(*read).reason);
    });
    connect(&client, &ControlClient::lineReceived, this, [&](const OutputLine &line) {
        received.append(line.stream + u' ' + line.agent + u' ' + line.text);
    });
    client.open(m_server->socketPath());
    QTRY_COMPARE(received.size(), 3);
    QCOMPARE(received[1], QStringLiteral("restart.requested a one"));
    QCOMPARE(received[2], QStringLiteral("stderr a two"));
}

// Larger than the buffer of the socket and than the limit of unread output.
void ControlClientTest::receivesLargeResults()
{
    constexpr int agents = 8000;
    for (int i = 0; i < agents; ++i) {
        static_cast<void>(m_supervisor->add(QString::number(i), std::make_unique<InstantAgent>()));
    }
    ControlClient client;
    qsizetype count = 0;
    connect(&client, &ControlClient::opened, this, [&] {
        client.listAgents().then(
            [&](const ControlResult<HostStatus> &result) { count = result.value.agents.size(); });
    });
    client.open(m_server->socketPath());
    QTRY_COMPARE_WITH_TIMEOUT(count, agents, 60'000);
}

void ControlClientTest::reportsThatNoHostListens()
{
    for (const QString &path :
         {m_folder->filePath(QStringLiteral("none.sock")), QString(200, u'x')}) {
        ControlClient client;
        const QSignalSpy failed(&client, &ControlClient::failed);
        client.open(path);
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed[0][0].value<Cause>(), Cause::NoHost);
    }
}

void ControlClientTest::reportsRefusedHello_data()
{
    QTest::addColumn<QByteArray>("response");
    QTest::addColumn<Cause>("cause");
    const auto row = [](const char *name, int code, Cause cause) {
        QTest::newRow(name) << "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":"
                + QByteArray::number(code) + ",\"message\":\"no\"}}\n"
                            << cause;
    };
    row("protocol", -32011, Cause::UnsupportedProtocol);
    row("other user", -32003, Cause::NoPermission);
    row("too many clients", -32006, Cause::Busy);
    row("other error", -32603, Cause::ConnectionLost);
    QTest::newRow("not JSON") << QByteArray("hello\n") << Cause::ConnectionLost;
    QTest::newRow("nothing") << QByteArray() << Cause::ConnectionLost;
}

void ControlClientTest::reportsRefusedHello()
{
    QFETCH(QByteArray, response);
    QFETCH(Cause, cause);
    const QString path = m_folder->filePath(QStringLiteral("fake.sock"));
    const auto address = SocketAddress::of(path);
    const UniqueFd fake(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    QCOMPARE(::bind(fake.get(), address->get(), address->size()), 0);
    QCOMPARE(::listen(fake.get(), 1), 0);
    ControlClient client;
    const QSignalSpy failed(&client, &ControlClient::failed);
    client.open(path);
    QCoreApplication::processEvents();
    {
        const UniqueFd connection(::accept(fake.get(), nullptr, nullptr));
        QCOMPARE(::send(connection.get(), response.constData(),
                        static_cast<size_t>(response.size()), MSG_NOSIGNAL),
                 response.size());
    }
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(failed[0][0].value<Cause>(), cause);
}

void ControlClientTest::reportsLostConnection()
{
    ControlClient client;
    const QSignalSpy opened(&client, &ControlClient::opened);
    const QSignalSpy failed(&client, &ControlClient::failed);
    const QSignalSpy closing(&client, &ControlClient::closing);
    client.open(m_server->socketPath());
    QTRY_COMPARE(opened.count(), 1);
    // Each request has a reply.
    const auto pending = client.listAgents();
    m_server.reset();
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(pending.result().error->code, ControlError::Code::NotConnected);
    QCOMPARE(failed[0][0].value<Cause>(), Cause::ConnectionLost);
    QCOMPARE(closing.count(), 1);
    const auto later = client.listAgents();
    QVERIFY(later.isFinished());
    QCOMPARE(later.result().error->code, ControlError::Code::NotConnected);
}

// Qt 6.4 fails if the context of a continuation is destroyed first; there is none.
void ControlClientTest::cancelsRequestsOfDestroyedClient()
{
    auto client = std::make_unique<ControlClient>();
    const QSignalSpy opened(client.get(), &ControlClient::opened);
    client->open(m_server->socketPath());
    QTRY_COMPARE(opened.count(), 1);
    bool isCalled = false;
    const auto pending = client->listAgents().then(
        [&isCalled](const ControlResult<HostStatus> &) { isCalled = true; });
    client.reset();
    QVERIFY(pending.isCanceled());
    QVERIFY(!isCalled);
}

void ControlClientTest::listsRunningHosts()
{
    ControlServer other(*m_supervisor,
                        {.socketName = QStringLiteral("a"), .folder = m_folder->path()});
    QCOMPARE(other.listen(), QString());
    // A host that was killed leaves its socket.
    const QString killed = m_folder->filePath(QStringLiteral("c-1234abcd.sock"));
    const QString lock = killed + QLatin1String(".lock");
    QVERIFY(QFile(lock).open(QIODevice::WriteOnly));
    {
        const UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const auto address = SocketAddress::of(killed);
        QCOMPARE(::bind(socket.get(), address->get(), address->size()), 0);
    }
    QCOMPARE(ControlClient::runningHosts(m_folder->path()),
             (QStringList{other.socketPath(), m_server->socketPath()}));
    QVERIFY(!QFileInfo::exists(lock));
    QVERIFY(!QDir(m_folder->path()).entryList(QDir::System).contains(QFileInfo(killed).fileName()));
    QCOMPARE(ControlClient::runningHosts(m_folder->filePath(QStringLiteral("none"))),
             QStringList());
}

// The thread accepts one connection after the other.
void ControlClientTest::waitsForPlaceInQueue()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("full.sock"));
    const auto address = SocketAddress::of(path);
    const UniqueFd server(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    QCOMPARE(::bind(server.get(), address->get(), address->size()), 0);
    QCOMPARE(::listen(server.get(), 0), 0);
    std::vector<UniqueFd> queue;
    do {
        queue.emplace_back(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    } while (::connect(queue.back().get(), address->get(), address->size()) == 0);
    QCOMPARE(errno, EAGAIN);
    std::thread host([&] {
        while (UniqueFd(::accept(server.get(), nullptr, nullptr)).isOpen()) {
        }
    });
    const UniqueFd client(ControlClient::connectedSocket(path).socket);
    ::shutdown(server.get(), SHUT_RDWR);
    host.join();
    QVERIFY(client.isOpen());
}

REKINDLE_TEST(ControlClientTest)
#include "controlclienttest.moc"
