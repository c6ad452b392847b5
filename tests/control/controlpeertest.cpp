// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/uniquefd_p.h"
#include "control/socket/controlpeer_p.h"
#include "control/socket/socketaddress_p.h"
#include "testprogram.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>

using namespace Rekindle;

namespace {

/// The arguments of clone3, which some headers do not declare.
struct CloneArguments
{
    std::uint64_t flags = 0;
    std::uint64_t pidfd = 0;
    std::uint64_t childTid = 0;
    std::uint64_t parentTid = 0;
    std::uint64_t exitSignal = SIGCHLD;
    std::uint64_t stack = 0;
    std::uint64_t stackSize = 0;
    std::uint64_t tls = 0;
    std::uint64_t processIds = 0;
    std::uint64_t processIdCount = 0;
};

// Starts a process with this id, which waits. Returns -1 with errno if that is not possible.
pid_t forkAs(pid_t id)
{
    std::array<pid_t, 1> ids{id};
    CloneArguments arguments;
    arguments.processIds = reinterpret_cast<std::uint64_t>(ids.data());
    arguments.processIdCount = ids.size();
    const auto process = static_cast<pid_t>(::syscall(SYS_clone3, &arguments, sizeof arguments));
    if (process == 0) {
        for (;;)
            ::pause();
    }
    return process;
}

} // namespace

class ControlPeerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void readsUserAndProgram();
    void hidesProgramOfReusedProcessId();

private:
    [[nodiscard]] UniqueFd connected() const
    {
        UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (::connect(socket.get(), m_address->get(), m_address->size()) != 0)
            socket.reset();
        return socket;
    }
    [[nodiscard]] UniqueFd accepted() const
    {
        return UniqueFd(::accept4(m_server.get(), nullptr, nullptr, SOCK_CLOEXEC));
    }

    QTemporaryDir m_folder;
    std::optional<SocketAddress> m_address;
    UniqueFd m_server;
};

void ControlPeerTest::init()
{
    const QString path = m_folder.filePath(QLatin1String(QTest::currentTestFunction()).left(10));
    m_address = SocketAddress::of(path);
    m_server = UniqueFd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    QCOMPARE(::bind(m_server.get(), m_address->get(), m_address->size()), 0);
    QCOMPARE(::listen(m_server.get(), 1), 0);
}

void ControlPeerTest::readsUserAndProgram()
{
    const UniqueFd client = connected();
    QVERIFY(client.isOpen());
    const auto peer = ControlPeer::ofSocket(accepted().get());
    QVERIFY(peer);
    QCOMPARE(peer->userId, ::geteuid());
    QCOMPARE(peer->processId, ::getpid());
    QCOMPARE(peer->program, QFileInfo(QStringLiteral("/proc/self/exe")).canonicalFilePath());
}

void ControlPeerTest::hidesProgramOfReusedProcessId()
{
    const pid_t client = ::fork();
    if (client == 0)
        ::_exit(connected().isOpen() ? 0 : 1);
    int status = -1;
    QCOMPARE(::waitpid(client, &status, 0), client);
    QCOMPARE(status, 0);
    const pid_t other = forkAs(client);
    if (other < 0)
        QSKIP("only root can choose a process id");
    const auto peer = ControlPeer::ofSocket(accepted().get());
    ::kill(other, SIGKILL);
    ::waitpid(other, nullptr, 0);
    QVERIFY(peer);
    QCOMPARE(peer->processId, client);
    QCOMPARE(peer->program, QString());
}

REKINDLE_TEST(ControlPeerTest)
#include "controlpeertest.moc"
