// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/uniquefd_p.h"
#include "cli/commandrun.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/control/controlclient.h>

#include <QLocalServer>
#include <QLocalSocket>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <vector>

using namespace Rekindle;

/// The choice of a host, and hosts that refuse a command, with a real `up`.
class HostChoiceTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void listsSeveralHosts();
    void skipsHostThatExits();
    void downNamesTheHost();
    void namesOwnerOfHostOfAnotherUser_data();
    void namesOwnerOfHostOfAnotherUser();
    void idleClientsLeavePlaces();
    void startsNothingWhileHostStops();

private:
    [[nodiscard]] QString configurationOf(const char *name) const
    {
        return writeFile(m_folder.path(), QLatin1String(name) + QLatin1String(".json"),
                         R"({"agents": [{"name": "a", "kind": "process", "program": "sh",
                             "arguments": ["-c", "trap '' TERM; echo up; while :; do sleep 1000; done"],
                             "policy": {"stopTimeout": "1h"}}]})");
    }
    [[nodiscard]] static QStringList upArguments(const QString &configuration)
    {
        return words("up", configuration, "--store", "off", "--state", "off");
    }
    [[nodiscard]] QString socketPath() const
    {
        for (const QString &each : ControlClient::runningHosts()) {
            if (QFileInfo(each).fileName().startsWith(QFileInfo(m_configuration).baseName()))
                return each;
        }
        return {};
    }

    QTemporaryDir m_folder;
    QString m_configuration;
    std::unique_ptr<StartedRun> m_up;
};

void HostChoiceTest::init()
{
    m_configuration = configurationOf("hostchoice");
    m_up = std::make_unique<StartedRun>(upArguments(m_configuration));
    QVERIFY(m_up->waitForError("a| up"));
}

void HostChoiceTest::cleanup()
{
    if (m_up->state() != QProcess::Running)
        return;
    const CompletedRun down(words("down", "--kill", "--config", m_configuration));
    QCOMPARE(m_up->end(), 0);
}

void HostChoiceTest::listsSeveralHosts()
{
    const QString other = configurationOf("otherhost");
    StartedRun up(upArguments(other));
    QVERIFY(up.waitForError("a| up"));
    CompletedRun status(words("status"), 64);
    QCOMPARE(status.output(), QByteArray());
    VERIFY_CONTAINS(status.error(),
                    "several hosts are running; select one with --host or --config:");
    VERIFY_CONTAINS(status.error(), "  --host hostchoice-");
    VERIFY_CONTAINS(status.error(), "  --host otherhost-");
    const CompletedRun named(words("status", "--host", "otherhost"));
    const CompletedRun down(words("down", "--kill", "--config", other));
    QCOMPARE(up.end(), 0);
}

// The host exits when it receives the first request.
void HostChoiceTest::skipsHostThatExits()
{
    QLocalServer exiting;
    const QString path = ControlClient::socketPath(QStringLiteral("exiting-%1").arg(::getpid()));
    QVERIFY2(exiting.listen(path), qPrintable(exiting.errorString()));
    bool hasExited = false;
    connect(&exiting, &QLocalServer::newConnection, this, [&] {
        while (QLocalSocket *const client = exiting.nextPendingConnection()) {
            const auto exit = [&hasExited, &exiting, client] {
                hasExited = true;
                exiting.close();
                client->abort();
            };
            connect(client, &QLocalSocket::readyRead, this, exit);
            if (client->bytesAvailable() > 0)
                exit();
        }
    });
    StartedRun hosts(words("hosts"));
    QVERIFY(waitUntil([&] { return hosts.state() == QProcess::NotRunning; }));
    QCOMPARE(hosts.end(), 0);
    QVERIFY(hasExited);
    VERIFY_CONTAINS(hosts.output(), "hostchoice-");
    QVERIFY2(!hosts.error().contains("exiting-"), hosts.error().constData());
}

void HostChoiceTest::downNamesTheHost()
{
    CompletedRun kill(words("down", "--kill", "--config", m_configuration));
    QCOMPARE(kill.output(), QByteArray("hostchoice: exited\n"));
    QCOMPARE(m_up->end(), 0);
}

void HostChoiceTest::namesOwnerOfHostOfAnotherUser_data()
{
    const Rows<QString> row("command");
    for (const char *command : {"status", "control-stdio", "down"})
        row(command);
}

void HostChoiceTest::namesOwnerOfHostOfAnotherUser()
{
    QFETCH(QString, command);
    if (::geteuid() != 0)
        QSKIP("only root can become another user");
    CommandRun run(words(command, "--host", socketPath()));
    run.setChildProcessModifier([] {
        constexpr uid_t other = 65534;
        if (::setresuid(other, other, other) != 0)
            ::_exit(1);
    });
    if (!run.begin())
        QSKIP("the other user cannot run the command");
    QCOMPARE(run.end(), 77);
    VERIFY_CONTAINS(run.error(), "no permission; it belongs to user 0");
}

// More than can be connected at the same time.
void HostChoiceTest::idleClientsLeavePlaces()
{
    const QString path = socketPath();
    std::vector<UniqueFd> clients;
    for (int i = 0; i < 40; ++i) {
        clients.emplace_back(ControlClient::connectedSocket(path).socket);
        const int socket = clients.back().get();
        ::fcntl(socket, F_SETFL, 0); // it waits
        const QByteArray hello = R"({"jsonrpc":"2.0","id":0,"method":"hello","params":)"
                                 R"({"protocols":[1],"client":"test"}})"
                                 "\n";
        QCOMPARE(::send(socket, hello.constData(), static_cast<size_t>(hello.size()), MSG_NOSIGNAL),
                 hello.size());
        std::array<char, 4096> response{};
        const ssize_t size = ::recv(socket, response.data(), response.size(), 0);
        VERIFY_CONTAINS(QByteArray(response.data(), size), "\"result\"");
    }
    const CompletedRun status(words("status", "--config", m_configuration));
}

void HostChoiceTest::startsNothingWhileHostStops()
{
    StartedRun down(words("down", "--config", m_configuration));
    QVERIFY(m_up->waitForError("stopping all agents (`rekindle down`)"));
    for (const char *command : {"start", "restart", "retry", "reload"}) {
        CompletedRun run(words(command, "--config", m_configuration)
                             + words("a").mid(command == QByteArray("reload") ? 1 : 0),
                         75);
        VERIFY_CONTAINS(run.error(), "the host is stopping its agents");
    }
    const CompletedRun kill(words("down", "--kill", "--config", m_configuration));
    QCOMPARE(down.end(), 0);
    QCOMPARE(m_up->end(), 0);
}

REKINDLE_TEST(HostChoiceTest)
#include "hostchoicetest.moc"
