// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A custom agent: a feed that fails three times and is restarted each time.

#include <QCoreApplication>
#include <QTextStream>
#include <QTimer>
#include <Rekindle/Agent>
#include <Rekindle/AgentSupervisor>
#include <Rekindle/FeatureGate>
#include <Rekindle/FixedLicenseProvider>

using namespace std::chrono_literals;

class Feed : public Rekindle::Agent
{
public:
    void start() override
    {
        Q_EMIT started();
        Q_EMIT ready();
        if (++m_starts < 4)
            QTimer::singleShot(300ms, this, &Feed::lose);
    }
    void stop() override { Q_EMIT stopped(); }

private:
    void lose()
    {
        Q_EMIT failed(Rekindle::FailureReason::DependencyFailure,
                      {.message = QStringLiteral("no connection")});
    }
    int m_starts = 0;
};

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    Rekindle::FixedLicenseProvider license(Rekindle::LicenseTier::Enterprise);
    Rekindle::AgentSupervisor supervisor;
    supervisor.featureGate().setProvider(&license);
    const auto added = supervisor.add(QStringLiteral("feed"), std::make_unique<Feed>(),
                                      {.initialDelay = 100ms, .stableAfter = 1s});

    QTextStream out(stdout);
    QObject::connect(&supervisor, &Rekindle::AgentSupervisor::lifecycleEvent, &app,
                     [&out](const Rekindle::LifecycleEvent &event) {
                         out << Rekindle::eventType(event) << Qt::endl;
                     });
    supervisor.quitGracefully(app);
    QObject::connect(&supervisor, &Rekindle::AgentSupervisor::agentStable, &app,
                     &QCoreApplication::quit);
    supervisor.start(added.id);
    return QCoreApplication::exec();
}
