// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#include <rekindle/fleet/fleetnode.h>

#include "fleetnode_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr Duration rankStep = std::chrono::seconds(1);

// Nodes that do not have the agent in their configuration have a rank, too.
constexpr int highestRank = 3;

bool contains(const std::vector<FleetRecord> &sorted, const QByteArray &key)
{
    const auto place = std::ranges::lower_bound(sorted, key, {}, &FleetRecord::key);
    return place != sorted.end() && place->key == key;
}

} // namespace

FleetAgents::~FleetAgents() = default;

FleetNode::FleetNode(FleetStore &store, Scheduler &scheduler, FleetAgents &agents,
                     FleetNodeOptions options)
    : d(std::make_unique<Private>(this, store, scheduler, agents, std::move(options)))
{
}

FleetNode::~FleetNode() = default;

void FleetNode::start() { d->read(); }

void FleetNode::add(const QString &agent, const FleetPlacement &placement)
{
    const auto [place, isNew] =
        d->placed.try_emplace(agent, d->scheduler, [this, agent] { d->contend(*d->find(agent)); });
    place->second.name = agent;
    place->second.placement = placement;
    if (isNew && d->readNumber > 0)
        d->read(); // records of other agents were ignored
    contend(agent);
}

void FleetNode::contend(const QString &agent)
{
    if (Private::Agent *found = d->find(agent)) {
        found->isWanted = true;
        d->contend(*found);
    }
}

void FleetNode::withdraw(const QString &agent)
{
    Private::Agent *found = d->find(agent);
    if (found == nullptr)
        return;
    found->isWanted = false;
    if (found->phase == Private::Phase::Running)
        d->becomeFree(*found);
    else
        d->contend(*found);
}

void FleetNode::reaped(const QString &agent)
{
    Private::Agent *found = d->find(agent);
    if (found != nullptr && found->phase == Private::Phase::Stopping)
        d->becomeFree(*found);
}

void FleetNode::setDraining(bool draining)
{
    d->isDraining = draining;
    d->contendForAll();
    d->drainNext();
}

bool FleetNode::isDrained() const
{
    return d->isDraining && std::ranges::all_of(d->placed, [this](const auto &each) {
               return each.second.phase == Private::Phase::Free && !d->isOwn(each.second);
           });
}

bool FleetNode::permits(const QString &agent) const
{
    const Private::Agent *found = d->find(agent);
    return found != nullptr && found->phase == Private::Phase::Running
        && (isHeld() || found->placement.keep);
}

qint64 FleetNode::token(const QString &agent) const
{
    const Private::Agent *found = d->find(agent);
    return found != nullptr && found->phase == Private::Phase::Running ? found->token : 0;
}

bool FleetNode::isHeld() const { return d->lease.isHeld(); }

Instant FleetNode::leaseEnd() const { return d->lease.end(); }

FleetNode::Private::Private(FleetNode *node, FleetStore &fleetStore, Scheduler &nodeScheduler,
                            FleetAgents &placedAgents, FleetNodeOptions nodeOptions)
    : options(std::move(nodeOptions))
    , store(fleetStore)
    , scheduler(nodeScheduler)
    , agents(placedAgents)
    , transactions(options.node, options.run)
    , lease(store, scheduler, options, transactions, node, *this)
    , sessions(
          scheduler, options.times.duration, [this](const QString &id) { sessionReplaced(id); },
          [this](const QString &id) { sessionObserved(id); })
    , context(node)
    , readTimer(scheduler, [this] { read(); })
{
}

// Reading the store.

void FleetNode::Private::read()
{
    if (std::exchange(isReading, true)) {
        readAgain = true;
        return;
    }
    ++readNumber;
    readTimer.disarm();
    store.read({}, context, [this](const FleetReadResult &result) {
        isReading = false;
        const bool again = std::exchange(readAgain, false);
        if (!result.known) {
            readTimer.armIn(options.times.retry);
            return;
        }
        readDone(result);
        if (again)
            read();
    });
}

void FleetNode::Private::readDone(const FleetReadResult &result)
{
    for (const FleetRecord &record : result.records)
        setRecord(record, result.revision);
    for (const QString &node : sessions.nodes()) {
        if (const QByteArray key = fleetNodeKey(node); !contains(result.records, key))
            setRecord({.key = key}, result.revision);
    }
    for (auto &[name, agent] : placed) {
        if (const QByteArray key = fleetAgentKey(name); !contains(result.records, key))
            setRecord({.key = key}, result.revision);
        if (agent.phase == Phase::Unresolved && readNumber >= agent.resolvedByRead)
            agent.phase = Phase::Free;
    }
    if (!isWatching) {
        isWatching = true;
        watch = store.watch({}, result.revision, context,
                            [this](const FleetWatchEvent &event) { watched(event); });
    }
    if (readNumber >= beginsAfterRead)
        beginsAfterRead = 0;
    begin();
    contendForAll();
    drainNext();
}

void FleetNode::Private::watched(const FleetWatchEvent &event)
{
    if (event.kind != FleetWatchEvent::Kind::Changes) {
        isWatching = false;
        read();
        return;
    }
    for (const FleetRecord &record : event.records)
        setRecord(record, event.revision);
    for (const QByteArray &key : event.deleted)
        setRecord({.key = key}, event.revision);
}

void FleetNode::Private::setRecord(const FleetRecord &record, qint64 revision)
{
    static const QByteArray nodeKeys = fleetNodeKey({});
    static const QByteArray agentKeys = fleetAgentKey({});
    if (record.key.startsWith(nodeKeys))
        sessions.set(record, revision);
    else if (record.key.startsWith(agentKeys)) {
        if (Agent *agent = find(QString::fromUtf8(record.key.sliced(agentKeys.size()))))
            setOwnership(*agent, record, revision);
    }
}

void FleetNode::Private::setOwnership(Agent &agent, const FleetRecord &record, qint64 revision)
{
    if (revision < agent.knownAt)
        return;
    const bool isFirst = std::exchange(agent.knownAt, revision) == 0;
    if (record == agent.record && !isFirst)
        return;
    agent.record = record;
    agent.since = scheduler.now();
    agent.ownership = {};
    agent.isMalformed = false;
    if (record.modRevision != 0) {
        const Parsed<FleetOwnership> parsed = fleetOwnershipFromJson(record.value);
        agent.isMalformed = !parsed;
        if (parsed)
            agent.ownership = *parsed.value;
        else
            agents.report(QString::fromUtf8(record.key) + QLatin1String(": ")
                          + parsed.messages().join(QLatin1String("; ")));
    }
    if (agent.phase == Phase::Running && record.modRevision != agent.token)
        stop(agent); // someone else has written the record
    else
        contend(agent);
}

// The session.

void FleetNode::Private::begin()
{
    if (lease.session() != 0 || lease.isBeginning() || beginsAfterRead != 0)
        return;
    // Its renewals move the time at which the guard kills what is left.
    if (std::ranges::any_of(placed,
                            [](const auto &each) { return each.second.phase == Phase::Stopping; }))
        return;
    const FleetObservations::Session &own = sessions.of(options.node);
    if (!own.exists())
        lease.begin();
    else if (own.run == options.run)
        lease.adopt(own.record);
    else if (!own.run.isEmpty() && own.run == options.previousRun)
        lease.remove(transactions.removePreviousRun(own.record.createRevision));
    else if (sessions.isUnchanged(own))
        lease.remove(transactions.removeForeignRun(own.record.modRevision));
}

// A session was begun or deleted.
void FleetNode::Private::sessionReplaced(const QString &node)
{
    const FleetObservations::Session &session = sessions.of(node);
    if (node == options.node && lease.session() != 0 && session.knownAt >= lease.session()
        && session.record.createRevision != lease.session())
        lease.lose();
    else
        considerAgentsOf(node);
}

// A session was observed for D.
void FleetNode::Private::sessionObserved(const QString &node)
{
    if (sessions.isUnchanged(sessions.of(node)))
        considerAgentsOf(node);
    else if (node == options.node && lease.session() == 0)
        agents.report(QStringLiteral("another host uses the node id \"%1\"; this host runs no "
                                     "placed agents until that one stops")
                          .arg(node));
}

void FleetNode::Private::considerAgentsOf(const QString &node)
{
    if (node == options.node)
        begin();
    for (auto &[name, agent] : placed) {
        if (agent.ownership.node == node)
            contend(agent);
    }
}

void FleetNode::Private::leaseRenewed(bool regained)
{
    agents.setKillDeadline(lease.killDeadline());
    if (regained)
        contendForAll();
}

void FleetNode::Private::leaseExpired()
{
    for (auto &[name, agent] : placed) {
        if (agent.phase == Phase::Running && !agent.placement.keep)
            stop(agent);
    }
}

void FleetNode::Private::leaseLost()
{
    for (auto &[name, agent] : placed) {
        if (agent.phase == Phase::Running)
            stop(agent);
        else if (agent.phase != Phase::Stopping)
            agent.phase = Phase::Free; // results of the old session are not used
    }
    leaseNotBegun();
}

void FleetNode::Private::leaseNotBegun()
{
    beginsAfterRead = readNumber + 1;
    read();
}

// The agents.

FleetNode::Private::Agent *FleetNode::Private::find(const QString &name)
{
    const auto place = placed.find(name);
    return place == placed.end() ? nullptr : &place->second;
}

bool FleetNode::Private::isOwn(const Agent &agent) const
{
    return !agent.ownership.released && agent.ownership.node == options.node
        && agent.ownership.run == options.run;
}

Duration FleetNode::Private::rankDelay(const Agent &agent) const
{
    QStringList others = sessions.live();
    others.removeAll(options.node);
    others.removeAll(agent.ownership.node);
    const int rank = fleetRank(options.node, agent.name, agent.placement.prefer, others);
    return std::min(rank, highestRank) * rankStep;
}

void FleetNode::Private::contend(Agent &agent)
{
    if (agent.phase != Phase::Free || agent.knownAt == 0 || agent.isMalformed || !lease.isHeld())
        return;
    const qint64 revision = agent.record.modRevision;
    const bool isUsed = agent.isWanted && !isDraining;
    if (isOwn(agent)) {
        // A new acquisition, because the result of the last one may be unknown or outdated.
        if (isUsed)
            commit(agent, Phase::Acquiring,
                   transactions.acquire(lease.session(), agent.name, revision));
        else
            commit(agent, Phase::Releasing,
                   transactions.release(lease.session(), agent.name, revision));
    } else if (isUsed
               && (revision == 0 || agent.ownership.released
                   || agent.ownership.node == options.node)) { // an earlier run, without a session
        if (isDue(agent, agent.since))
            commit(agent, Phase::Acquiring,
                   transactions.acquire(lease.session(), agent.name, revision));
    } else if (isUsed) {
        takeOver(agent);
    }
}

bool FleetNode::Private::isDue(Agent &agent, Instant freeSince)
{
    const Instant due = freeSince + rankDelay(agent);
    if (due > scheduler.now())
        agent.contention.arm(due);
    return due <= scheduler.now();
}

void FleetNode::Private::takeOver(Agent &agent)
{
    const qint64 revision = agent.record.modRevision;
    FleetObservations::Session &holder = sessions.of(agent.ownership.node);
    if (!holder.isOf(agent.ownership.run)) {
        if (isDue(agent, std::max(agent.since, holder.since)))
            commit(
                agent, Phase::Acquiring,
                transactions.takeOverAbsent(lease.session(), agent.name, revision, holder.record));
        return;
    }
    // It is observed, and its other agents are considered when it was deleted.
    if (!sessions.isUnchanged(holder) || holder.takingOver
        || !isDue(agent, holder.since + holder.duration))
        return;
    holder.takingOver = true;
    commit(agent, Phase::Acquiring,
           transactions.takeOver(lease.session(), agent.name, revision, holder.record),
           agent.ownership.node);
}

void FleetNode::Private::contendForAll()
{
    for (auto &[name, agent] : placed)
        contend(agent);
}

void FleetNode::Private::commit(Agent &agent, Phase phase, const FleetTransaction &transaction,
                                const QString &takenFrom)
{
    agent.phase = phase;
    store.commit(transaction, context,
                 [this, &agent, write = transaction.writes.front(), takenFrom,
                  session = lease.session()](const FleetCommitResult &result) {
                     if (!takenFrom.isEmpty())
                         takeOverEnded(takenFrom, result.outcome);
                     // A result of an earlier session is not used.
                     if (session == lease.session())
                         committed(agent, write, result);
                 });
}

void FleetNode::Private::takeOverEnded(const QString &node, Outcome outcome)
{
    FleetObservations::Session &holder = sessions.of(node);
    holder.takingOver = false;
    if (outcome != Outcome::Applied) // for its other agents
        holder.unchanged.armIn(options.times.retry);
}

void FleetNode::Private::committed(Agent &agent, const FleetTransaction::Write &write,
                                   const FleetCommitResult &result)
{
    const bool isAcquisition = agent.phase == Phase::Acquiring;
    if (result.outcome == Outcome::Unknown) {
        agent.phase = Phase::Unresolved;
        agent.resolvedByRead = readNumber + 1;
        read();
    } else if (result.outcome == Outcome::Conflict) {
        // The watch reports the reason, and calls earlier.
        agent.phase = Phase::Free;
        agent.contention.armIn(options.times.retry);
    } else {
        setOwnership(agent,
                     {.key = write.key, .value = *write.value, .modRevision = result.revision},
                     result.revision);
        agent.phase = Phase::Free;
        // A late result is not used.
        if (isAcquisition && lease.isHeld() && agent.isWanted && !isDraining
            && agent.record.modRevision == result.revision) {
            agent.phase = Phase::Running;
            agent.token = result.revision;
            agents.start(agent.name, agent.token);
        } else {
            contend(agent);
        }
    }
    drainNext();
}

void FleetNode::Private::stop(Agent &agent)
{
    agent.phase = Phase::Stopping;
    agents.stop(agent.name);
}

void FleetNode::Private::becomeFree(Agent &agent)
{
    agent.phase = Phase::Free;
    contend(agent);
    drainNext();
    begin();
}

void FleetNode::Private::drainNext()
{
    if (!isDraining)
        return;
    Agent *next = nullptr;
    for (auto &[name, agent] : placed) {
        if (agent.phase == Phase::Running && next == nullptr)
            next = &agent;
        else if (agent.phase != Phase::Free && agent.phase != Phase::Running)
            return;
    }
    if (next != nullptr)
        stop(*next);
}

} // namespace Rekindle
