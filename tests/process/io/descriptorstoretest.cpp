// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/agentlog.h"
#include "process/io/descriptorstore_p.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <thread>

using namespace Rekindle;

namespace {

UniqueFd anyFile() { return UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

std::vector<UniqueFd> listOf(UniqueFd fd)
{
    std::vector<UniqueFd> list;
    list.push_back(std::move(fd));
    return list;
}

std::vector<UniqueFd> anyFiles(std::size_t count)
{
    std::vector<UniqueFd> list(count);
    std::generate(list.begin(), list.end(), anyFile);
    return list;
}

// Connects to a local port without pause and counts the results.
class Client
{
public:
    explicit Client(quint16 port)
        : m_thread([this, port] {
            while (!m_isEnding)
                connectOnce(port);
        })
    {
    }
    ~Client() { finish(); }
    Q_DISABLE_COPY_MOVE(Client)

    void finish()
    {
        m_isEnding = true;
        if (m_thread.joinable())
            m_thread.join();
    }

    std::atomic<int> answered = 0;
    std::atomic<int> refused = 0;

private:
    void connectOnce(quint16 port)
    {
        const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const timeval limit{30, 0};
        ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        std::array<char, 16> answer{};
        if (::connect(fd.get(), reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
            ++refused;
        else if (::recv(fd.get(), answer.data(), answer.size(), 0) > 0)
            ++answered;
    }

    std::atomic<bool> m_isEnding = false;
    std::thread m_thread;
};

ProcessDefinition notifying(const QStringList &commands)
{
    ProcessDefinition definition = chaos(commands);
    definition.readiness.kind = Readiness::Kind::Notify;
    return definition;
}

// Stores a file that both starts can name, and then becomes ready.
ProcessDefinition storing(const QString &file)
{
    return notifying({QStringLiteral("store"), file, QStringLiteral("FDSTORE=1\nFDNAME=data"),
                      QStringLiteral("env"), QStringLiteral("LISTEN_FDNAMES"),
                      QStringLiteral("env"), QStringLiteral("LISTEN_FDS"), QStringLiteral("notify"),
                      QStringLiteral("READY=1"), QStringLiteral("hang")});
}

quint16 portIn(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toUShort() : 0;
}

} // namespace

class DescriptorStoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void passesDescriptorsInOrder()
    {
        DescriptorStore store;
        QCOMPARE(store.add(listOf(anyFile()), "b", false), QString());
        QCOMPARE(store.add(listOf(anyFile()), "a", false), QString());
        DescriptorStore::Passed passed = store.forStart();
        QCOMPARE(passed.descriptors.size(), 2U);
        QCOMPARE(passed.count, QByteArray("LISTEN_FDS=2"));
        QCOMPARE(passed.names, QByteArray("LISTEN_FDNAMES=b:a"));
        QVERIFY(passed.processId.startsWith("LISTEN_PID="));
        QCOMPARE(passed.processIdText(), passed.processId.data() + 11);
        store.remove("b");
        QCOMPARE(store.names(), QStringList{QStringLiteral("a")});
        store.clear();
        passed = store.forStart();
        QVERIFY(passed.descriptors.empty());
        QVERIFY(passed.count.isEmpty() && passed.names.isEmpty());
        QCOMPARE(passed.processIdText(), nullptr);
    }

    void replacesInvalidName_data()
    {
        const Rows<QByteArray> row("name");
        row("none", {});
        row("colon", "a:b");
        row("control character", "a\x01");
        row("not ASCII", "\xc3\xa4");
        row("too long", QByteArray(256, 'a'));
    }

    void replacesInvalidName()
    {
        QFETCH(QByteArray, name);
        DescriptorStore store;
        QCOMPARE(store.add(listOf(anyFile()), name, false), QString());
        QCOMPARE(store.names(), QStringList{QStringLiteral("stored")});
    }

    void ignoresFileThatIsStored()
    {
        DescriptorStore store;
        const UniqueFd file = anyFile();
        for (int i = 0; i < 3; ++i)
            QCOMPARE(store.add(listOf(UniqueFd(::dup(file.get()))), "a", false), QString());
        QCOMPARE(store.names().size(), 1);
    }

    void storesAllOrNone()
    {
        DescriptorStore store;
        QCOMPARE(store.add(anyFiles(10), "a", false), QString());
        QCOMPARE(store.add(anyFiles(7), "b", false),
                 QStringLiteral("an agent can store at most 16 descriptors"));
        QCOMPARE(store.names().size(), 10);
        QCOMPARE(store.add(anyFiles(6), "b", false), QString());
        QCOMPARE(store.names().size(), 16);
    }

    void removesConnectionThatItsPeerHasClosed()
    {
        std::array<int, 2> ends{};
        QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
        UniqueFd peer(ends[1]);
        DescriptorStore store;
        QCOMPARE(store.add(listOf(UniqueFd(::dup(ends[0]))), "watched", false), QString());
        QCOMPARE(store.names().size(), 1);
        peer.reset();
        QCOMPARE(store.names().size(), 0);
        QCOMPARE(store.add(listOf(UniqueFd(ends[0])), "unwatched", true), QString());
        QCOMPARE(store.names().size(), 1);
    }

    void restartKeepsDescriptors()
    {
        AgentLog log(storing(QStringLiteral(REKINDLE_CHAOSAGENT)));
        log.agent.start();
        QVERIFY(log.waitFor(QStringLiteral("ready")));
        QVERIFY(log.entries.contains(QStringLiteral("out LISTEN_FDS unset")));
        QCOMPARE(log.agent.storedDescriptors(), QStringList{QStringLiteral("data")});
        log.agent.kill();
        QVERIFY(log.waitForEnd());
        const qsizetype before = log.entries.size();
        log.agent.start();
        QVERIFY(log.waitFor(QStringLiteral("ready"), before));
        QVERIFY(log.entries.contains(QStringLiteral("out LISTEN_FDS=1")));
        QVERIFY(log.entries.contains(QStringLiteral("out LISTEN_FDNAMES=data")));
    }

    void removesOnRequest()
    {
        AgentLog log(notifying(
            {QStringLiteral("store"), QStringLiteral("/dev/null"),
             QStringLiteral("FDSTORE=1\nFDNAME=data"), QStringLiteral("store"),
             QStringLiteral("/dev/null"), QStringLiteral("FDSTORE=1\nFDNAME=other"),
             QStringLiteral("notify"), QStringLiteral("FDSTOREREMOVE=1\nFDNAME=data"),
             QStringLiteral("notify"), QStringLiteral("READY=1"), QStringLiteral("hang")}));
        log.agent.start();
        QVERIFY(log.waitFor(QStringLiteral("ready")));
        QCOMPARE(log.agent.storedDescriptors(), QStringList{QStringLiteral("other")});
    }

    void closesDescriptorsIfNoStartIsPlanned_data()
    {
        const Rows<int, bool> row("maxRetries", "isStopped");
        row("stopped by an operator", 10, true);
        row("given up", 0, false);
    }

    void closesDescriptorsIfNoStartIsPlanned()
    {
        QFETCH(int, maxRetries);
        QFETCH(bool, isStopped);
        TimerScheduler scheduler;
        FixedLicenseProvider license(LicenseTier::Enterprise);
        AgentSupervisor supervisor(scheduler);
        supervisor.featureGate().setProvider(&license);
        auto owned =
            std::make_unique<ProcessAgent>(storing(QStringLiteral("/dev/null")), scheduler);
        ProcessAgent *const agent = owned.get();
        RestartPolicy policy;
        policy.type = RestartPolicyType::Immediate;
        policy.maxRetries = maxRetries;
        const auto added = supervisor.add(QStringLiteral("a"), std::move(owned), policy);
        QVERIFY(added);
        const auto becomes = [&](InstanceState state) {
            return QTest::qWaitFor(
                [&] { return supervisor.policyEvaluator().state(added.id) == state; }, 30000);
        };
        supervisor.startAll();
        QVERIFY(becomes(InstanceState::Running));
        supervisor.restart(added.id);
        QVERIFY(becomes(InstanceState::Stopping));
        QVERIFY(becomes(InstanceState::Running));
        QVERIFY(!agent->storedDescriptors().isEmpty());
        if (isStopped)
            supervisor.stop(added.id);
        else
            QCOMPARE(::kill(static_cast<pid_t>(agent->processId()), SIGKILL), 0);
        QVERIFY(becomes(isStopped ? InstanceState::Stopped : InstanceState::Exhausted));
        QCOMPARE(agent->storedDescriptors().size(), 0);
    }

    void listenerAcceptsConnectionsDuringRestarts()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("port"));
        AgentLog log(notifying({QStringLiteral("serve"), file}));
        log.agent.start();
        QVERIFY(log.waitFor(QStringLiteral("ready")));
        const quint16 port = portIn(file);
        QVERIFY(port != 0);
        Client client(port);
        int answered = 0;
        for (int i = 0; i < 100; ++i) {
            // At least one connection to each process.
            QVERIFY(QTest::qWaitFor([&] { return client.answered > answered; }, 30000));
            log.agent.kill();
            QVERIFY(log.waitForEnd());
            answered = client.answered;
            const qsizetype before = log.entries.size();
            log.agent.start();
            QVERIFY(log.waitFor(QStringLiteral("ready"), before));
        }
        client.finish();
        QCOMPARE(client.refused.load(), 0);
        QCOMPARE(portIn(file), port); // written once
    }
};

REKINDLE_TEST(DescriptorStoreTest)
#include "descriptorstoretest.moc"
