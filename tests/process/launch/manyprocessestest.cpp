// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include <Rekindle/ProcessAgent>
#include <Rekindle/TimerScheduler>

#include <fcntl.h>

#include <csignal>
#include <memory>
#include <vector>

using namespace Rekindle;

namespace {
bool isFree(int descriptor) { return ::fcntl(descriptor, F_GETFD) < 0; }
} // namespace

class ManyProcessesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void thousandProcessesRestart()
    {
        constexpr int count = 1000;
        TimerScheduler scheduler;
        ProcessDefinition definition;
        definition.program = QStringLiteral("sleep");
        definition.arguments = {QStringLiteral("1000")};
        definition.readiness.kind = Readiness::Kind::Now;
        int started = 0;
        int failed = 0;
        int stopped = 0;
        std::vector<std::unique_ptr<ProcessAgent>> agents;
        for (int i = 0; i < count; ++i) {
            ProcessAgent *agent =
                agents.emplace_back(std::make_unique<ProcessAgent>(definition, scheduler)).get();
            connect(agent, &Agent::started, this, [&] { ++started; });
            connect(agent, &Agent::stopped, this, [&] { ++stopped; });
            connect(agent, &Agent::failed, this, [&, agent] {
                ++failed;
                agent->start();
            });
            agent->start();
            // A launch copies the descriptor table up to the highest number among the child's own
            // streams.
            if (started == 200)
                QVERIFY(isFree(100));
        }
        QCOMPARE(started, count);
        for (const auto &agent : agents)
            ::kill(static_cast<pid_t>(agent->processId()), SIGKILL);
        QTRY_COMPARE_WITH_TIMEOUT(started, 2 * count, 60000);
        QCOMPARE(failed, count);
        for (const auto &agent : agents)
            agent->stop();
        QTRY_COMPARE_WITH_TIMEOUT(stopped, count, 60000);
        QCOMPARE(started, 2 * count);
        QCOMPARE(failed, count);
        // No timers of the stops remain.
        QCOMPARE(scheduler.armedCount(), std::size_t{0});
    }
};

REKINDLE_TEST(ManyProcessesTest)
#include "manyprocessestest.moc"
