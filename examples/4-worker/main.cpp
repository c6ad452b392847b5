// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A worker in its own thread: an index that throws two exceptions and is restarted each time.

#include <QCoreApplication>
#include <QTextStream>
#include <QTimer>
#include <Rekindle/AgentSupervisor>
#include <Rekindle/FeatureGate>
#include <Rekindle/FixedLicenseProvider>
#include <Rekindle/WorkerAgent>

#include <atomic>
#include <stdexcept>

using namespace std::chrono_literals;

class Index : public QObject
{
public:
    explicit Index(bool isBroken)
    {
        if (isBroken)
            m_timer.callOnTimeout([] { throw std::runtime_error("index is corrupt"); });
        m_timer.start(50ms);
    }

private:
    QTimer m_timer;
};

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    Rekindle::FixedLicenseProvider license(Rekindle::LicenseTier::Enterprise);
    Rekindle::AgentSupervisor supervisor;
    supervisor.featureGate().setProvider(&license);

    // The factory runs in the worker's thread, once per start.
    const auto starts = std::make_shared<std::atomic<int>>(0);
    auto agent = std::make_unique<Rekindle::WorkerAgent>(
        [starts](const Rekindle::WorkerContext &) {
            return std::make_unique<Index>(++*starts < 3);
        },
        Rekindle::WorkerOptions{.threadName = QStringLiteral("index")}, supervisor.scheduler());
    const auto added = supervisor.add(QStringLiteral("index"), std::move(agent),
                                      {.initialDelay = 100ms, .stableAfter = 1s});

    QTextStream out(stdout);
    QObject::connect(&supervisor, &Rekindle::AgentSupervisor::lifecycleEvent, &app,
                     [&out](const Rekindle::LifecycleEvent &event) {
                         out << Rekindle::eventType(event) << Qt::endl;
                     });
    supervisor.quitGracefully(app);
    // Queued, so that all slots of the event are called before the agents stop.
    QObject::connect(&supervisor, &Rekindle::AgentSupervisor::agentStable, &app,
                     &QCoreApplication::quit, Qt::QueuedConnection);
    supervisor.start(added.id);
    return QCoreApplication::exec();
}
