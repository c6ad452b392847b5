// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "fleettransactions_p.h"

#include <rekindle/fleet/fleetnode.h>

namespace Rekindle {

/// The own session of a node: begins and renews it, and counts its time.
class FleetLease
{
public:
    class Listener
    {
    public:
        Listener() = default;
        virtual ~Listener() = default;
        Q_DISABLE_COPY_MOVE(Listener)

        /// `regained`: the lease was not held before.
        virtual void leaseRenewed(bool regained) = 0;
        /// R has passed. The session may still exist.
        virtual void leaseExpired() = 0;
        /// Another node has deleted the session.
        virtual void leaseLost() = 0;
        /// The session did not begin, or a session was removed: read the records.
        virtual void leaseNotBegun() = 0;
        /// A request to the store has a result; false: it is unknown.
        virtual void storeAnswered(bool hasAnswered) = 0;
    };

    FleetLease(FleetStore &store, Scheduler &scheduler, const FleetNodeOptions &options,
               const FleetTransactions &transactions, QObject *context, Listener &listener);

    /// The createRevision of the session, 0 without one.
    [[nodiscard]] qint64 session() const { return m_session; }
    [[nodiscard]] Instant end() const { return m_sentAt + m_options.times.giveUp; }
    [[nodiscard]] Instant killDeadline() const { return m_sentAt + m_options.times.kill(); }
    [[nodiscard]] bool isHeld() const { return m_session != 0 && m_scheduler.now() < end(); }
    /// Whether begin() or remove() is in flight.
    [[nodiscard]] bool isBeginning() const { return m_beginning; }

    void begin();
    /// Removes the own session, or that of another run with the id of this node.
    void remove(const FleetTransaction &transaction);
    /// A session of this run was found in the store.
    void adopt(const FleetRecord &record);
    /// The session was found to be deleted.
    void lose();

private:
    [[nodiscard]] FleetSession sessionAt(Instant sentAt) const;
    void hold(qint64 session, Instant sentAt);
    void renew();
    void forget();
    void acknowledge(Instant sentAt);

    FleetStore &m_store;
    Scheduler &m_scheduler;
    const FleetNodeOptions &m_options;
    const FleetTransactions &m_transactions;
    QObject *m_context;
    Listener &m_listener;

    qint64 m_session = 0;
    bool m_beginning = false;
    bool m_expired = true;
    /// When the last acknowledged renewal was sent. Others count D from a later time.
    Instant m_sentAt{};
    Deadline m_renewal;
    Deadline m_expiry;
};

} // namespace Rekindle
