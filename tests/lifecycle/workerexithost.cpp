// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A host that ends while a worker of it does what the argument says:
//   runs     the worker is well; the agent is destroyed as the last thing before the application
//   hangs    it hangs, and so it does when the agent is destroyed
//   aside    it hangs and was set aside before
//   kept     it is well, and nobody destroys the agent
//   late     it hangs, and comes back while the program ends

#include "workerstage.h"

#include <rekindle/lifecycle/timerscheduler.h>

#include <QTimer>

#include <cstdio>
#include <functional>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

// Never destroyed, as whatever a stranded thread may still use.
Gate &gate()
{
    static auto *const it = new Gate;
    return *it;
}

class Worker : public QObject
{
public:
    /// `hang` is called where it is to hang, in its thread.
    explicit Worker(const std::function<void()> &hang)
    {
        if (hang)
            m_timer.callOnTimeout(hang);
        m_timer.start(0ms);
    }
    ~Worker() override
    {
        std::puts("worker destroyed");
        std::fflush(stdout);
    }
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
    QCoreApplication app(argc, argv);
    const QString mode = QString::fromLocal8Bit(argc > 1 ? argv[1] : "");
    const bool hangs = mode != QLatin1String("runs") && mode != QLatin1String("kept");
    if (mode == QLatin1String("late"))
        static const LateOpener opener;

    TimerScheduler scheduler;
    std::unique_ptr<WorkerAgent> agent;
    const auto end = [&] {
        if (mode == QLatin1String("aside"))
            agent->stop();
        else
            QCoreApplication::quit();
    };
    // Not before it hangs.
    const auto hang = [&app, end] {
        QMetaObject::invokeMethod(&app, end, Qt::QueuedConnection);
        gate().pass();
    };
    agent = std::make_unique<WorkerAgent>(
        [=](const WorkerContext &) {
            return std::make_unique<Worker>(hangs ? std::function<void()>(hang) : nullptr);
        },
        WorkerOptions{.stopTimeout = 1ms}, scheduler);
    QObject::connect(agent.get(), &Agent::stopped, &app, &QCoreApplication::quit);
    if (!hangs)
        QObject::connect(agent.get(), &Agent::ready, &app, end);
    agent->start();
    const int status = QCoreApplication::exec();
    if (mode == QLatin1String("kept"))
        (void)agent.release(); // NOLINT: that is what this mode is about
    return status;
}
