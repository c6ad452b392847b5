// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A host that ends while a worker of it does what the argument says:
//   runs        the worker is well; the agent is destroyed as the last thing before the application
//   kept        the same, but nobody destroys the agent
//   hangs       it hangs, and so it does when the agent is destroyed
//   kept-hangs  the same, but nobody destroys the agent
//   abandoned   it hangs and its thread was abandoned before
//   late        it hangs, and comes back while the program ends

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
    /// `hang` is called where it is to hang, in its thread.
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
    // What a late worker writes and what the end of the program flushes must not be the same.
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
    // Not before it hangs.
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
        // Where a leak detector finds them: they are still there on purpose.
        static const WorkerAgent *const keptAgent = agent.release();
        static const TimerScheduler *const keptScheduler = scheduler.release();
        Q_UNUSED(keptAgent)
        Q_UNUSED(keptScheduler)
    }
    return status;
}
