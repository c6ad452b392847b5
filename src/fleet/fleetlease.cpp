// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fleetlease_p.h"

#include <utility>

namespace Rekindle {

using Outcome = FleetCommitResult::Outcome;
using Revision = FleetTransaction::Revision;

FleetLease::FleetLease(FleetStore &fleetStore, Scheduler &nodeScheduler,
                       FleetNodeOptions nodeOptions, FleetNode *fleetNode)
    : options(std::move(nodeOptions))
    , store(fleetStore)
    , scheduler(nodeScheduler)
    , node(fleetNode)
    , m_key(fleetNodeKey(options.node))
    , m_renewalKey(fleetRenewalKey(options.node))
    , m_renewal(scheduler, [this] { renew(); })
    , m_expiry(scheduler, [this] { leaseExpired(); })
{
}

void FleetLease::send(const FleetTransaction &transaction, FleetStore::CommitCallback callback)
{
    store.commit(transaction, node,
                 [this, sentAt = scheduler.now(),
                  callback = std::move(callback)](const FleetCommitResult &result) {
                     storeAnswered(sentAt, result.error);
                     callback(result);
                 });
}

FleetTransaction::Write FleetLease::writeSession() const
{
    return {m_key,
            toJson(FleetSession{
                .run = options.run, .duration = options.times.duration, .draining = isDraining})};
}

void FleetLease::beginSession()
{
    m_beginning = true;
    const FleetTransaction::Write session = writeSession();
    send({{{m_key, Revision::Mod, 0}}, {session, {m_renewalKey, options.run.toUtf8()}}},
         [this, value = *session.value, sentAt = scheduler.now()](const FleetCommitResult &result) {
             m_beginning = false;
             if (result.outcome != Outcome::Applied) {
                 leaseNotBegun();
                 return;
             }
             m_session = result.revision;
             m_sentAt = Instant::min();
             acknowledge(sentAt);
             sessionBegun({m_key, value, result.revision, result.revision});
         });
}

void FleetLease::removeSession(FleetTransaction::Comparison condition)
{
    forget();
    m_beginning = true;
    send({{std::move(condition)}, {{m_key, {}}, {m_renewalKey, {}}}},
         [this](const FleetCommitResult &) {
             m_beginning = false;
             leaseNotBegun();
         });
}

// No write of this session compares its renewal. A renewal is therefore repeated without a read,
// and several may be in flight.
void FleetLease::renew()
{
    m_renewal.armIn(options.times.retry);
    FleetTransaction renewal{{{m_key, Revision::Create, m_session}},
                             {{m_renewalKey, options.run.toUtf8()}}};
    if (isDraining != isDrainingObserved())
        renewal.writes.push_back(writeSession());
    send(renewal,
         [this, sentAt = scheduler.now(), session = m_session](const FleetCommitResult &result) {
             if (session != m_session)
                 return;
             if (result.outcome == Outcome::Applied)
                 acknowledge(sentAt);
             else if (result.outcome == Outcome::Conflict)
                 loseSession();
         });
}

void FleetLease::acknowledge(Instant sentAt)
{
    if (sentAt <= m_sentAt)
        return;
    const bool wasHeld = isHeld(); // its timer may be late
    m_sentAt = sentAt;
    m_renewal.arm(sentAt + options.times.renewal);
    const bool regained = !wasHeld && isHeld();
    if (isHeld())
        m_expiry.arm(leaseEnd());
    leaseRenewed(regained);
}

void FleetLease::forget()
{
    m_session = 0;
    m_renewal.disarm();
    m_expiry.disarm();
}

void FleetLease::loseSession()
{
    forget();
    leaseLost();
}

FleetTransaction FleetLease::acquisition(const FleetRecord &agent) const
{
    return {{{m_key, Revision::Create, m_session}, {agent.key, Revision::Mod, agent.modRevision}},
            {{agent.key, toJson(FleetOwnership{.node = options.node, .run = options.run})}}};
}

FleetTransaction FleetLease::takeover(const FleetRecord &agent, const FleetRecord &session,
                                      const FleetRecord &renewal) const
{
    FleetTransaction transaction = takeover(agent, session);
    transaction.comparisons.push_back({renewal.key, Revision::Mod, renewal.modRevision});
    transaction.writes.push_back({session.key, {}});
    transaction.writes.push_back({renewal.key, {}});
    return transaction;
}

FleetTransaction FleetLease::takeover(const FleetRecord &agent, const FleetRecord &session) const
{
    FleetTransaction transaction = acquisition(agent);
    transaction.comparisons.push_back({session.key, Revision::Create, session.createRevision});
    return transaction;
}

FleetTransaction FleetLease::release(const FleetRecord &agent, const QString &next) const
{
    FleetTransaction transaction = acquisition(agent);
    transaction.writes.front().value = toJson(
        FleetOwnership{.node = options.node, .run = options.run, .released = true, .next = next});
    return transaction;
}

} // namespace Rekindle
