// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "loopgap.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/process/processagent.h>

#include <QCoreApplication>
#include <QLoggingCategory>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

// N sleeping children are killed at once: the time until all are restarted, and the longest time
// for which the event loop was blocked (measured by a deadline every millisecond).
//
//   processstorm [N] [PROGRAM ARGUMENT...]      default: 1000 /bin/sleep infinity

using namespace Rekindle;

int main(int argc, char **argv)
{
    qputenv("QT_NO_GLIB", "1");
    QCoreApplication app(argc, argv);
    QLoggingCategory::setFilterRules(QStringLiteral("rekindle.restart=false"));
    QStringList arguments = QCoreApplication::arguments().mid(1);
    const int count = arguments.isEmpty() ? 1000 : arguments.takeFirst().toInt();
    if (arguments.isEmpty())
        arguments = {QStringLiteral("/bin/sleep"), QStringLiteral("infinity")};

    RestartPolicy policy;
    policy.type = RestartPolicyType::Immediate;
    policy.maxRetries.reset();
    policy.circuitBreaker.reset();

    ProcessDefinition definition;
    definition.program = arguments.takeFirst();
    definition.arguments = arguments;
    definition.standardOutput.kind = OutputTarget::Kind::Null;
    definition.standardError.kind = OutputTarget::Kind::Null;

    TimerScheduler scheduler;
    AgentSupervisor supervisor(scheduler);
    FixedLicenseProvider license(LicenseTier::Enterprise);
    supervisor.featureGate().setProvider(&license);
    int started = 0;
    QObject::connect(&supervisor.policyEvaluator(), &RestartPolicyEvaluator::agentStarted,
                     &supervisor, [&started] { ++started; });
    for (int i = 0; i < count; ++i) {
        if (!supervisor.add(QStringLiteral("child-%1").arg(i),
                            std::make_unique<ProcessAgent>(definition, scheduler), policy)) {
            return EXIT_FAILURE;
        }
    }
    const auto untilStarted = [&](int target) {
        while (started < target)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    };
    supervisor.startAll();
    untilStarted(count);

    LoopGap gap(scheduler);
    for (int storm = 1; storm <= 5; ++storm) {
        std::vector<pid_t> children;
        for (const QUuid &id : supervisor.ids())
            children.push_back(static_cast<pid_t>(supervisor.agent(id)->processId()));
        const Instant start = scheduler.now();
        for (const pid_t child : children)
            ::kill(child, SIGKILL);
        gap.begin();
        untilStarted(count * (storm + 1));
        gap.end();
        std::printf("storm of %d: all started again after %.0f ms, loop away at most %.1f ms\n",
                    count, toMilliseconds(scheduler.now() - start), toMilliseconds(gap.longest()));
    }
    return EXIT_SUCCESS;
}
