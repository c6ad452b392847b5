// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/control/controlserver.h>
#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <QCoreApplication>
#include <QFile>
#include <QLoggingCategory>
#include <QTemporaryDir>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

// The cost of the control socket: an event with 0, 1 and 32 clients in another process, a storm of
// N in-process failures with 32 clients of which one reads only afterwards, and the latency of
// agents.get and of agents.list with 10,000 agents. With the path of the command, also the time of
// `rekindle status --json` with 1,000 agents.
//
//   controlbench [N [REKINDLE]]

namespace {

using namespace Rekindle;

class Ember final : public Agent
{
public:
    explicit Ember(int &running, qint64 process = 0)
        : m_running(running)
        , m_process(process)
    {
    }

    [[nodiscard]] qint64 processId() const override { return m_process; }

    void start() override
    {
        Q_EMIT started();
        Q_EMIT ready();
        ++m_running;
    }
    void stop() override { Q_EMIT stopped(); }
    void crash()
    {
        --m_running;
        Q_EMIT failed(FailureReason::UnhandledException, {});
    }

private:
    int &m_running;
    const qint64 m_process;
};

double processMilliseconds()
{
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

long residentKilobytes()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray &line : status.readAll().split('\n')) {
        if (line.startsWith("VmRSS:"))
            return line.mid(6).simplified().split(' ').first().toLong();
    }
    return 0;
}

int connectTo(const std::string &path)
{
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), std::min(path.size(), sizeof address.sun_path - 1));
    if (::connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0)
        ::_exit(EXIT_FAILURE);
    return fd;
}

void send(int fd, const std::string &lines)
{
    if (::write(fd, lines.data(), lines.size()) < 0)
        ::_exit(EXIT_FAILURE);
}

constexpr char hello[] = R"({"jsonrpc":"2.0","id":0,"method":"hello","params":{"protocols":[1]}})"
                         "\n";
constexpr char subscription[] =
    R"({"jsonrpc":"2.0","id":1,"method":"events.subscribe","params":{"from":"now"}})"
    "\n";

// Reads all sockets but the last one until it is terminated by a signal; after SIGUSR1 also the
// last one, until no line has arrived for a second. Then it prints the gaps of the last one.
volatile std::sig_atomic_t readsAll = 0;

[[noreturn]] void readEvents(const std::string &path, int clients, bool hasSleeper)
{
    std::signal(SIGUSR1, [](int) { readsAll = 1; });
    std::vector<pollfd> sockets;
    for (int i = 0; i < clients; ++i) {
        sockets.push_back({connectTo(path), POLLIN, 0});
        send(sockets.back().fd, std::string(hello) + subscription);
    }
    std::vector<char> part(std::size_t{1} << 20);
    std::string sleeper;
    while (true) {
        const nfds_t count = sockets.size() - (hasSleeper && readsAll == 0 ? 1 : 0);
        const int ready = ::poll(sockets.data(), count, 1000);
        if (ready == 0 && readsAll != 0)
            break;
        if (ready < 0)
            continue; // the signal
        for (nfds_t i = 0; i < count; ++i) {
            if ((sockets[i].revents & (POLLIN | POLLHUP)) == 0)
                continue;
            const ssize_t size = ::read(sockets[i].fd, part.data(), part.size());
            if (size <= 0)
                ::_exit(EXIT_SUCCESS);
            if (hasSleeper && i + 1 == sockets.size())
                sleeper.append(part.data(), static_cast<std::size_t>(size));
        }
    }
    constexpr std::string_view countKey = "\"count\":";
    int gaps = 0;
    long missing = 0;
    for (std::size_t at = 0; (at = sleeper.find("events.gap", at)) != std::string::npos; ++at) {
        ++gaps;
        missing += std::atol(sleeper.c_str() + sleeper.find(countKey, at) + countKey.size());
    }
    // Without the responses and the gaps.
    const auto events =
        std::count(sleeper.begin(), sleeper.end(), '\n') - 2 - static_cast<std::ptrdiff_t>(gaps);
    std::printf(
        "  the client that did not read: %td events, %d gap%s of %ld events, in total %td\n",
        events, gaps, gaps == 1 ? "" : "s", missing, events + missing);
    std::fflush(stdout);
    ::_exit(EXIT_SUCCESS);
}

[[noreturn]] void measureLatency(const std::string &path)
{
    const int fd = connectTo(path);
    send(fd, hello);
    std::array<char, 65536> part{};
    static_cast<void>(::read(fd, part.data(), part.size()));
    std::vector<double> times;
    for (int i = 1; i <= 2000; ++i) {
        const auto start = std::chrono::steady_clock::now();
        send(fd,
             R"({"jsonrpc":"2.0","id":)" + std::to_string(i)
                 + R"(,"method":"agents.get","params":{"agent":"agent-0"}})" + "\n");
        static_cast<void>(::read(fd, part.data(), part.size()));
        times.push_back(
            std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
                .count());
    }
    std::sort(times.begin(), times.end());
    std::printf("agents.get: median %.0f us, 99%% %.0f us\n", times[times.size() / 2],
                times[times.size() * 99 / 100]);
    std::fflush(stdout);
    ::_exit(EXIT_SUCCESS);
}

// The first byte arrives when the event loop of the host is free again.
[[noreturn]] void measureList(const std::string &path)
{
    const int fd = connectTo(path);
    send(fd, hello);
    std::vector<char> part(std::size_t{1} << 20);
    static_cast<void>(::read(fd, part.data(), part.size()));
    std::vector<double> first;
    std::vector<double> whole;
    std::size_t bytes = 0;
    for (int i = 0; i < 20; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const auto elapsed = [start] {
            return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now()
                                                             - start)
                .count();
        };
        send(fd,
             R"({"jsonrpc":"2.0","id":1,"method":"agents.list"})"
             "\n");
        bytes = 0;
        do {
            const ssize_t size = ::read(fd, part.data(), part.size());
            if (size <= 0)
                ::_exit(EXIT_FAILURE);
            if (bytes == 0)
                first.push_back(elapsed());
            bytes += static_cast<std::size_t>(size);
            if (part[static_cast<std::size_t>(size) - 1] == '\n')
                break;
        } while (true);
        whole.push_back(elapsed());
    }
    std::sort(first.begin(), first.end());
    std::sort(whole.begin(), whole.end());
    std::printf("agents.list of 10,000 agents, %zu kB: first byte after %.0f ms (maximum %.0f ms), "
                "last after %.0f ms\n",
                bytes / 1000, first[first.size() / 2], first.back(), whole[whole.size() / 2]);
    std::fflush(stdout);
    ::_exit(EXIT_SUCCESS);
}

// The wall time of the whole process.
[[noreturn]] void measureStatus(const std::string &command, const std::string &path)
{
    const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    std::vector<double> times;
    for (int i = 0; i < 20; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const pid_t status = ::fork();
        if (status == 0) {
            ::dup2(null, STDOUT_FILENO);
            ::execl(command.c_str(), command.c_str(), "status", "--json", "--host", path.c_str(),
                    nullptr);
            ::_exit(EXIT_FAILURE);
        }
        int result = -1;
        if (::waitpid(status, &result, 0) != status || result != 0)
            ::_exit(EXIT_FAILURE);
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count());
    }
    std::sort(times.begin(), times.end());
    std::printf("status --json of 1,000 agents: median %.0f ms of %zu runs\n",
                times[times.size() / 2], times.size());
    std::fflush(stdout);
    ::_exit(EXIT_SUCCESS);
}

template<typename Condition>
void runUntil(Condition condition)
{
    while (!condition())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

void runFor(std::chrono::milliseconds time)
{
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end)
        QCoreApplication::processEvents();
}

class Bench
{
public:
    /// The agents have the id of this process, if any.
    explicit Bench(int count, qint64 process = 0)
        : m_count(count)
    {
        m_supervisor.featureGate().setProvider(&m_license);
        RestartPolicy policy;
        policy.type = RestartPolicyType::Immediate;
        policy.maxRetries.reset();
        policy.circuitBreaker.reset();
        for (int i = 0; i < count; ++i) {
            auto ember = std::make_unique<Ember>(m_running, process);
            m_embers.push_back(ember.get());
            const auto added =
                m_supervisor.add(QStringLiteral("agent-%1").arg(i), std::move(ember), policy);
            if (i == 0)
                m_first = added.id;
        }
        m_supervisor.startAll();
        runUntil([this] { return m_running == m_count; });
        // Otherwise no events are emitted without a server.
        QObject::connect(&m_supervisor.policyEvaluator(), &RestartPolicyEvaluator::lifecycleEvent,
                         &m_context, [this](const LifecycleEvent &) { ++m_events; });
    }

    /// With a new server, which has no events yet.
    void listen()
    {
        m_server.reset();
        m_server = std::make_unique<ControlServer>(
            m_supervisor,
            ControlServerOptions{.socketName = QStringLiteral("bench"), .folder = m_folder.path()});
        if (const QString fault = m_server->listen(); !fault.isEmpty()) {
            std::fprintf(stderr, "%s\n", qPrintable(fault));
            std::exit(EXIT_FAILURE);
        }
    }

    [[nodiscard]] std::string path() const { return m_server->socketPath().toStdString(); }

    /// Starts this program as a client. Not by fork(): then each page that a storm writes would be
    /// copied first.
    [[nodiscard]] pid_t startClient(std::vector<std::string> arguments) const
    {
        std::fflush(stdout);
        arguments.insert(arguments.begin(), {"controlbench", "client", path()});
        std::vector<char *> values;
        for (std::string &each : arguments)
            values.push_back(each.data());
        values.push_back(nullptr);
        pid_t pid = -1;
        if (::posix_spawn(&pid, "/proc/self/exe", nullptr, nullptr, values.data(), environ) != 0)
            std::exit(EXIT_FAILURE);
        return pid;
    }

    pid_t startReaders(int count, bool hasSleeper = false)
    {
        const pid_t pid = startClient({hasSleeper ? "storm" : "events", std::to_string(count)});
        runUntil([this, count] { return m_server->clientCount() == count; });
        runFor(std::chrono::milliseconds(200)); // the requests
        return pid;
    }

    void endClients(pid_t pid, int signal)
    {
        ::kill(pid, signal);
        waitForEnd(pid);
        runUntil([this] { return m_server->clientCount() == 0; });
    }

    void waitForEnd(pid_t pid)
    {
        while (::waitpid(pid, nullptr, WNOHANG) == 0)
            QCoreApplication::processEvents();
    }

    // CPU time of this process, including the sending.
    void measureEvents(const char *what)
    {
        constexpr int count = 400'000;
        const double before = processMilliseconds();
        for (int i = 0; i < count; ++i) {
            m_supervisor.policyEvaluator().announce(m_first, AgentStable());
            if (i % 256 == 0)
                QCoreApplication::processEvents();
        }
        std::printf("event, %s: %.0f ns\n", what, (processMilliseconds() - before) * 1e6 / count);
    }

    double storm()
    {
        const auto start = std::chrono::steady_clock::now();
        for (Ember *ember : m_embers)
            ember->crash();
        runUntil([this] { return m_running == m_count; });
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
            .count();
    }

private:
    const int m_count;
    int m_running = 0;
    quint64 m_events = 0;
    QTemporaryDir m_folder;
    TimerScheduler m_scheduler;
    AgentSupervisor m_supervisor{m_scheduler};
    FixedLicenseProvider m_license{LicenseTier::Enterprise};
    std::vector<Ember *> m_embers;
    QUuid m_first;
    QObject m_context;
    std::unique_ptr<ControlServer> m_server;
};

// Arguments: client SOCKET WHAT [VALUE]
int runClient(char **argv)
{
    const std::string path = argv[2];
    const std::string what = argv[3];
    if (what == "status")
        measureStatus(argv[4], path);
    if (what == "list")
        measureList(path);
    if (what == "latency")
        measureLatency(path);
    readEvents(path, std::atoi(argv[4]), what == "storm");
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 1 && std::string_view(argv[1]) == "client")
        return runClient(argv);
    qputenv("QT_NO_GLIB", "1");
    QCoreApplication app(argc, argv);
    QLoggingCategory::setFilterRules(QStringLiteral("rekindle.restart=false"));
    const int count = QCoreApplication::arguments().value(1, QStringLiteral("100000")).toInt();

    if (const QString command = QCoreApplication::arguments().value(2); !command.isEmpty()) {
        Bench agents(1000);
        agents.listen();
        agents.waitForEnd(agents.startClient({"status", command.toStdString()}));
    }

    // The usage of each process is read.
    for (const qint64 process : {qint64{0}, QCoreApplication::applicationPid()}) {
        Bench agents(10'000, process);
        agents.listen();
        std::printf("%s process: ", process == 0 ? "without a" : "with a");
        agents.waitForEnd(agents.startClient({"list"}));
    }

    Bench bench(count);
    constexpr int rounds = 3;
    for (int i = 0; i < rounds; ++i)
        bench.measureEvents("no server");
    double without = 1e9;
    for (int i = 0; i < rounds; ++i)
        without = std::min(without, bench.storm());

    bench.listen();
    for (int i = 0; i < rounds; ++i)
        bench.measureEvents("no client");
    pid_t clients = bench.startReaders(1);
    bench.measureEvents("1 client");
    bench.endClients(clients, SIGKILL);
    clients = bench.startReaders(32);
    bench.measureEvents("32 clients");
    bench.endClients(clients, SIGKILL);
    bench.waitForEnd(bench.startClient({"latency"}));

    double noClient = 1e9;
    double with = 1e9;
    long growth = 0;
    bench.listen();
    bench.storm(); // memory is allocated for the first time
    for (int i = 0; i < rounds; ++i) {
        bench.listen();
        noClient = std::min(noClient, bench.storm());
        bench.listen();
        clients = bench.startReaders(32, true);
        const long resident = residentKilobytes();
        with = std::min(with, bench.storm());
        growth = std::max(growth, residentKilobytes() - resident);
        bench.endClients(clients, SIGUSR1);
    }
    std::printf("storm of %d failures: %.0f ms without a server, %.0f ms without clients, %.0f ms "
                "with 32 clients (x%.2f); resident memory grows by %ld kB\n",
                count, without, noClient, with, with / noClient, growth);
    return EXIT_SUCCESS;
}
