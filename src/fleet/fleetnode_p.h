// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "fleetlease_p.h"
#include "fleetobservations_p.h"

#include <map>
#include <set>

namespace Rekindle {

class FleetNode::Private final : public FleetLease
{
public:
    using Outcome = FleetCommitResult::Outcome;
    using Revision = FleetTransaction::Revision;

    enum class Phase {
        Free,      ///< no process; the record may still name this node
        Acquiring, ///< the write is in flight
        Running,   ///< acquired; the host runs it, or an operator has stopped it
        Stopping,  ///< until reaped
        Releasing, ///< the write is in flight
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
        bool isRemoved = false; ///< forgotten when it is released
        QString next{};         ///< it is handed over to this node
        qint64 token = 0;       ///< of the last acquisition

        FleetRecord record{}; ///< as FleetObservations::Session
        FleetOwnership ownership{};
        bool isMalformed = false;
        Instant since{};
        qint64 knownAt = 0;
        Deadline contention;
    };

    Private(FleetNode *fleetNode, FleetStore &fleetStore, Scheduler &nodeScheduler,
            FleetAgents &placedAgents, FleetNodeOptions nodeOptions);

    // Reading the store.
    void read();
    void readRenewals();
    void readDone(const FleetReadResult &result);
    void watched(const FleetWatchEvent &event);
    void setRecord(const FleetRecord &record, qint64 revision);
    void setOwnership(Agent &agent, const FleetRecord &record, qint64 revision);
    void storeAnswered(Instant sentAt, const QString &error) override;

    // The session.
    void begin();
    void sessionReplaced(const QString &id);
    void sessionObserved(const QString &id);
    void considerAgentsOf(const QString &id);
    bool isDrainingObserved() override { return sessions.of(options.node).draining; }
    void sessionBegun(const FleetRecord &record) override
    {
        sessions.set(record, record.modRevision);
    }
    void leaseRenewed(bool regained) override;
    void leaseExpired() override;
    void leaseLost() override;
    void leaseNotBegun() override;

    // The agents.
    Agent *find(const QString &name);
    [[nodiscard]] bool isOwn(const Agent &agent) const;
    /// Whether any node may acquire it, or it belonged to an earlier run of this node.
    [[nodiscard]] bool isFree(const Agent &agent) const;
    /// Whether it is to run here if it is acquired.
    [[nodiscard]] bool isUsed(const Agent &agent) const;
    /// When this node contends for an agent if nothing is observed to change before.
    [[nodiscard]] Instant dueTime(const Agent &agent);
    [[nodiscard]] Duration rankDelay(const Agent &agent) const;
    [[nodiscard]] FleetAgentStatus::State stateOf(const Agent &agent) const;
    void contend(Agent &agent);
    void contendForAll();
    void commit(Agent &agent, Phase phase, const FleetTransaction &transaction);
    void committed(Agent &agent, const FleetTransaction::Write &write,
                   const FleetCommitResult &result);
    void stop(Agent &agent);
    void becomeFree(Agent &agent);
    void drainNext();
    void notify() { notice.armIn(Duration{0}); }

    FleetAgents &agents;
    FleetObservations sessions;
    std::map<QString, Agent> placed;
    std::set<QByteArray> observedKeys;

    std::unique_ptr<FleetStore::Watch> watch;
    bool isWatching = false;
    bool isReading = false;
    bool readAgain = false; ///< after the one in flight
    bool hasStarted = false;
    bool isEnding = false;
    bool hasEnded = false;
    Instant answeredAt = Instant::min(); ///< when the last answered request was sent
    std::optional<Instant> lostSince;
    Instant othersStartUntil{}; ///< preferred nodes without a session may be starting, too
    QString storeError;
    Deadline readTimer;
    Deadline renewalsTimer;
    Deadline notice;
};

} // namespace Rekindle
