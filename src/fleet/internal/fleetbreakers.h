// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/fleet/fleetnode.h>
#include <rekindle/fleet/fleetrecords.h>

#include <QSet>

#include <functional>
#include <map>

namespace Rekindle {

/// The rules of the shared breakers of a fleet (fleet design 9), for one node. A breaker of the
/// host opens and closes by itself, and counts its own times. This class writes its changes to the
/// store, reports the changes of other nodes, and permits a trial on one node at a time.
///
/// If the store has not answered for R, the breaker of the host decides alone.
class REKINDLE_FLEET_EXPORT FleetBreakers
{
public:
    using State = CircuitBreakerState;

    /// What this class does with the breakers of the host. The functions may call it.
    struct Host
    {
        /// Another node has opened or closed a breaker. The open time begins now, and a trial of
        /// this host has ended. Also called if another node begins a trial: it is open then.
        std::function<void(const QString &breaker, State state, int reopened)> follow;
        /// permitsTrial() may return another value.
        std::function<void(const QString &breaker)> tryTrial;
        /// Reports a fault to the operator.
        std::function<void(const QString &fault)> report;
    };

    /// The store, the scheduler and the options are those of the node. All must outlive this
    /// object.
    FleetBreakers(FleetNode &node, FleetStore &store, Scheduler &scheduler,
                  FleetNodeOptions options, Host host);
    ~FleetBreakers();
    Q_DISABLE_COPY_MOVE(FleetBreakers)

    /// The state of a breaker of the host, without an isolation. Call it with each change. A
    /// breaker that is new is added.
    void setState(const QString &name, State state, int reopened);
    /// Forgets all other breakers. Their trials end.
    void retain(const QSet<QString> &names);

    /// Whether a trial of an open breaker may begin now. If not, the node contends for it, and
    /// Host::tryTrial follows. An unknown breaker is permitted.
    [[nodiscard]] bool permitsTrial(const QString &name);
    /// The node that has the trial, if it is another one; otherwise empty.
    [[nodiscard]] QString trialNode(const QString &name) const;

private:
    struct Breaker;

    [[nodiscard]] bool isOwn(const Breaker &breaker) const;
    [[nodiscard]] bool isStoreLost() const;
    [[nodiscard]] Instant holderLostAt(const Breaker &breaker) const;
    void observed(const FleetRecord &record, qint64 revision);
    void follow(Breaker &breaker);
    void publish(Breaker &breaker);
    void proceed(Breaker &breaker);
    void write(Breaker &breaker, State state);
    void written(Breaker &breaker, const FleetBreaker &value, Instant sentAt,
                 const FleetCommitResult &result);
    void due(Breaker &breaker);

    FleetNode &m_node;
    FleetStore &m_store;
    Scheduler &m_scheduler;
    const FleetNodeOptions m_options;
    const Host m_host;
    std::map<QString, Breaker> m_breakers;
    QObject m_context; ///< destroyed first
};

} // namespace Rekindle
