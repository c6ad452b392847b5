// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/process/descriptorlimit.h>
#include <rekindle/process/processagent.h>

#include <QCoreApplication>
#include <QLoggingCategory>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Measures how the cost of a restart depends on the number of agents. N sleeping children are
// killed one after another, and the time from agentFailed() to agentStarted() is measured. The
// children have the default streams (stdout and stderr as lines), because each stream needs a
// descriptor of the host.
//
//   restartcurve [N] [KILLS]      default: 1000 200

namespace {
using namespace Rekindle;

ProcessDefinition sleepingChild()
{
    ProcessDefinition definition;
    definition.program = QStringLiteral("/bin/sleep");
    definition.arguments = {QStringLiteral("infinity")};
    return definition;
}

RestartPolicy immediatePolicy()
{
    RestartPolicy policy;
    policy.type = RestartPolicyType::Immediate;
    policy.maxRetries.reset();
    policy.circuitBreaker.reset();
    return policy;
}
} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_NO_GLIB", "1");
    QCoreApplication app(argc, argv);
    QLoggingCategory::setFilterRules(QStringLiteral("rekindle.restart=false"));
    const int count = argc > 1 ? std::atoi(argv[1]) : 1000;
    const int kills = argc > 2 ? std::atoi(argv[2]) : 200;
    if (count < 1 || kills < 1 || !DescriptorLimit::raise())
        return EXIT_FAILURE;

    TimerScheduler scheduler;
    AgentSupervisor supervisor(scheduler);
    FixedLicenseProvider license(LicenseTier::Enterprise);
    supervisor.featureGate().setProvider(&license);
    int started = 0;
    Instant failedAt;
    std::vector<double> microseconds;
    const RestartPolicyEvaluator &evaluator = supervisor.policyEvaluator();
    QObject::connect(&evaluator, &RestartPolicyEvaluator::agentFailed, &supervisor,
                     [&] { failedAt = scheduler.now(); });
    QObject::connect(&evaluator, &RestartPolicyEvaluator::agentStarted, &supervisor, [&] {
        if (++started > count)
            microseconds.push_back(1000 * toMilliseconds(scheduler.now() - failedAt));
    });
    for (int i = 0; i < count; ++i) {
        if (!supervisor.add(QStringLiteral("child-%1").arg(i),
                            std::make_unique<ProcessAgent>(sleepingChild(), scheduler),
                            immediatePolicy())) {
            return EXIT_FAILURE;
        }
    }
    const auto untilStarted = [&](int target) {
        while (started < target)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    };
    // By then, the last child has loaded its libraries.
    const auto untilOthersAreQuiet = [&scheduler] {
        bool isOver = false;
        Deadline pause(scheduler, [&isOver] { isOver = true; });
        pause.armIn(std::chrono::milliseconds(6));
        while (!isOver)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    };
    supervisor.startAll();
    untilStarted(count);

    const QList<QUuid> ids = supervisor.ids();
    for (int kill = 0; kill < kills; ++kill) {
        untilOthersAreQuiet();
        const QUuid &id = ids[kill % count];
        ::kill(static_cast<pid_t>(supervisor.agent(id)->processId()), SIGKILL);
        untilStarted(count + kill + 1);
    }
    std::sort(microseconds.begin(), microseconds.end());
    std::printf("n=%d: restart after %.0f us (median of %d)\n", count,
                microseconds[microseconds.size() / 2], kills);
    return EXIT_SUCCESS;
}
