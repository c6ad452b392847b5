// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/timerscheduler.h>

#include <QCoreApplication>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>
#include <vector>

// 100,000 pending restarts with random deadlines within a second: CPU time, lateness, and the cost
// of re-arming one of them. Compared with one QTimer each.
//
//   timerbench [rekindle|qtimer] [N]

namespace {

using namespace Rekindle;
using namespace std::chrono_literals;

double cpuSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

struct Run
{
    explicit Run(std::size_t count)
        : lateness(count)
    {
    }

    void report(const char *name, double cpu)
    {
        std::sort(lateness.begin(), lateness.end());
        const auto at = [&](double share) {
            const auto index =
                static_cast<std::size_t>(share * static_cast<double>(lateness.size() - 1));
            return toMilliseconds(lateness[index]);
        };
        const auto early = std::count_if(lateness.begin(), lateness.end(),
                                         [](Duration d) { return d < Duration::zero(); });
        std::printf("%-9s n=%zu cpu=%.3f s early=%td late ms: median=%.2f p99=%.2f max=%.2f\n",
                    name, lateness.size(), cpu, early, at(0.5), at(0.99), at(1.0));
    }

    std::vector<Duration> lateness;
    std::size_t fired = 0;
};

std::vector<Duration> randomDelays(std::size_t count)
{
    std::mt19937 random(7);
    std::uniform_int_distribution<std::int64_t> nanoseconds(0, 1'000'000'000);
    std::vector<Duration> delays(count);
    std::generate(delays.begin(), delays.end(), [&] { return Duration(nanoseconds(random)); });
    return delays;
}

void runRekindle(std::size_t count)
{
    TimerScheduler scheduler;
    Run run(count);
    const std::vector<Duration> delays = randomDelays(count);
    std::vector<std::unique_ptr<Deadline>> deadlines;
    std::vector<Instant> due(count);
    for (std::size_t i = 0; i < count; ++i) {
        deadlines.push_back(std::make_unique<Deadline>(scheduler, [&, i] {
            run.lateness[i] = scheduler.now() - due[i];
            if (++run.fired == count)
                QCoreApplication::quit();
        }));
    }
    const double before = cpuSeconds();
    for (std::size_t i = 0; i < count; ++i) {
        due[i] = scheduler.now() + delays[i];
        deadlines[i]->arm(due[i]);
    }
    QCoreApplication::exec();
    run.report("rekindle", cpuSeconds() - before);

    for (std::size_t i = 0; i < count; ++i)
        deadlines[i]->arm(scheduler.now() + 1h + delays[i]);
    std::mt19937 random(3);
    constexpr int rounds = 200'000;
    const double start = cpuSeconds();
    for (int round = 0; round < rounds; ++round)
        deadlines[random() % count]->arm(scheduler.now() + 1h + Duration(random()));
    std::printf("rekindle  n=%zu re-arm one: %.0f ns\n", count,
                (cpuSeconds() - start) * 1e9 / rounds);
}

void runQTimers(std::size_t count)
{
    Run run(count);
    const SystemClock clock;
    const std::vector<Duration> delays = randomDelays(count);
    std::vector<Instant> due(count);
    std::vector<std::unique_ptr<QTimer>> timers;
    const double before = cpuSeconds();
    for (std::size_t i = 0; i < count; ++i) {
        auto timer = std::make_unique<QTimer>();
        timer->setSingleShot(true);
        timer->setTimerType(Qt::PreciseTimer);
        QObject::connect(timer.get(), &QTimer::timeout, timer.get(), [&, i] {
            run.lateness[i] = clock.now() - due[i];
            if (++run.fired == count)
                QCoreApplication::quit();
        });
        due[i] = clock.now() + delays[i];
        timer->start(std::chrono::ceil<std::chrono::milliseconds>(delays[i]));
        timers.push_back(std::move(timer));
    }
    QCoreApplication::exec();
    run.report("qtimer", cpuSeconds() - before);
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_NO_GLIB", "1");
    QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const QString kind = arguments.value(1, QStringLiteral("rekindle"));
    const auto count =
        static_cast<std::size_t>(arguments.value(2, QStringLiteral("100000")).toUInt());
    if (kind == QLatin1String("qtimer"))
        runQTimers(count);
    else
        runRekindle(count);
    return EXIT_SUCCESS;
}
