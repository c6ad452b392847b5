// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "fleetlease_p.h"
#include "fleetobservations_p.h"

#include <map>

namespace Rekindle {

class FleetNode::Private final : public FleetLease::Listener
{
public:
    using Outcome = FleetCommitResult::Outcome;

    enum class Phase {
        Free,       ///< no process; the record may still name this node
        Acquiring,  ///< the write is in flight
        Running,    ///< acquired; the host runs it, or an operator has stopped it
        Stopping,   ///< until reaped
        Releasing,  ///< the write is in flight
        Unresolved, ///< a write is unknown; until the store was read again
    };

    struct Agent
    {
        Agent(Scheduler &scheduler, Deadline::Callback callback)
            : contention(scheduler, std::move(callback))
        {
        }

        QString name{};
        FleetPlacement placement{};
        Phase phase = Phase::Free;
        bool isWanted = true;
        qint64 token = 0; ///< of the last acquisition
        quint64 resolvedByRead = 0;

        FleetRecord record{}; ///< as FleetObservations::Session
        FleetOwnership ownership{};
        bool isMalformed = false;
        Instant since{};
        qint64 knownAt = 0;
        Deadline contention;
    };

    Private(FleetNode *node, FleetStore &fleetStore, Scheduler &nodeScheduler,
            FleetAgents &placedAgents, FleetNodeOptions nodeOptions);

    // Reading the store.
    void read();
    void readDone(const FleetReadResult &result);
    void watched(const FleetWatchEvent &event);
    void setRecord(const FleetRecord &record, qint64 revision);
    void setOwnership(Agent &agent, const FleetRecord &record, qint64 revision);

    // The session.
    void begin();
    void sessionReplaced(const QString &node);
    void sessionObserved(const QString &node);
    void considerAgentsOf(const QString &node);
    void leaseRenewed(bool regained) override;
    void leaseExpired() override;
    void leaseLost() override;
    void leaseNotBegun() override;

    // The agents.
    Agent *find(const QString &name);
    [[nodiscard]] bool isOwn(const Agent &agent) const;
    [[nodiscard]] Duration rankDelay(const Agent &agent) const;
    void contend(Agent &agent);
    void contendForAll();
    /// Whether the time of this node has come; otherwise contend() is called then.
    [[nodiscard]] bool isDue(Agent &agent, Instant freeSince);
    void takeOver(Agent &agent);
    /// `takenFrom`: the node whose session the transaction deletes.
    void commit(Agent &agent, Phase phase, const FleetTransaction &transaction,
                const QString &takenFrom = {});
    void takeOverEnded(const QString &node, Outcome outcome);
    void committed(Agent &agent, const FleetTransaction::Write &write,
                   const FleetCommitResult &result);
    void stop(Agent &agent);
    void becomeFree(Agent &agent);
    void drainNext();

    FleetNodeOptions options;
    FleetStore &store;
    Scheduler &scheduler;
    FleetAgents &agents;
    FleetTransactions transactions;
    FleetLease lease;
    FleetObservations sessions;
    std::map<QString, Agent> placed;
    QObject *context;

    std::unique_ptr<FleetStore::Watch> watch;
    bool isWatching = false;
    bool isReading = false;
    bool readAgain = false;
    bool isDraining = false;
    quint64 readNumber = 0;
    /// A session does not begin before this read: the last result was unknown or a conflict.
    quint64 beginsAfterRead = 1;
    Deadline readTimer;
};

} // namespace Rekindle
