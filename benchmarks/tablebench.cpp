// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agent.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/models/agenttablemodel.h>
#include <rekindle/models/localagents.h>

#include <QCoreApplication>
#include <QLoggingCategory>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

// CPU time of restarting N in-process agents that fail at once, in random order: without a table
// model, with one, with a view that reads its visible rows, and with a proxy model that sorts by
// state. Also prints the number of dataChanged() signals and of changed rows.
//
//   tablebench [N]      default: 10000

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

/// Reads what a view of 50 rows would display.
void readVisible(const QAbstractItemModel &model, const QModelIndex &first, const QModelIndex &last)
{
    constexpr int visible = 50;
    for (int row = first.row(); row <= std::min(last.row(), visible - 1); ++row) {
        for (int column = 0; column < model.columnCount(); ++column)
            static_cast<void>(model.index(row, column).data());
    }
}

enum class Subscriber { None, Model, View, Sorted };

bool measure(const char *name, int count, Subscriber subscriber)
{
    RestartPolicy policy;
    policy.type = RestartPolicyType::Immediate;
    policy.maxRetries.reset();
    policy.circuitBreaker.reset();

    int running = 0;
    FixedLicenseProvider license(LicenseTier::Enterprise);
    TimerScheduler scheduler;
    AgentSupervisor supervisor(scheduler);
    supervisor.featureGate().setProvider(&license);
    std::vector<Ember *> embers;
    for (int i = 0; i < count; ++i) {
        auto ember = std::make_unique<Ember>(running);
        embers.push_back(ember.get());
        if (!supervisor.add(QStringLiteral("agent-%1").arg(i), std::move(ember), policy))
            return false;
    }
    std::shuffle(embers.begin(), embers.end(), std::mt19937(1));

    LocalAgents agents(supervisor);
    std::unique_ptr<AgentTableModel> model;
    QSortFilterProxyModel sorted;
    qint64 signalCount = 0;
    qint64 rows = 0;
    if (subscriber != Subscriber::None) {
        model = std::make_unique<AgentTableModel>(agents);
        QObject::connect(model.get(), &QAbstractItemModel::dataChanged, model.get(),
                         [&](const QModelIndex &first, const QModelIndex &last) {
                             ++signalCount;
                             rows += last.row() - first.row() + 1;
                             if (subscriber == Subscriber::View)
                                 readVisible(*model, first, last);
                         });
    }
    if (subscriber == Subscriber::Sorted) {
        sorted.setSortRole(AgentTableModel::SortRole);
        sorted.setSourceModel(model.get());
        sorted.sort(AgentTableModel::State);
    }

    supervisor.startAll();
    const auto waitForAll = [&] {
        while (running < count)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QCoreApplication::processEvents();
    };
    waitForAll();
    signalCount = 0;
    rows = 0;
    const std::clock_t begin = std::clock();
    for (Ember *ember : embers)
        ember->crash();
    waitForAll();
    const double milliseconds =
        static_cast<double>(std::clock() - begin) * 1000 / static_cast<double>(CLOCKS_PER_SEC);
    std::printf("%-8s %8.1f ms CPU, %6lld dataChanged, %8lld rows\n", name, milliseconds,
                static_cast<long long>(signalCount), static_cast<long long>(rows));
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_NO_GLIB", "1");
    QCoreApplication app(argc, argv);
    QLoggingCategory::setFilterRules(QStringLiteral("rekindle.restart=false"));
    const int count = QCoreApplication::arguments().value(1, QStringLiteral("10000")).toInt();
    const bool done = measure("none", count, Subscriber::None)
        && measure("model", count, Subscriber::Model) && measure("view", count, Subscriber::View)
        && measure("sorted", count, Subscriber::Sorted);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
