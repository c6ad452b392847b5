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

FleetTransaction FleetLease::writeSession(FleetTransaction::Comparison condition) const
{
    return {
        {std::move(condition)},
        {{m_key,
          toJson(FleetSession{
              .run = options.run, .duration = options.times.duration, .draining = isDraining})}}};
}

void FleetLease::beginSession()
{
    m_beginning = true;
    send(writeSession({m_key, Revision::Mod, 0}),
         [this, sentAt = scheduler.now()](const FleetCommitResult &result) {
             m_beginning = false;
             if (result.outcome != Outcome::Applied) {
                 leaseNotBegun();
                 return;
             }
             m_session = result.revision;
             m_sentAt = Instant::min();
             acknowledge(sentAt);
         });
}

void FleetLease::removeSession(Revision kind, qint64 revision)
{
    forget();
    m_beginning = true;
    send({{{m_key, kind, revision}}, {{m_key, {}}}}, [this](const FleetCommitResult &) {
        m_beginning = false;
        leaseNotBegun();
    });
}

// Other writes compare only the revisions of the session. A renewal is therefore repeated without a
// read, and several may be in flight.
void FleetLease::renew()
{
    m_renewal.armIn(options.times.retry);
    send(writeSession({m_key, Revision::Create, m_session}),
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
                                      bool isOfHolder) const
{
    FleetTransaction transaction = acquisition(agent);
    if (isOfHolder) {
        transaction.comparisons.push_back({session.key, Revision::Mod, session.modRevision});
        transaction.writes.push_back({session.key, {}});
    } else {
        transaction.comparisons.push_back({session.key, Revision::Create, session.createRevision});
    }
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
