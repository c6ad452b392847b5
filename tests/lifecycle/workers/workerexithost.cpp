// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A host that exits while its worker behaves by the argument:
//   runs        healthy; the agent is destroyed last before the application
//   kept        the same, but the agent is not destroyed
//   hangs       hangs, also when the agent is destroyed
//   kept-hangs  the same, but the agent is not destroyed
//   abandoned   hangs; its thread was abandoned before
//   late        hangs, and returns while the program exits

#include "lifecycle/workerstage.h"

#include <rekindle/lifecycle/timerscheduler.h>

#include <QTimer>

#include <cstdio>
#include <functional>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

// Never destroyed, because an abandoned thread may still use it.
Gate &gate()
{
    static auto *const it = new Gate;
    return *it;
}

class Worker : public QObject
{
public:
    /// `hang` blocks the thread of the worker.
    explicit Worker(const std::function<void()> &hang)
    {
        if (hang)
            m_timer.callOnTimeout(hang);
        m_timer.start(0ms);
    }
    ~Worker() override { std::fputs("worker destroyed\n", stdout); }
    Q_DISABLE_COPY_MOVE(Worker)

private:
    QTimer m_timer;
};

struct LateOpener
{
    LateOpener() = default;
    ~LateOpener() { gate().open(); }
    Q_DISABLE_COPY_MOVE(LateOpener)
};

} // namespace

int main(int argc, char **argv)
{
    // The output of a late worker must not be flushed again at the exit of the program.
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    QCoreApplication app(argc, argv);
    const QString mode = QString::fromLocal8Bit(argc > 1 ? argv[1] : "");
    const bool hangs = mode != QLatin1String("runs") && mode != QLatin1String("kept");
    const bool keeps = mode.startsWith(QLatin1String("kept"));
    if (mode == QLatin1String("late"))
        static const LateOpener opener;

    auto scheduler = std::make_unique<TimerScheduler>();
    std::unique_ptr<WorkerAgent> agent;
    const auto end = [&] {
        if (mode == QLatin1String("abandoned"))
            agent->stop();
        else
            QCoreApplication::quit();
    };
    // Ends the host only after the worker hangs.
    const auto hang = [&app, end] {
        QMetaObject::invokeMethod(&app, end, Qt::QueuedConnection);
        gate().pass();
    };
    agent = std::make_unique<WorkerAgent>(
        [=](const WorkerContext &) {
            return std::make_unique<Worker>(hangs ? std::function<void()>(hang) : nullptr);
        },
        WorkerOptions{.stopTimeout = 1ms, .threadName = QStringLiteral("busy")}, *scheduler);
    QObject::connect(agent.get(), &Agent::stopped, &app, &QCoreApplication::quit);
    if (!hangs)
        QObject::connect(agent.get(), &Agent::ready, &app, end);
    agent->start();
    const int status = QCoreApplication::exec();
    if (keeps) {
        // Kept reachable for the leak detector.
        static const WorkerAgent *const keptAgent = agent.release();
        static const TimerScheduler *const keptScheduler = scheduler.release();
        Q_UNUSED(keptAgent)
        Q_UNUSED(keptScheduler)
    }
    return status;
}
