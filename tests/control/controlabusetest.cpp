// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/processes/processstat_p.h"
#include "control/socket/socketaddress_p.h"
#include "sanitizer.h"
#include "socketclient.h"
#include "testprogram.h"

#include <rekindle/control/controlclient.h>
#include <rekindle/control/controlserver.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <random>
#include <string_view>
#include <utility>

using namespace Rekindle;

namespace {

constexpr std::string_view hello =
    R"({"jsonrpc":"2.0","id":0,"method":"hello","params":{"protocols":[1],"client":"test"}})"
    "\n"
    R"({"jsonrpc":"2.0","id":1,"method":"events.subscribe","params":{"from":"oldest"}})"
    "\n";

} // namespace

/// Clients that break the rules, each a process of its own.
class ControlAbuseTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void answersLineOfHundredMegabytes();
    void killedClientsLeaveNoDescriptor();
    void refusesOtherUsers();

private:
    // Runs the client in a copy of this process, which ends with its result.
    template<typename Client>
    pid_t fork(Client client) const
    {
        const pid_t process = ::fork();
        if (process == 0)
            ::_exit(client(connected()));
        return process;
    }
    [[nodiscard]] int connected() const
    {
        const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const auto address = SocketAddress::of(m_server->socketPath());
        if (::connect(socket, address->get(), address->size()) == 0)
            return socket;
        ::close(socket);
        return -1;
    }
    // Waits until the server has accepted all connections that were made before.
    [[nodiscard]] bool areAllAccepted() const
    {
        const int last = connected();
        const auto isAnswered = [last] {
            pollfd answer{last, POLLIN, 0};
            return ::poll(&answer, 1, 0) == 1;
        };
        static_cast<void>(::send(last, hello.data(), hello.size(), MSG_NOSIGNAL));
        const bool answered = QTest::qWaitFor(isAnswered, 30'000);
        ::close(last);
        return answered;
    }
    // Runs the event loop until the process has ended, and the function after each pass.
    static int statusOf(pid_t process, const std::function<void()> &inEachPass = [] {})
    {
        int status = -1;
        const QDeadlineTimer end(60'000);
        while (::waitpid(process, &status, WNOHANG) == 0 && !end.hasExpired()) {
            QCoreApplication::processEvents();
            inEachPass();
        }
        return status;
    }
    static qint64 residentBytes()
    {
        const auto process = ProcessStat::of(::getpid());
        return process ? process->residentBytes : 0;
    }
    static qsizetype descriptors()
    {
        return QDir(QStringLiteral("/proc/self/fd"))
            .entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System)
            .size();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TimerScheduler> m_scheduler;
    std::unique_ptr<AgentSupervisor> m_supervisor;
    std::unique_ptr<ControlServer> m_server;
};

void ControlAbuseTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_scheduler = std::make_unique<TimerScheduler>();
    m_supervisor = std::make_unique<AgentSupervisor>(*m_scheduler);
    m_server = std::make_unique<ControlServer>(
        *m_supervisor,
        ControlServerOptions{.name = QStringLiteral("web"),
                             .socketName = QStringLiteral("web"),
                             .folder = m_folder->filePath(QStringLiteral("control"))});
    QCOMPARE(m_server->listen(), QString());
}

void ControlAbuseTest::cleanup()
{
    m_server.reset();
    m_supervisor.reset();
    m_scheduler.reset();
}

void ControlAbuseTest::answersLineOfHundredMegabytes()
{
    // The first client needs memory that the server keeps.
    SocketClient other(m_server->socketPath());
    other.hello();
    QVERIFY(other.result().isObject());
    const qint64 before = residentBytes();
    const pid_t client = fork([](int socket) {
        static std::array<char, 65536> part{};
        static_cast<void>(::send(socket, hello.data(), hello.find('\n') + 1, MSG_NOSIGNAL));
        if (::recv(socket, part.data(), part.size(), 0) <= 0)
            return 3;
        part.fill('x');
        constexpr qint64 whole = qint64{100} * 1000 * 1000;
        for (qint64 sent = 0; sent < whole;) {
            const ssize_t count = ::send(socket, part.data(), part.size(), MSG_NOSIGNAL);
            if (count < 0)
                return 1;
            sent += count;
        }
        static_cast<void>(::send(socket, "\n", 1, MSG_NOSIGNAL));
        const ssize_t size = ::recv(socket, part.data(), part.size(), 0);
        return size > 0 && QByteArray(part.data(), size).contains("-32005") ? 0 : 2;
    });
    qint64 most = before;
    QCOMPARE(statusOf(client, [&most] { most = std::max(most, residentBytes()); }), 0);
    if (!underAddressSanitizer && !underThreadSanitizer) {
        constexpr qint64 limit = qint64{2} * 1024 * 1024;
        QVERIFY2(most - before < limit, qPrintable(QString::number(most - before)));
    }
    other.request(1, "agents.list");
    QVERIFY(other.result().isObject());
}

// Most processes are killed when all of their connections were accepted, the others at any time.
void ControlAbuseTest::killedClientsLeaveNoDescriptor()
{
    const qsizetype before = descriptors();
    std::minstd_rand random(7);
    constexpr int connections = 20;
    constexpr int accepted = 10'000;
    const auto noClients = [this] { return m_server->clientCount() == 0; };
    int sent = 0;
    const auto startClient = [this, &sent] {
        const int first = std::exchange(sent, sent + connections);
        return fork([this, first](int socket) {
            for (int i = first; i < first + connections; ++i) {
                // Each stops at another place.
                const auto size = static_cast<size_t>(i) % (hello.size() + 1);
                static_cast<void>(::send(socket, hello.data(), size, MSG_NOSIGNAL));
                socket = i + 1 < first + connections ? connected() : socket;
            }
            ::pause();
            return 0;
        });
    };
    for (int count = 0; count < accepted; count += connections) {
        const pid_t client = startClient();
        QVERIFY(QTest::qWaitFor([this] { return m_server->clientCount() == connections; }, 30'000));
        ::kill(client, SIGKILL);
        QCOMPARE(statusOf(client), SIGKILL);
        QVERIFY(QTest::qWaitFor(noClients, 30'000));
        if (count % (4 * connections) != 0)
            continue;
        const pid_t other = startClient();
        for (auto passes = random() % 8; passes > 0; --passes)
            QCoreApplication::processEvents();
        ::kill(other, SIGKILL);
        QCOMPARE(statusOf(other), SIGKILL);
        // Otherwise its connections would count against the limit of the server in the next pass.
        QVERIFY(areAllAccepted());
        QVERIFY(QTest::qWaitFor(noClients, 30'000));
    }
    QCOMPARE(descriptors(), before);
}

void ControlAbuseTest::refusesOtherUsers()
{
    if (::geteuid() != 0)
        QSKIP("only root can become another user");
    constexpr uid_t other = 65534;
    const auto asOther = [](const auto &client) {
        const pid_t process = ::fork();
        if (process == 0) {
            if (::setresuid(other, other, other) != 0)
                ::_exit(1);
            ::_exit(client());
        }
        return statusOf(process);
    };
    // The folder is closed to others.
    QCOMPARE(asOther([this] {
                 const auto connection = ControlClient::connectedSocket(m_server->socketPath());
                 return connection.socket < 0
                         && connection.cause == ControlClient::Cause::NoPermission
                         && connection.fault.endsWith(QLatin1String("; it belongs to user 0"))
                     ? 0
                     : 2;
             }),
             0);
    // Even if the folder is open to others, the server checks who connects.
    for (const QString &path : {m_folder->path(), m_folder->filePath(QStringLiteral("control"))})
        QCOMPARE(::chmod(QFile::encodeName(path).constData(), 0755), 0);
    QCOMPARE(::chmod(QFile::encodeName(m_server->socketPath()).constData(), 0666), 0);
    const int status = asOther([this] {
        std::array<char, 4096> text{};
        const ssize_t size = ::recv(connected(), text.data(), text.size() - 1, 0);
        const QByteArray line(text.data(), std::max<ssize_t>(size, 0));
        return line.contains("-32003") && line.contains(R"({"access":"none"})") ? 0 : 3;
    });
    QCOMPARE(status, 0);
    QCOMPARE(m_server->clientCount(), 0);
}

REKINDLE_TEST(ControlAbuseTest)
#include "controlabusetest.moc"
