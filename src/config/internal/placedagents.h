// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "fleet/internal/fleetbreakers.h"
#include "groups/internal/holdset.h"

#include <rekindle/config/export.h>
#include <rekindle/config/fleetdefinition.h>
#include <rekindle/control/fleetcontrol.h>
#include <rekindle/groups/sharedbreakers.h>

#include <QHash>
#include <QPointer>
#include <QSet>

namespace Rekindle {

/// The placed agents of a host: it starts and stops them as a FleetNode requires. A start of an
/// agent that this node does not own is held with Hold::Lease. It also connects the shared breakers
/// of the host with those of the other nodes.
///
/// Use it from the thread of the supervisor.
class REKINDLE_CONFIG_EXPORT PlacedAgents final : public QObject,
                                                  public FleetControl,
                                                  private FleetAgents
{
    Q_OBJECT

public:
    struct Options
    {
        FleetDefinition fleet{};
        QString run{};         ///< FleetNodeOptions::run
        QString previousRun{}; ///< FleetNodeOptions::previousRun
        /// KillDeadline::set(), except in tests.
        std::function<bool(Instant)> setKillDeadline{};
        /// Whether no process of an earlier host is left; empty: none is.
        std::function<bool()> isPreviousGone{};
    };

    /// `boot` has the boot clock. All must outlive this object.
    PlacedAgents(AgentSupervisor &supervisor, FleetStore &store, Scheduler &boot, Options options);
    ~PlacedAgents() override;

    /// Places an agent before its first start, or changes its placement.
    void place(const QUuid &id, const FleetPlacement &placement);

    /// Shares the breakers that are fleet-wide with the other nodes. The store is that of the
    /// constructor.
    void share(SharedBreakers &breakers, FleetStore &store);

    /// Contends for the agents with a planned start. Call it when the agents have been started.
    void begin();

    /// Releases the agents as they stop, and ends the session. Call it when the supervisor stops
    /// all agents. left() follows.
    void leave();
    [[nodiscard]] bool hasLeft() const { return m_hasLeft; }

    [[nodiscard]] const FleetDefinition &fleet() const { return m_options.fleet; }

    [[nodiscard]] FleetStatus status() const override;
    [[nodiscard]] std::optional<AgentStatus::Placement>
    placement(const QString &agent) const override;
    void setDraining(bool draining) override;
    [[nodiscard]] QString move(const QString &agent, const QString &node) override;

Q_SIGNALS:
    /// Something that an operator should know.
    void faulted(const QString &text);
    void left();

private:
    void start(const QString &agent, qint64 token) override;
    void stop(const QString &agent) override;
    void setKillDeadline(Instant deadline) override;
    void report(const QString &fault) override;

    void startNode();
    void follow(const QUuid &id);
    [[nodiscard]] bool permits(const QUuid &id);
    void liftRefused();
    void followStore();
    void followBreakers();
    void reportStoreLoss();
    [[nodiscard]] QString textOf(const QString &agent, const FleetAgentStatus &status) const;
    [[nodiscard]] AgentStatus::Placement placementOf(const QString &agent) const;
    [[nodiscard]] Duration until(Instant time) const { return time - m_boot.now(); }

    struct Placed
    {
        QString name{};
        FleetPlacement placement{};
        bool isAlive = false; ///< as far as follow() knows
    };

    AgentSupervisor &m_supervisor;
    RestartPolicyEvaluator &m_evaluator;
    Scheduler &m_boot;
    const Options m_options;
    QHash<QUuid, Placed> m_placed;
    QSet<QUuid> m_wanted;   ///< the node contends for them, or owns them
    QSet<QUuid> m_stopping; ///< until they are reaped
    QSet<QUuid> m_refused;  ///< owned, and held because the lease had expired
    bool m_hasBegun = false;
    bool m_hasLeft = false;
    bool m_isGuarded = true;    ///< the last kill deadline was set
    bool m_isStoreLost = false; ///< and reported
    bool m_isWaiting = false;   ///< for an earlier host, and reported
    Deadline m_storeLoss;
    Deadline m_nextStart;
    QPointer<SharedBreakers> m_shared;
    FleetNode m_node;
    std::unique_ptr<FleetBreakers> m_breakers;
    HoldSet m_holds;
};

} // namespace Rekindle
