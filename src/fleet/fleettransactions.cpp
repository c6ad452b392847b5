// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fleettransactions_p.h"

namespace Rekindle {

using Revision = FleetTransaction::Revision;

FleetTransactions::FleetTransactions(const QString &node, const QString &run)
    : m_self{.node = node, .run = run}
    , m_key(fleetNodeKey(node))
{
}

FleetTransaction FleetTransactions::beginSession(const FleetSession &session) const
{
    return {{{m_key, Revision::Mod, 0}}, {{m_key, toJson(session)}}};
}

FleetTransaction FleetTransactions::renew(qint64 own, const FleetSession &session) const
{
    return {{ownSession(own)}, {{m_key, toJson(session)}}};
}

FleetTransaction FleetTransactions::removeOwnRun(qint64 createRevision) const
{
    return {{ownSession(createRevision)}, {{m_key, std::nullopt}}};
}

FleetTransaction FleetTransactions::removeForeignRun(qint64 modRevision) const
{
    return {{{m_key, Revision::Mod, modRevision}}, {{m_key, std::nullopt}}};
}

FleetTransaction FleetTransactions::acquire(qint64 own, const QString &agent,
                                            qint64 modRevision) const
{
    return {{ownSession(own), {fleetAgentKey(agent), Revision::Mod, modRevision}}, {holder(agent)}};
}

FleetTransaction FleetTransactions::takeOver(qint64 own, const QString &agent, qint64 modRevision,
                                             const FleetRecord &session) const
{
    FleetTransaction transaction = acquire(own, agent, modRevision);
    transaction.comparisons.push_back({session.key, Revision::Mod, session.modRevision});
    transaction.writes.push_back({session.key, std::nullopt});
    return transaction;
}

FleetTransaction FleetTransactions::takeOverAbsent(qint64 own, const QString &agent,
                                                   qint64 modRevision,
                                                   const FleetRecord &session) const
{
    FleetTransaction transaction = acquire(own, agent, modRevision);
    transaction.comparisons.push_back({session.key, Revision::Create, session.createRevision});
    return transaction;
}

FleetTransaction FleetTransactions::release(qint64 own, const QString &agent, qint64 modRevision,
                                            const QString &next) const
{
    FleetOwnership released = m_self;
    released.token = modRevision;
    released.released = true;
    released.next = next;
    const QByteArray key = fleetAgentKey(agent);
    return {{ownSession(own), {key, Revision::Mod, modRevision}}, {{key, toJson(released)}}};
}

FleetTransaction::Comparison FleetTransactions::ownSession(qint64 createRevision) const
{
    return {m_key, Revision::Create, createRevision};
}

FleetTransaction::Write FleetTransactions::holder(const QString &agent) const
{
    return {fleetAgentKey(agent), toJson(m_self)};
}

} // namespace Rekindle
