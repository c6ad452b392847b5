// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fleetlease_p.h"

#include <algorithm>

namespace Rekindle {

using Outcome = FleetCommitResult::Outcome;

FleetLease::FleetLease(FleetStore &store, Scheduler &scheduler, const FleetNodeOptions &options,
                       const FleetTransactions &transactions, QObject *context, Listener &listener)
    : m_store(store)
    , m_scheduler(scheduler)
    , m_options(options)
    , m_transactions(transactions)
    , m_context(context)
    , m_listener(listener)
    , m_renewal(scheduler, [this] { renew(); })
    , m_expiry(scheduler, [this] {
        m_expired = true;
        m_listener.leaseExpired();
    })
{
}

FleetSession FleetLease::sessionAt(Instant sentAt) const
{
    return {.run = m_options.run,
            .renewal = std::chrono::floor<std::chrono::milliseconds>(sentAt.time_since_epoch()),
            .duration = m_options.times.duration};
}

void FleetLease::begin()
{
    m_beginning = true;
    const Instant sentAt = m_scheduler.now();
    m_store.commit(m_transactions.beginSession(sessionAt(sentAt)), m_context,
                   [this, sentAt](const FleetCommitResult &result) {
                       m_beginning = false;
                       m_listener.storeAnswered(result.outcome != Outcome::Unknown);
                       if (result.outcome == Outcome::Applied)
                           hold(result.revision, sentAt);
                       else
                           m_listener.leaseNotBegun();
                   });
}

void FleetLease::remove(const FleetTransaction &transaction)
{
    forget();
    m_beginning = true;
    m_store.commit(transaction, m_context, [this](const FleetCommitResult &result) {
        m_beginning = false;
        m_listener.storeAnswered(result.outcome != Outcome::Unknown);
        m_listener.leaseNotBegun();
    });
}

void FleetLease::adopt(const FleetRecord &record)
{
    // It contains when it was sent, because several writes may be unknown.
    if (const Parsed<FleetSession> found = fleetSessionFromJson(record.value))
        hold(record.createRevision, Instant(found.value->renewal));
}

void FleetLease::hold(qint64 session, Instant sentAt)
{
    m_session = session;
    m_sentAt = Instant::min();
    m_expired = true;
    acknowledge(sentAt);
}

// A renewal changes only the time of the session. It is therefore repeated without a read, and
// several may be in flight.
void FleetLease::renew()
{
    m_renewal.armIn(m_options.times.retry);
    const Instant sentAt = m_scheduler.now();
    m_store.commit(m_transactions.renew(m_session, sessionAt(sentAt)), m_context,
                   [this, sentAt, session = m_session](const FleetCommitResult &result) {
                       m_listener.storeAnswered(result.outcome != Outcome::Unknown);
                       if (session != m_session)
                           return;
                       if (result.outcome == Outcome::Applied)
                           acknowledge(sentAt);
                       else if (result.outcome == Outcome::Conflict)
                           lose();
                   });
}

void FleetLease::acknowledge(Instant sentAt)
{
    if (sentAt <= m_sentAt)
        return;
    m_sentAt = sentAt;
    m_renewal.arm(sentAt + m_options.times.renewal);
    m_expiry.arm(end());
    const bool regained = m_expired && isHeld();
    if (regained)
        m_expired = false;
    m_listener.leaseRenewed(regained);
}

void FleetLease::forget()
{
    m_session = 0;
    m_expired = true;
    m_renewal.disarm();
    m_expiry.disarm();
}

void FleetLease::lose()
{
    forget();
    m_listener.leaseLost();
}

} // namespace Rekindle
