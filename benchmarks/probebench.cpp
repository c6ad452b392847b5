// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/probes/networkprobes.h>
#include <rekindle/process/healthchecks.h>

#include <QCoreApplication>
#include <QTimer>

#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

// CPU use of N agents with a TCP probe each, at the default interval of 10 s, over 30 s. The server
// is another process.
//
//   probebench [N]

namespace {

using namespace Rekindle;

class Idler final : public Agent
{
public:
    void start() override
    {
        Q_EMIT started();
        Q_EMIT ready();
    }
    void stop() override { Q_EMIT stopped(); }
};

// Starts a process that accepts and closes connections until this one exits. Returns its port.
int startServer()
{
    const int server = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(server, reinterpret_cast<sockaddr *>(&address), size) != 0
        || ::listen(server, SOMAXCONN) != 0
        || ::getsockname(server, reinterpret_cast<sockaddr *>(&address), &size) != 0)
        return 0;
    if (::fork() == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            ::close(::accept(server, nullptr, nullptr));
    }
    ::close(server);
    return ntohs(address.sin_port);
}

double processorSeconds()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_NO_GLIB", "1");
    const int port = startServer();
    QCoreApplication app(argc, argv);
    const int count = QCoreApplication::arguments().value(1, QStringLiteral("10000")).toInt();

    const HealthProbeDefinition definition = tcpProbe(QStringLiteral("127.0.0.1"), port);
    TimerScheduler scheduler;
    std::vector<std::unique_ptr<Idler>> idlers;
    AgentMonitor monitor(scheduler);
    std::vector<QUuid> ids;
    for (int i = 0; i < count; ++i) {
        idlers.push_back(std::make_unique<Idler>());
        ids.push_back(QUuid::createUuid());
        monitor.watch(ids.back(), idlers.back().get());
        if (!monitor
                 .setHealth(ids.back(),
                            makeHealthChecks({definition}, *idlers.back(), {}, scheduler))
                 .isEmpty())
            return EXIT_FAILURE;
    }
    int unhealthy = 0;
    QObject::connect(&monitor, &AgentMonitor::agentUnhealthy, &app, [&] { ++unhealthy; });
    for (const auto &idler : idlers)
        idler->start();

    // The first round is a warm-up.
    constexpr int seconds = 30;
    double before = 0;
    QTimer::singleShot(10'000, Qt::PreciseTimer, &app, [&] { before = processorSeconds(); });
    QTimer::singleShot((10 + seconds) * 1000, Qt::PreciseTimer, &app, &QCoreApplication::quit);
    QCoreApplication::exec();
    const double share = (processorSeconds() - before) / seconds;

    int healthy = 0;
    for (const QUuid &id : ids)
        healthy += monitor.health(id).state == AgentHealthStatus::State::Healthy ? 1 : 0;
    std::printf("n=%d healthy=%d unhealthy=%d share of a core: %.2f %%\n", count, healthy,
                unhealthy, share * 100);
    return EXIT_SUCCESS;
}
