// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/fleet/fleetplacement.h>
#include <rekindle/fleet/fleetstatus.h>
#include <rekindle/fleet/fleetstore.h>
#include <rekindle/fleet/fleettimes.h>
#include <rekindle/lifecycle/scheduler.h>

#include <memory>

namespace Rekindle {

/// What FleetNode does with the placed agents of its host. The functions may call FleetNode.
class REKINDLE_FLEET_EXPORT FleetAgents
{
public:
    FleetAgents() = default;
    virtual ~FleetAgents();
    Q_DISABLE_COPY_MOVE(FleetAgents)

    /// Starts an agent, unless an operator has stopped it: the node owns it then without a process.
    /// The token is the fencing token of its processes, also after local restarts.
    virtual void start(const QString &agent, qint64 token) = 0;

    /// Stops an agent and prevents local restarts. Call FleetNode::reaped() when no process is
    /// left, also if none was running.
    virtual void stop(const QString &agent) = 0;

    /// The guard kills all placed processes of this node at this time of the boot clock; a process
    /// that is started later, at once. Only an acknowledged renewal moves it.
    virtual void setKillDeadline(Instant deadline) = 0;

    /// Reports a fault to the operator.
    virtual void report(const QString &fault) = 0;
};

struct FleetNodeOptions
{
    QString node{};        ///< the id of the node
    QString run{};         ///< the run id of the host; stored in its state file before start()
    QString previousRun{}; ///< from the state file if it is of this boot and no process is left
    FleetTimes times{};
};

/// The rules of a node of a fleet (fleet design 4 and 8): it renews one session, and owns placed
/// agents while the session is held. One renewal costs the same with any number of agents.
///
/// Use it from one thread.
class REKINDLE_FLEET_EXPORT FleetNode : public QObject
{
    Q_OBJECT

public:
    /// The scheduler's clock is the boot clock of the machine. All must outlive the node.
    FleetNode(FleetStore &store, Scheduler &scheduler, FleetAgents &agents,
              FleetNodeOptions options);
    ~FleetNode() override;
    Q_DISABLE_COPY_MOVE(FleetNode)

    /// Begins to read the store.
    void start();
    /// Stops and releases all agents and ends the session, so that other nodes need not wait for D.
    /// Emits ended() at most 4 s after the last one is reaped, or inside this call.
    void shutDown();

    /// Adds an agent, or changes its placement. The node contends for it.
    void add(const QString &agent, const FleetPlacement &placement);
    /// The node contends for the agent again after withdraw(): an operator has started it.
    void contend(const QString &agent);
    /// The agent is Exhausted or Failed and has no process: its ownership is released, and the node
    /// does not contend for it.
    void withdraw(const QString &agent);
    /// The same for an agent that was removed from the configuration. It is forgotten.
    void remove(const QString &agent);
    /// No process of an agent is left after FleetAgents::stop().
    void reaped(const QString &agent);

    /// Hands over all agents, one by one, or contends again. The other nodes see it in the session.
    void setDraining(bool draining);
    [[nodiscard]] bool isDraining() const;
    /// Whether the node has no agents and hands over all that it acquires.
    [[nodiscard]] bool isDrained() const;
    /// Hands over an agent to a node. If that node does not acquire it within 5 s, any node does.
    /// Returns false if the agent does not run here, or if that node has no session.
    [[nodiscard]] bool move(const QString &agent, const QString &node);

    /// Whether a process of the agent may be started now. Check it before each start: a timer may
    /// be late.
    [[nodiscard]] bool permits(const QString &agent) const;
    /// The fencing token of an agent that runs here, otherwise 0.
    [[nodiscard]] qint64 token(const QString &agent) const;
    /// Whether the session exists and its lease has not expired.
    [[nodiscard]] bool isHeld() const;
    /// When the placed agents are stopped if no further renewal is acknowledged. Only valid with a
    /// session.
    [[nodiscard]] Instant leaseEnd() const;

    /// Also reports this record with observed(). The key must begin with `state/`.
    void observe(const QByteArray &key);

    [[nodiscard]] FleetAgentStatus status(const QString &agent) const;
    /// The sessions of all nodes that were observed, also of this one.
    [[nodiscard]] QList<FleetSessionStatus> sessions() const;
    /// When the first of the requests ended that the store has not answered; empty if it has
    /// answered the last one.
    [[nodiscard]] std::optional<Instant> storeLostSince() const;
    /// Why the store did not answer the last request; empty: it has answered.
    [[nodiscard]] QString storeError() const;

Q_SIGNALS:
    /// The status of an agent, isHeld() or storeLostSince() has changed. Emitted once for changes
    /// of the same time. Renewals and the passing of `due` are not reported.
    void changed();
    /// A record of observe() was read, or has changed, at this revision of the store. Both
    /// revisions of the record are 0 if it is absent.
    void observed(const Rekindle::FleetRecord &record, qint64 revision);
    /// Nothing is left of the node: call its destructor.
    void ended();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
