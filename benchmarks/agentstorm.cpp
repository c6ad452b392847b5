// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <QCoreApplication>
#include <QFile>
#include <QLoggingCategory>

#include <cstdio>
#include <cstdlib>
#include <vector>

// Wall time of restarting N in-process agents that fail at once (three times), and memory per
// agent. Compared with Erlang/OTP.
//
//   agentstorm [N]

namespace {

using namespace Rekindle;

class Ember final : public Agent
{
public:
    explicit Ember(int &running)
        : m_running(running)
    {
    }

    void start() override
    {
        Q_EMIT started();
        Q_EMIT ready();
        ++m_running;
    }
    void stop() override { Q_EMIT stopped(); }
    void crash()
    {
        --m_running;
        Q_EMIT failed(FailureReason::UnhandledException, {});
    }

private:
    int &m_running;
};

long residentKilobytes()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    const QList<QByteArray> lines = status.readAll().split('\n');
    for (const QByteArray &line : lines) {
        if (line.startsWith("VmRSS:"))
            return line.mid(6).simplified().split(' ').first().toLong();
    }
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_NO_GLIB", "1");
    QCoreApplication app(argc, argv);
    QLoggingCategory::setFilterRules(QStringLiteral("rekindle.restart=false"));
    const int count = QCoreApplication::arguments().value(1, QStringLiteral("100000")).toInt();

    RestartPolicy policy;
    policy.type = RestartPolicyType::Immediate;
    policy.maxRetries.reset();
    policy.circuitBreaker.reset();

    const long before = residentKilobytes();
    int running = 0;
    TimerScheduler scheduler;
    AgentSupervisor supervisor(scheduler);
    FixedLicenseProvider license(LicenseTier::Enterprise);
    supervisor.featureGate().setProvider(&license);
    std::vector<Ember *> embers;
    for (int i = 0; i < count; ++i) {
        auto ember = std::make_unique<Ember>(running);
        embers.push_back(ember.get());
        if (!supervisor.add(QStringLiteral("agent-%1").arg(i), std::move(ember), policy))
            return EXIT_FAILURE;
    }
    supervisor.startAll();
    while (running < count)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    const double perAgent = static_cast<double>(residentKilobytes() - before) / count;
    std::printf("n=%d resident per agent: %.2f kB; all fail, all restarted, ms:", count, perAgent);

    const SystemClock clock;
    for (int storm = 0; storm < 5; ++storm) {
        const Instant start = clock.now();
        for (Ember *ember : embers)
            ember->crash();
        while (running < count)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        std::printf(" %.0f", toMilliseconds(clock.now() - start));
    }
    std::printf("\n");
    return EXIT_SUCCESS;
}
