// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/fleet/fleetnode.h>
#include <rekindle/fleet/fleetrecords.h>

namespace Rekindle {

/// The own session of a node: begins and renews it, and counts its time. It creates all
/// transactions of the node (fleet design 4.1).
class FleetLease
{
public:
    FleetLease(FleetStore &fleetStore, Scheduler &nodeScheduler, FleetNodeOptions nodeOptions,
               FleetNode *fleetNode);
    virtual ~FleetLease() = default;
    Q_DISABLE_COPY_MOVE(FleetLease)

    /// The createRevision of the session, 0 without one.
    [[nodiscard]] qint64 session() const { return m_session; }
    [[nodiscard]] Instant leaseEnd() const { return m_sentAt + options.times.giveUp; }
    [[nodiscard]] Instant killDeadline() const { return m_sentAt + options.times.kill(); }
    [[nodiscard]] bool isHeld() const { return m_session != 0 && scheduler.now() < leaseEnd(); }
    /// Whether beginSession() or removeSession() is in flight.
    [[nodiscard]] bool isBeginning() const { return m_beginning; }

    void beginSession();
    /// Also writes the session if it does not contain `isDraining`.
    void renew();
    /// Deletes the session of this node.
    void removeSession(FleetTransaction::Comparison condition);
    /// The session was found to be deleted.
    void loseSession();

    /// A free or released agent, or one that this session holds without a process.
    [[nodiscard]] FleetTransaction acquisition(const FleetRecord &agent) const;
    /// From a holder whose session was not renewed for D since this renewal.
    [[nodiscard]] FleetTransaction takeover(const FleetRecord &agent, const FleetRecord &session,
                                            const FleetRecord &renewal) const;
    /// From a holder without a session: that of its node is absent, or of another run.
    [[nodiscard]] FleetTransaction takeover(const FleetRecord &agent,
                                            const FleetRecord &session) const;
    /// The process must be reaped. `next`: the node that contends first.
    [[nodiscard]] FleetTransaction release(const FleetRecord &agent, const QString &next) const;

    const FleetNodeOptions options;
    FleetStore &store;
    Scheduler &scheduler;
    FleetNode *const node;
    bool isDraining = false;

protected:
    /// Calls storeAnswered() before the callback.
    void send(const FleetTransaction &transaction, FleetStore::CommitCallback callback);
    /// What the session contains, as far as it was observed.
    [[nodiscard]] virtual bool isDrainingObserved() = 0;
    /// The session has begun.
    virtual void sessionBegun(const FleetRecord &record) = 0;
    /// `regained`: the lease was not held before.
    virtual void leaseRenewed(bool regained) = 0;
    /// R has passed. The session may still exist.
    virtual void leaseExpired() = 0;
    /// Another node has deleted the session.
    virtual void leaseLost() = 0;
    /// The session did not begin, or a session was removed: read the records.
    virtual void leaseNotBegun() = 0;
    /// A request to the store has a result, or it is unknown because of an error.
    virtual void storeAnswered(Instant sentAt, const QString &error) = 0;

private:
    [[nodiscard]] FleetTransaction::Write writeSession() const;
    void acknowledge(Instant sentAt);
    void forget();

    const QByteArray m_key;
    const QByteArray m_renewalKey;
    qint64 m_session = 0;
    bool m_beginning = false;
    /// When the last acknowledged renewal was sent. Others count D from a later time.
    Instant m_sentAt{};
    Deadline m_renewal;
    Deadline m_expiry; ///< armed until the lease has expired
};

} // namespace Rekindle
