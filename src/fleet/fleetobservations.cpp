// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fleetobservations_p.h"

#include <rekindle/fleet/fleetrecords.h>

#include <utility>

namespace Rekindle {

FleetObservations::FleetObservations(Scheduler &scheduler, Duration duration, Callback replaced,
                                     Callback observed)
    : m_scheduler(scheduler)
    , m_duration(duration)
    , m_replaced(std::move(replaced))
    , m_observed(std::move(observed))
{
}

FleetObservations::Session &FleetObservations::of(const QString &node)
{
    const auto [place, isNew] =
        m_sessions.try_emplace(node, m_scheduler, [this, node] { checkUnchanged(node); });
    Session &session = place->second;
    if (isNew) {
        session.record.key = fleetNodeKey(node);
        session.renewal.key = fleetRenewalKey(node);
        session.since = m_scheduler.now();
        session.duration = m_duration;
    }
    return session;
}

void FleetObservations::set(const FleetRecord &record, qint64 revision)
{
    const QString node = QString::fromUtf8(record.key.sliced(fleetNodeKey({}).size()));
    Session &session = of(node);
    if (revision < session.knownAt)
        return;
    session.knownAt = revision;
    if (record == session.record)
        return;
    const bool replaced = record.createRevision != session.record.createRevision;
    session.record = record;
    const FleetSession read = fleetSessionFromJson(record.value)
                                  .value.value_or(FleetSession{.run = {}, .duration = m_duration});
    session.run = read.run;
    session.duration = read.duration;
    session.draining = read.draining;
    changed(session);
    if (replaced)
        m_replaced(node);
}

void FleetObservations::setRenewal(const FleetRecord &record)
{
    Session &session = of(QString::fromUtf8(record.key.sliced(fleetRenewalKey({}).size())));
    if (record.modRevision <= session.renewal.modRevision)
        return;
    if (session.renewal.modRevision == 0)
        session.unchanged.disarm(); // the first that was read is no change
    session.renewal = record;
    if (session.exists())
        changed(session);
}

void FleetObservations::changed(Session &session)
{
    session.since = m_scheduler.now();
    // Armed only once per D, although the session is renewed often.
    if (session.exists() && !session.unchanged.isArmed())
        session.unchanged.armIn(session.duration);
}

bool FleetObservations::isUnchanged(const Session &session) const
{
    return m_scheduler.now() - session.since >= session.duration;
}

bool FleetObservations::hasSession(const QString &node) const
{
    const auto place = m_sessions.find(node);
    return place != m_sessions.end() && place->second.exists();
}

void FleetObservations::checkUnchanged(const QString &node)
{
    Session &session = of(node);
    if (!session.exists())
        return;
    if (!isUnchanged(session))
        session.unchanged.arm(session.since + session.duration);
    m_observed(node);
}

} // namespace Rekindle
