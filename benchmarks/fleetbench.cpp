// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/etcd/etcdstore.h>
#include <rekindle/fleet/fleetnode.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <etcd/etcdserver.h>
#include <etcd/storecalls.h>

#include <QCoreApplication>

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

// N nodes with M placed agents each on one etcd, in real time and with the default times: the
// writes per second while nothing happens, and the time until other nodes have all agents of a node
// that has died. The agents have no processes.
//
//   fleetbench [N [M [SECONDS]]]

namespace {

using namespace Rekindle;

// A node of the fleet with its own connections.
class Node final : public FleetAgents
{
public:
    Node(const EtcdOptions &options, Scheduler &scheduler, QString id)
        : name(std::move(id))
        , m_store(options)
        , m_node(m_store, scheduler, *this, {.node = name, .run = name + QLatin1String("-run")})
    {
    }

    void add(const QString &agent, const QString &preferred)
    {
        m_node.add(agent, {.prefer = {preferred}, .keep = false});
    }
    void begin() { m_node.start(); }

    void start(const QString &agent, qint64) override { running.append(agent); }
    void stop(const QString &agent) override
    {
        ++stops;
        running.removeOne(agent);
        m_node.reaped(agent);
    }
    void setKillDeadline(Instant) override {}
    void report(const QString &fault) override { std::fprintf(stderr, "%s\n", qPrintable(fault)); }

    const QString name;
    QStringList running;
    int stops = 0; ///< none is expected

private:
    EtcdStore m_store;
    FleetNode m_node;
};

double seconds(Duration time) { return std::chrono::duration<double>(time).count(); }

double processorSeconds()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto ofTime = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return ofTime(usage.ru_utime) + ofTime(usage.ru_stime);
}

class FleetBench
{
public:
    FleetBench(int nodes, int agents)
        : m_agents(agents)
    {
        for (int i = 0; i < nodes; ++i)
            m_names.append(QStringLiteral("node%1").arg(i));
    }

    // One after the other, so that no request waits for long. Each agent is on the node that it
    // prefers.
    void begin()
    {
        if (!m_etcd.waitUntilReady())
            qFatal("etcd does not answer");
        m_options.endpoints = m_etcd.urls();
        const Instant before = m_scheduler.now();
        for (const QString &name : m_names) {
            m_nodes.push_back(std::make_unique<Node>(m_options, m_scheduler, name));
            Node &node = *m_nodes.back();
            for (int i = 0; i < m_agents; ++i)
                node.add(agentOf(name, i), name);
            if (name != m_names.first())
                addSuccessor(node);
            node.begin();
            if (!waitUntil([&] { return node.running.size() >= m_agents; }))
                qFatal("%s runs %lld agents", qPrintable(name), qlonglong{node.running.size()});
        }
        std::printf("%lld nodes with %d agents each have begun after %.1f s\n",
                    qlonglong{m_names.size()}, m_agents, seconds(m_scheduler.now() - before));
    }

    void measureWrites(Duration time)
    {
        const qint64 revision = currentRevision();
        const double processor = processorSeconds();
        const Instant before = m_scheduler.now();
        (void)waitUntil([&] { return m_scheduler.now() - before >= time; });
        const qint64 writes = currentRevision() - revision;
        const double elapsed = seconds(m_scheduler.now() - before);
        std::printf("%.2f writes per second, %.1f %% of a core for all nodes\n",
                    static_cast<double>(writes) / elapsed,
                    100 * (processorSeconds() - processor) / elapsed);
    }

    // The node is destroyed without a release, as if its machine had lost power.
    void measureDeath()
    {
        if (m_nodes.size() < 2)
            return;
        m_nodes.erase(m_nodes.begin());
        const Instant before = m_scheduler.now();
        std::vector<double> times; // of the takeovers
        const bool isDone = waitUntil([&] {
            qsizetype taken = 0;
            for (const auto &node : m_nodes)
                taken += node->running.size() - m_agents;
            while (std::ssize(times) < taken)
                times.push_back(seconds(m_scheduler.now() - before));
            return taken >= m_agents;
        });
        if (!isDone)
            qFatal("%zu agents were taken over", times.size());
        std::printf("%zu takeovers, the first %.1f s and the last %.1f s after the death\n",
                    times.size(), times.front(), times.back());
    }

    void printStops() const
    {
        int stops = 0;
        for (const auto &node : m_nodes)
            stops += node->stops;
        std::printf("%d stops\n", stops);
    }

private:
    static QString agentOf(const QString &node, int index)
    {
        return QStringLiteral("%1-agent%2").arg(node).arg(index);
    }
    // The agents of the first node are in the configuration of those nodes that contend first; so
    // many nodes with all agents need too much memory for one process.
    void addSuccessor(Node &node) const
    {
        QStringList others = m_names;
        others.removeOne(m_names.first());
        others.removeOne(node.name);
        for (int i = 0; i < m_agents; ++i) {
            const QString agent = agentOf(m_names.first(), i);
            if (fleetRank(node.name, agent, {m_names.first()}, others) < 3)
                node.add(agent, m_names.first());
        }
    }
    [[nodiscard]] qint64 currentRevision() const
    {
        EtcdStore store(m_options);
        return readFrom(store, "none").revision;
    }

    int m_agents;
    QStringList m_names;
    EtcdCluster m_etcd;
    EtcdOptions m_options;
    TimerScheduler m_scheduler;
    std::vector<std::unique_ptr<Node>> m_nodes;
};

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    FleetBench bench(arguments.value(1, QStringLiteral("200")).toInt(),
                     arguments.value(2, QStringLiteral("100")).toInt());
    bench.begin();
    bench.measureWrites(std::chrono::seconds(arguments.value(3, QStringLiteral("30")).toInt()));
    bench.measureDeath();
    bench.printStops();
    return EXIT_SUCCESS;
}
