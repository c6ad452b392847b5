// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "loopgap.h"

#include <rekindle/control/controlserver.h>
#include <rekindle/host/agenthost.h>
#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/state/statefile.h>
#include <rekindle/telemetry/telemetrystore.h>

#include <QCoreApplication>
#include <QLoggingCategory>
#include <QTemporaryDir>

#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

// N programs of a host with a governor are killed at once, with all that `rekindle up` has: state
// file, store and control socket. Each is ready by a line after 80 ms. Measures the time until all
// are ready again, and the longest time for which the event loop was away. governor.py observes the
// programs from outside.
//
//   governedstorm [N [MAX_STARTING [RATE]]]      default: 1000 20 200

namespace {

using namespace Rekindle;

Configuration configurationOf(int count, const QByteArray &limit, const QByteArray &rate)
{
    QByteArray agents;
    for (int i = 0; i < count; ++i)
        agents += QByteArray(i == 0 ? "" : ",") + R"({"kind": "process", "program": "sh",
            "arguments": ["-c", "sleep 0.08; echo ready; exec sleep infinity"], "name": "a)"
            + QByteArray::number(i) + "\"}";
    const Parsed<Configuration> parsed = parseConfiguration(
        R"({"governor": {"maxStarting": )" + limit + R"(, "rate": ")" + rate + R"(/s", "burst": )"
            + limit + R"(}, "defaults": {"policy": {"type": "immediate", "circuitBreaker": "off"},
                "ready": {"kind": "line", "pattern": "^ready$"}}, "agents": [)"
            + agents + "]}",
        QStringLiteral("/"));
    if (!parsed)
        qFatal("%s", qPrintable(parsed.messages().join(u'\n')));
    return *parsed.value;
}

// Each program needs some descriptors.
void raiseDescriptorLimit()
{
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_NO_GLIB", "1");
    raiseDescriptorLimit();
    QCoreApplication app(argc, argv);
    QLoggingCategory::setFilterRules(QStringLiteral("rekindle.*=false"));
    const QStringList arguments = QCoreApplication::arguments();
    const int count = arguments.value(1, QStringLiteral("1000")).toInt();
    const QByteArray limit = arguments.value(2, QStringLiteral("20")).toLatin1();
    const QByteArray rate = arguments.value(3, QStringLiteral("200")).toLatin1();

    const QTemporaryDir folder;
    AgentHost host;
    AgentSupervisor &supervisor = host.supervisor();
    host.setLicense(std::make_unique<FixedLicenseProvider>(LicenseTier::Enterprise));
    if (!host.useState({.path = folder.filePath(QStringLiteral("state.json"))}).open())
        return EXIT_FAILURE;
    host.useStore({.path = folder.filePath(QStringLiteral("store.sqlite"))});
    if (!host.useControl({.folder = folder.filePath(QStringLiteral("c"))}).listen().isEmpty()
        || hasErrors(host.addAll(configurationOf(count, limit, rate))))
        return EXIT_FAILURE;
    int ready = 0;
    QObject::connect(&supervisor, &AgentSupervisor::agentReady, &supervisor, [&ready] { ++ready; });
    const auto untilReady = [&ready](int target) {
        while (ready < target)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    };
    host.startAll();
    untilReady(count);

    Scheduler &scheduler = supervisor.scheduler();
    LoopGap gap(scheduler);
    for (int storm = 1; storm <= 3; ++storm) {
        std::vector<pid_t> programs;
        for (const QUuid &id : supervisor.ids())
            programs.push_back(static_cast<pid_t>(supervisor.agent(id)->processId()));
        const Instant start = scheduler.now();
        for (const pid_t program : programs)
            ::kill(program, SIGKILL);
        gap.begin();
        untilReady(count * (storm + 1));
        gap.end();
        std::printf("storm of %d: all ready again after %.2f s, loop away at most %.1f ms, with at "
                    "most %.1f ms of CPU time\n",
                    count, toMilliseconds(scheduler.now() - start) / 1000,
                    toMilliseconds(gap.longest()), toMilliseconds(gap.mostCpu()));
    }
    host.quitGracefully(app);
    QMetaObject::invokeMethod(&app, &QCoreApplication::quit, Qt::QueuedConnection);
    return QCoreApplication::exec();
}
