// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/uniquefd_p.h"
#include "cli/commandrun.h"
#include "testprogram.h"

#include <QLocalServer>
#include <QLocalSocket>
#include <QTemporaryDir>
#include <QTest>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <vector>

using namespace Rekindle;

/// The commands with hosts of another version, and with servers that are no hosts.
class ForeignHostTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachCommandReportsOtherProtocols_data();
    void eachCommandReportsOtherProtocols();
    void reportsServerThatIsNoHost_data();
    void reportsServerThatIsNoHost();
    void reportsFullConnectionQueue();

private:
    // The exit code of a command whose server sends this response to the first line.
    int codeWith(const QByteArray &response, const QStringList &arguments)
    {
        QTemporaryDir folder;
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
        const QString path = folder.filePath(QStringLiteral("host.sock"));
        if (!server.listen(path))
            return -2;
        CommandRun run(arguments + words("--host", path));
        if (!run.begin() || !waitUntil([&run] { return run.state() == QProcess::NotRunning; }))
            return -3;
        m_error = run.error();
        return run.exitCode();
    }

    QByteArray m_error;
};

void ForeignHostTest::eachCommandReportsOtherProtocols_data()
{
    QTest::addColumn<QStringList>("arguments");
    for (const char *line :
         {"status", "events", "logs a", "explain a", "wait a --for ready", "start a", "stop a",
          "restart a", "retry a", "reset a", "isolate a", "release a", "reload", "down"})
        QTest::newRow(line) << QString::fromLatin1(line).split(u' ');
}

void ForeignHostTest::eachCommandReportsOtherProtocols()
{
    QFETCH(const QStringList, arguments);
    QCOMPARE(codeWith(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32011,"message":"this host )"
                      R"(supports protocol 0 only","data":{"supported":[0]}}})"
                      "\n",
                      arguments),
             76);
    VERIFY_CONTAINS(m_error, "protocol 0");
    QCOMPARE(codeWith(R"({"jsonrpc":"2.0","id":1,"result":{"protocol":2,"features":[]}})"
                      "\n",
                      arguments),
             76);
    VERIFY_CONTAINS(m_error, "protocol 2");
}

void ForeignHostTest::reportsServerThatIsNoHost_data()
{
    QTest::addColumn<QByteArray>("response");
    QTest::newRow("other program") << QByteArray("SSH-2.0-OpenSSH_9.2\r\n");
    QTest::newRow("JSON") << QByteArray("{}\n");
    QTest::newRow("closes") << QByteArray();
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

REKINDLE_TEST(ForeignHostTest)
#include "foreignhosttest.moc"
