// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/fleet/fleetstore.h>
#include <rekindle/lifecycle/scheduler.h>

#include <map>
#include <random>

namespace Rekindle {

class VirtualStore;

/// How the network between VirtualStoreServer and its clients fails.
struct VirtualStoreFaults
{
    Duration leastDelay = std::chrono::milliseconds(1); ///< of each message
    Duration mostDelay = std::chrono::milliseconds(10);
    double lost = 0; ///< the probability that a message is lost
    double late = 0; ///< the probability that a lost request is applied later, up to `latest`
    Duration latest = std::chrono::seconds(15);
};

/// The contents of a simulated store. Deterministic by its seed. Use it from one thread.
class REKINDLE_FLEET_EXPORT VirtualStoreServer
{
public:
    /// The scheduler must outlive the server, and the server its clients.
    VirtualStoreServer(Scheduler &scheduler, quint64 seed);
    ~VirtualStoreServer();
    Q_DISABLE_COPY_MOVE(VirtualStoreServer)

    void setFaults(const VirtualStoreFaults &faults) { m_faults = faults; }
    /// Without a majority of its nodes, the store answers nothing.
    void setAvailable(bool available) { m_available = available; }
    /// Calls `observer` after each applied transaction.
    void setObserver(std::function<void(const FleetTransaction &)> observer)
    {
        m_observer = std::move(observer);
    }
    /// Forgets past changes. A watch that has not received them ends.
    void compact() { m_compacted = m_revision; }

    [[nodiscard]] FleetCommitResult commit(const FleetTransaction &transaction);
    [[nodiscard]] FleetReadResult read(const QByteArray &prefix) const;
    [[nodiscard]] qint64 revision() const { return m_revision; }

private:
    friend class VirtualStore;

    [[nodiscard]] bool holds(const FleetTransaction::Comparison &comparison) const;
    [[nodiscard]] bool draw(double probability);
    [[nodiscard]] Duration between(Duration least, Duration most);
    [[nodiscard]] Duration messageDelay();
    void post(Duration delay, std::function<void()> action);
    /// Transports a request and calls `perform` when it arrives, if ever.
    void receive(bool isReachable, const std::function<void(bool isOnTime)> &perform);
    [[nodiscard]] FleetWatchEvent changesAfter(qint64 revision, const QByteArray &prefix) const;

    Scheduler &m_scheduler;
    std::mt19937_64 m_random;
    VirtualStoreFaults m_faults;
    bool m_available = true;
    std::function<void(const FleetTransaction &)> m_observer;
    qint64 m_revision = 1;
    qint64 m_compacted = 0;
    std::map<QByteArray, FleetRecord> m_records; ///< a deleted one has no createRevision
    quint64 m_lastMessage = 0;
    std::map<quint64, Deadline> m_messages;
    std::vector<VirtualStore *> m_clients;
};

/// A simulated store, as one node sees it (fleet design 2). It simulates delays, partitions,
/// unknown results, late application, and lost watches. Its timeouts run on the scheduler of the
/// node, whose clock may have another rate than that of the server.
class REKINDLE_FLEET_EXPORT VirtualStore final : public FleetStore
{
public:
    /// The server and the scheduler must outlive the store.
    VirtualStore(VirtualStoreServer &server, Scheduler &node);
    ~VirtualStore() override;

    void read(const QByteArray &prefix, QObject *context, ReadCallback callback) override;
    void commit(const FleetTransaction &transaction, QObject *context,
                CommitCallback callback) override;
    [[nodiscard]] std::unique_ptr<Watch> watch(const QByteArray &prefix, qint64 afterRevision,
                                               QObject *context, WatchCallback callback) override;

    /// A partition: messages are lost, and watches end after some seconds.
    void setReachable(bool reachable);
    /// Ends all watches.
    void loseWatches();
    /// The node was paused: it receives what is pending in any order within 2 s.
    void resumed();

private:
    friend class VirtualStoreServer;
    class VirtualWatch;

    template<typename Result>
    void request(QObject *context, std::function<void(const Result &)> callback,
                 std::function<Result(VirtualStoreServer &)> perform);
    void changed();

    VirtualStoreServer &m_server;
    Scheduler &m_node;
    bool m_reachable = true;
    quint64 m_lastRequest = 0;
    std::map<quint64, Deadline> m_requests;
    std::vector<VirtualWatch *> m_watches;
};

} // namespace Rekindle
