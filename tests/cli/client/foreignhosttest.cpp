// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/uniquefd_p.h"
#include "cli/client/hostaddress_p.h"
#include "cli/commandrun.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/control/controlclient.h>
#include <rekindle/control/controlserver.h>
#include <rekindle/control/eventarchive.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <QLocalServer>
#include <QLocalSocket>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <vector>

using namespace Rekindle;

namespace {

const QByteArray protocol0 = R"({"jsonrpc":"2.0","id":1,"error":{"code":-32011,"message":"this )"
                             R"(host supports protocol 0 only","data":{"supported":[0]}}})"
                             "\n";
const QByteArray protocol2 = R"({"jsonrpc":"2.0","id":1,"result":{"protocol":2,"features":[]}})"
                             "\n";

class LossyArchive final : public EventArchive
{
public:
    void read(const Position & /*position*/, Done /*done*/) override {}
    [[nodiscard]] quint64 droppedRows() const override { return 3; }
    [[nodiscard]] QString writeFailure() const override { return QStringLiteral("disk full"); }
};

} // namespace

/// The commands with hosts of another version, with hosts that this test provides, and with servers
/// that are no hosts.
class ForeignHostTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachCommandReportsOtherProtocols_data();
    void eachCommandReportsOtherProtocols();
    void hostsReportsOtherProtocols_data() { addOtherProtocols(); }
    void hostsReportsOtherProtocols();
    void controlMcpReportsOtherProtocols_data() { addOtherProtocols(); }
    void controlMcpReportsOtherProtocols();
    void reportsServerThatIsNoHost_data();
    void reportsServerThatIsNoHost();
    void reportsFullConnectionQueue();
    void knowsProcessOfHostThatDoesNotRespond();
    void statusReportsDroppedRows();

private:
    // Runs a command while a server at the path sends this response to the first line.
    void runWith(const QString &path, const QByteArray &response, CommandRun &run,
                 const QByteArray &input = {})
    {
        QLocalServer server;
        connect(&server, &QLocalServer::newConnection, &server, [&] {
            QLocalSocket *const client = server.nextPendingConnection();
            connect(client, &QLocalSocket::readyRead, client, [client, response] {
                client->readAll();
                client->write(response);
                if (response.isEmpty())
                    client->disconnectFromServer();
            });
        });
        QVERIFY(server.listen(path));
        QVERIFY(run.begin());
        run.write(input);
        run.closeWriteChannel();
        QVERIFY(waitUntil([&run] { return run.state() == QProcess::NotRunning; }));
    }
    // The exit code of a command for such a server.
    int codeWith(const QByteArray &response, const QStringList &arguments)
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("host.sock"));
        CommandRun run(arguments + words("--host", path));
        runWith(path, response, run);
        m_error = run.error();
        return run.exitCode();
    }

    static void addOtherProtocols()
    {
        const Rows<QByteArray, QByteArray> row("response", "message");
        row("0", protocol0, "protocol 0");
        row("2", protocol2, "protocol 2");
    }

    QByteArray m_error;
};

void ForeignHostTest::eachCommandReportsOtherProtocols_data()
{
    const Rows<QStringList> row("arguments");
    for (const char *line :
         {"status", "events", "logs a", "explain a", "wait a --for ready", "start a", "stop a",
          "restart a", "retry a", "reset a", "isolate a", "release a", "reload", "top", "down"})
        row(line, QString::fromLatin1(line).split(u' '));
}

void ForeignHostTest::eachCommandReportsOtherProtocols()
{
    QFETCH(const QStringList, arguments);
    QCOMPARE(codeWith(protocol0, arguments), 76);
    VERIFY_CONTAINS(m_error, "protocol 0");
    QCOMPARE(codeWith(protocol2, arguments), 76);
    VERIFY_CONTAINS(m_error, "protocol 2");
}

// It lists the other hosts.
void ForeignHostTest::hostsReportsOtherProtocols()
{
    QFETCH(const QByteArray, response);
    QFETCH(const QByteArray, message);
    const QString folder = ControlClient::defaultFolder();
    QVERIFY(QDir().mkpath(QFileInfo(folder).path()));
    ::mkdir(QFile::encodeName(folder).constData(), S_IRWXU);
    const QString name = QStringLiteral("foreign-%1").arg(QCoreApplication::applicationPid());
    CommandRun run(words("hosts", "--json"));
    runWith(ControlClient::socketPath(name), response, run);
    QCOMPARE(run.exitCode(), 0);
    VERIFY_CONTAINS(run.error(), name.toUtf8());
    VERIFY_CONTAINS(run.error(), message);
    QVERIFY(!run.output().contains(name.toUtf8()));
}

void ForeignHostTest::controlMcpReportsOtherProtocols()
{
    QFETCH(const QByteArray, response);
    QFETCH(const QByteArray, message);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("host.sock"));
    CommandRun run(words("control-mcp", "--host", path));
    runWith(path, response, run,
            R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":)"
            R"({"protocolVersion":"2025-11-25"}})"
            "\n"
            R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_agents"}})"
            "\n");
    QCOMPARE(run.exitCode(), 0);
    VERIFY_CONTAINS(run.output(), R"("isError":true)");
    VERIFY_CONTAINS(run.output(), message);
}

void ForeignHostTest::reportsServerThatIsNoHost_data()
{
    const Rows<QByteArray> row("response");
    row("other program", "SSH-2.0-OpenSSH_9.2\r\n");
    row("JSON", "{}\n");
    row("closes", {});
}

void ForeignHostTest::reportsServerThatIsNoHost()
{
    QFETCH(const QByteArray, response);
    QCOMPARE(codeWith(response, words("status")), 69);
    QVERIFY2(!m_error.isEmpty(), m_error.constData());
}

// A host that hangs accepts no connections. The kernel queues some of them.
void ForeignHostTest::reportsFullConnectionQueue()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("host.sock"));
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    qstrncpy(address.sun_path, QFile::encodeName(path).constData(), sizeof address.sun_path);
    const auto *const name = reinterpret_cast<const sockaddr *>(&address);
    const auto newSocket = [] {
        return UniqueFd(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    };
    const UniqueFd server = newSocket();
    QCOMPARE(::bind(server.get(), name, sizeof address), 0);
    QCOMPARE(::listen(server.get(), 0), 0);
    std::vector<UniqueFd> clients;
    do {
        clients.push_back(newSocket());
        QVERIFY(clients.size() < 100);
    } while (::connect(clients.back().get(), name, sizeof address) == 0);
    QCOMPARE(errno, EAGAIN);
    for (const char *command : {"control-stdio", "status"}) {
        CompletedRun run(words(command, "--host", path), 75);
        VERIFY_CONTAINS(run.error(), "the connection queue of the host is full");
    }
}

void ForeignHostTest::knowsProcessOfHostThatDoesNotRespond()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("host.sock"));
    QCOMPARE(processTextOf(path), QString());
    QLocalServer server;
    QVERIFY(server.listen(path));
    QCOMPARE(processTextOf(path),
             QStringLiteral(" (process %1)").arg(QCoreApplication::applicationPid()));
    QCOMPARE(processTextOf(QStringLiteral("ssh://machine/")), QString());
}

void ForeignHostTest::statusReportsDroppedRows()
{
    const QTemporaryDir folder;
    TimerScheduler scheduler;
    AgentSupervisor supervisor(scheduler);
    LossyArchive archive;
    ControlServer server(supervisor, {.socketName = QStringLiteral("a"), .folder = folder.path()});
    QCOMPARE(server.listen(), QString());
    const auto outputOf = [&] {
        CommandRun status(words("status", "--host", server.socketPath()));
        return status.begin()
                && waitUntil([&status] { return status.state() == QProcess::NotRunning; })
            ? status.output()
            : QByteArray();
    };
    const QByteArray before = outputOf();
    QVERIFY(before.startsWith("AGENT"));
    server.setArchive(&archive);
    QCOMPARE(outputOf(),
             before
                 + "\nthe telemetry store cannot be written: disk full\n"
                   "\nthe telemetry store has dropped 3 rows; `rekindle history` is incomplete\n");
}

REKINDLE_TEST(ForeignHostTest)
#include "foreignhosttest.moc"
