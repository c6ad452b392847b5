// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#include <rekindle/fleet/fleetnode.h>

#include "fleetnode_p.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace Rekindle {

namespace {

// The prefix of all keys that are watched.
constexpr auto watchedKeys = "state/";

constexpr Duration rankStep = std::chrono::seconds(1);

// Nodes that do not have the agent in their configuration have a rank, too.
constexpr int highestRank = 3;

// The time that is reserved for the node that an agent is moved to.
constexpr Duration moveTime = std::chrono::seconds(5);

} // namespace

FleetAgents::~FleetAgents() = default;

FleetNode::FleetNode(FleetStore &store, Scheduler &scheduler, FleetAgents &agents,
                     FleetNodeOptions options)
    : d(std::make_unique<Private>(this, store, scheduler, agents, std::move(options)))
{
}

FleetNode::~FleetNode() = default;

void FleetNode::start()
{
    d->hasStarted = true;
    d->read();
}

void FleetNode::shutDown()
{
    d->isEnding = true;
    d->isDraining = true;
    if (d->session() != 0)
        d->renew();
    for (auto &[name, agent] : d->placed) {
        if (agent.phase == Private::Phase::Running)
            d->stop(agent);
    }
    d->begin();
}

void FleetNode::add(const QString &agent, const FleetPlacement &placement)
{
    const auto [place, isNew] =
        d->placed.try_emplace(agent, d->scheduler, [this, agent] { d->contend(*d->find(agent)); });
    place->second.name = agent;
    place->second.placement = placement;
    place->second.isRemoved = false;
    if (isNew && (d->isReading || d->isWatching))
        d->read(); // records of other agents were ignored
    contend(agent);
}

void FleetNode::contend(const QString &agent)
{
    if (Private::Agent *found = d->find(agent)) {
        found->isWanted = true;
        d->notify();
        d->contend(*found);
    }
}

void FleetNode::withdraw(const QString &agent)
{
    if (Private::Agent *found = d->find(agent)) {
        found->isWanted = false;
        d->becomeFree(*found);
    }
}

void FleetNode::remove(const QString &agent)
{
    if (Private::Agent *found = d->find(agent))
        found->isRemoved = true;
    withdraw(agent);
}

void FleetNode::reaped(const QString &agent)
{
    Private::Agent *found = d->find(agent);
    if (found != nullptr && found->phase == Private::Phase::Stopping)
        d->becomeFree(*found);
}

void FleetNode::setDraining(bool draining)
{
    d->isDraining = draining || d->isEnding;
    if (d->session() != 0)
        d->renew();
    d->notify();
    d->contendForAll();
}

bool FleetNode::isDraining() const { return d->isDraining; }

bool FleetNode::isDrained() const
{
    return d->isDraining && std::ranges::all_of(d->placed, [this](const auto &each) {
               return each.second.phase == Private::Phase::Free && !d->isOwn(each.second);
           });
}

bool FleetNode::move(const QString &agent, const QString &node)
{
    Private::Agent *found = d->find(agent);
    if (found == nullptr || found->phase != Private::Phase::Running
        || !d->sessions.hasSession(node))
        return false;
    found->next = node;
    d->stop(*found);
    return true;
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

void FleetNode::observe(const QByteArray &key)
{
    if (d->observedKeys.insert(key).second && (d->isReading || d->isWatching))
        d->read();
}

bool FleetNode::isHeld() const { return d->isHeld(); }

Instant FleetNode::leaseEnd() const { return d->leaseEnd(); }

FleetAgentStatus FleetNode::status(const QString &agent) const
{
    using State = FleetAgentStatus::State;
    const Private::Agent *found = d->find(agent);
    if (found == nullptr || found->isRemoved)
        return {};
    const FleetOwnership &owner = found->ownership;
    const State state = d->stateOf(*found);
    const bool isDue = state == State::Elsewhere || state == State::Waiting;
    return {.state = state,
            .holder = owner.released ? QString() : owner.node,
            .token = found->record.modRevision,
            .since = found->since,
            .due = isDue ? d->dueTime(*found) : Instant::max()};
}

QList<FleetSessionStatus> FleetNode::sessions() const
{
    QList<FleetSessionStatus> list;
    for (const auto &[node, session] : d->sessions.all()) {
        list.append({.node = node,
                     .exists = session.exists(),
                     .run = session.run,
                     .draining = session.draining,
                     .since = session.since,
                     .due = session.since + session.duration});
    }
    return list;
}

std::optional<Instant> FleetNode::storeLostSince() const { return d->lostSince; }

QString FleetNode::storeError() const { return d->storeError; }

FleetNode::Private::Private(FleetNode *fleetNode, FleetStore &fleetStore, Scheduler &nodeScheduler,
                            FleetAgents &placedAgents, FleetNodeOptions nodeOptions)
    : FleetLease(fleetStore, nodeScheduler, std::move(nodeOptions), fleetNode)
    , agents(placedAgents)
    , sessions(
          scheduler, options.times.duration, [this](const QString &id) { sessionReplaced(id); },
          [this](const QString &id) { sessionObserved(id); })
    , readTimer(scheduler, [this] { read(); })
    , renewalsTimer(scheduler, [this] { readRenewals(); })
    , notice(scheduler, [this] { Q_EMIT node->changed(); })
{
}

// Reading the store.

void FleetNode::Private::read()
{
    if (std::exchange(isReading, true)) {
        readAgain = true;
        return;
    }
    readTimer.disarm();
    store.read(watchedKeys, node, [this, sentAt = scheduler.now()](const FleetReadResult &result) {
        isReading = false;
        storeAnswered(sentAt, result.error);
        if (!result.known)
            readTimer.armIn(options.times.retry);
        else
            readDone(result);
        if (std::exchange(readAgain, false))
            read();
    });
}

void FleetNode::Private::readDone(const FleetReadResult &result)
{
    std::set<QByteArray> absent = observedKeys;
    for (const auto &[id, session] : sessions.all())
        absent.insert(session.record.key);
    for (const auto &[name, agent] : placed)
        absent.insert(fleetAgentKey(name));
    for (const FleetRecord &record : result.records) {
        absent.erase(record.key);
        setRecord(record, result.revision);
    }
    for (const QByteArray &key : absent)
        setRecord({.key = key}, result.revision);
    if (!renewalsTimer.isArmed())
        readRenewals();
    if (!std::exchange(isWatching, true))
        watch = store.watch(watchedKeys, result.revision, node,
                            [this](const FleetWatchEvent &event) { watched(event); });
    begin();
    contendForAll();
}

void FleetNode::Private::readRenewals()
{
    renewalsTimer.armIn(options.times.renewal);
    store.read(fleetRenewalKey({}), node,
               [this, sentAt = scheduler.now()](const FleetReadResult &result) {
                   storeAnswered(sentAt, result.error);
                   for (const FleetRecord &record : result.records)
                       sessions.setRenewal(record);
               });
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
    } else if (observedKeys.contains(record.key)) {
        Q_EMIT node->observed(record, revision);
    }
}

void FleetNode::Private::setOwnership(Agent &agent, const FleetRecord &record, qint64 revision)
{
    if (revision < agent.knownAt)
        return;
    const bool isFirst = std::exchange(agent.knownAt, revision) == 0;
    if (record == agent.record && !isFirst)
        return;
    notify();
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
    if (!isOwn(agent))
        agent.next.clear();
    if (agent.phase == Phase::Running && record.modRevision != agent.token)
        stop(agent); // someone else has written the record
    else
        contend(agent);
}

void FleetNode::Private::storeAnswered(Instant sentAt, const QString &error)
{
    if (error.isEmpty())
        answeredAt = std::max(answeredAt, sentAt);
    else if (sentAt <= answeredAt)
        return; // the timeout of an older request says nothing
    storeError = error;
    if (error.isEmpty() != lostSince.has_value())
        return;
    lostSince = error.isEmpty() ? std::nullopt : std::optional(scheduler.now());
    notify();
}

// The session.

// Begins the session, or ends it.
void FleetNode::Private::begin()
{
    // Its renewals move the time at which the guard kills what is left.
    if ((!hasStarted && !isEnding) || isBeginning()
        || std::ranges::any_of(placed, [](const auto &each) {
               return each.second.phase == Phase::Running || each.second.phase == Phase::Stopping;
           }))
        return;
    const FleetObservations::Session &own = sessions.of(options.node);
    if (isEnding) {
        if (session() != 0)
            removeSession({own.record.key, Revision::Create, session()});
        else if (!std::exchange(hasEnded, true))
            Q_EMIT node->ended();
        return;
    }
    if (session() != 0)
        return;
    if (!own.exists())
        beginSession();
    else if (own.run == options.run // an unknown write has begun it
             || (!own.run.isEmpty() && own.run == options.previousRun))
        removeSession({own.record.key, Revision::Create, own.record.createRevision});
    else if (sessions.isUnchanged(own)) {
        removeSession({own.renewal.key, Revision::Mod, own.renewal.modRevision});
        readRenewals(); // in case that it was renewed
    }
}

// A session was begun or deleted.
void FleetNode::Private::sessionReplaced(const QString &id)
{
    notify();
    const FleetObservations::Session &found = sessions.of(id);
    if (id == options.node && session() != 0 && found.knownAt >= session()
        && found.record.createRevision != session())
        loseSession();
    else
        considerAgentsOf(id);
}

// A session was observed for D.
void FleetNode::Private::sessionObserved(const QString &id)
{
    if (sessions.isUnchanged(sessions.of(id)))
        considerAgentsOf(id);
    else if (id == options.node && session() == 0)
        agents.report(QStringLiteral("another host uses the node id \"%1\"; this host runs no "
                                     "placed agents until that one stops")
                          .arg(id));
}

void FleetNode::Private::considerAgentsOf(const QString &id)
{
    if (id == options.node)
        begin();
    for (auto &[name, agent] : placed) {
        if (agent.ownership.node == id)
            contend(agent);
    }
}

void FleetNode::Private::leaseRenewed(bool regained)
{
    agents.setKillDeadline(killDeadline());
    std::erase_if(placed, [this](const auto &each) {
        return each.second.isRemoved && each.second.phase == Phase::Free && !isOwn(each.second);
    });
    if (isEnding)
        begin();
    if (regained) {
        othersStartUntil = scheduler.now() + highestRank * rankStep;
        notify();
        contendForAll();
    }
}

void FleetNode::Private::leaseExpired()
{
    notify();
    for (auto &[name, agent] : placed) {
        if (agent.phase == Phase::Running && !agent.placement.keep)
            stop(agent);
    }
}

void FleetNode::Private::leaseLost()
{
    notify();
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
    if (isEnding)
        begin();
    else
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

bool FleetNode::Private::isFree(const Agent &agent) const
{
    return agent.record.modRevision == 0 || agent.ownership.released
        || agent.ownership.node == options.node;
}

bool FleetNode::Private::isUsed(const Agent &agent) const
{
    return agent.isWanted && !isDraining && agent.next.isEmpty();
}

Instant FleetNode::Private::dueTime(const Agent &agent)
{
    const FleetOwnership &last = agent.ownership;
    // The node that has run it comes first after its host was started again.
    if ((last.node == options.node && !last.released) || last.next == options.node)
        return agent.since;
    const Duration delay = rankDelay(agent);
    if (isFree(agent))
        return agent.since + (last.next.isEmpty() ? Duration{0} : moveTime) + delay;
    const FleetObservations::Session &holder = sessions.of(last.node);
    if (holder.isOf(last.run))
        return holder.since + holder.duration + delay;
    return std::max(agent.since, holder.since) + std::max(delay, rankStep);
}

// Nodes that will not contend do not count.
Duration FleetNode::Private::rankDelay(const Agent &agent) const
{
    QStringList others;
    if (scheduler.now() < othersStartUntil)
        std::ranges::copy_if(agent.placement.prefer, std::back_inserter(others),
                             [this](const QString &id) { return !sessions.hasSession(id); });
    for (const auto &[id, session] : sessions.all()) {
        if (session.exists() && !session.draining && !sessions.isUnchanged(session)
            && id != agent.ownership.node)
            others.append(id);
    }
    const int rank = fleetRank(options.node, agent.name, agent.placement.prefer, others);
    return std::min(rank, highestRank) * rankStep;
}

FleetAgentStatus::State FleetNode::Private::stateOf(const Agent &agent) const
{
    using State = FleetAgentStatus::State;
    if (agent.phase == Phase::Running)
        return State::Running;
    if (agent.phase == Phase::Stopping)
        return State::Stopping;
    if (agent.knownAt == 0)
        return State::Unknown;
    if (agent.isMalformed)
        return State::Malformed;
    if (!isHeld())
        return State::NoLease;
    if (agent.phase != Phase::Free)
        return State::Writing;
    if (!agent.isWanted)
        return State::Withdrawn;
    if (isDraining)
        return State::Draining;
    return isFree(agent) ? State::Waiting : State::Elsewhere;
}

void FleetNode::Private::contend(Agent &agent)
{
    if (agent.phase != Phase::Free || agent.knownAt == 0 || agent.isMalformed || !isHeld())
        return;
    if (!isUsed(agent)) {
        if (isOwn(agent))
            commit(agent, Phase::Releasing, release(agent.record, agent.next));
        return;
    }
    const FleetObservations::Session *other =
        isFree(agent) ? nullptr : &sessions.of(agent.ownership.node);
    const bool isHeldByOther = other != nullptr && other->isOf(agent.ownership.run);
    // It is observed, and its other agents are considered when it was deleted.
    if (isHeldByOther && !sessions.isUnchanged(*other))
        return;
    if (const Instant due = dueTime(agent); due > scheduler.now())
        agent.contention.arm(due);
    else if (isHeldByOther)
        commit(agent, Phase::Acquiring, takeover(agent.record, other->record, other->renewal));
    else if (other != nullptr)
        commit(agent, Phase::Acquiring, takeover(agent.record, other->record));
    else // also an agent of this run, because the result of the last write may be unknown
        commit(agent, Phase::Acquiring, acquisition(agent.record));
}

void FleetNode::Private::contendForAll()
{
    for (auto &[name, agent] : placed)
        contend(agent);
    drainNext();
}

void FleetNode::Private::commit(Agent &agent, Phase phase, const FleetTransaction &transaction)
{
    agent.phase = phase;
    send(transaction,
         [this, &agent, write = transaction.writes.front(),
          own = session()](const FleetCommitResult &result) {
             // A result of an earlier session is not used.
             if (own == session())
                 committed(agent, write, result);
         });
}

void FleetNode::Private::committed(Agent &agent, const FleetTransaction::Write &write,
                                   const FleetCommitResult &result)
{
    notify();
    if (result.outcome == Outcome::Applied)
        setOwnership(agent,
                     {.key = write.key, .value = *write.value, .modRevision = result.revision},
                     result.revision);
    const bool isAcquisition = std::exchange(agent.phase, Phase::Free) == Phase::Acquiring;
    if (result.outcome != Outcome::Applied) {
        // The watch calls earlier. If a write is applied later, the next one conflicts.
        agent.contention.armIn(options.times.retry);
        if (result.outcome == Outcome::Unknown)
            read();
    } else if (isAcquisition && isHeld() && isUsed(agent) // a late result is not used
               && agent.record.modRevision == result.revision) {
        agent.phase = Phase::Running;
        agent.token = result.revision;
        agents.start(agent.name, agent.token);
    } else {
        contend(agent);
    }
    drainNext();
}

void FleetNode::Private::stop(Agent &agent)
{
    notify();
    agent.phase = Phase::Stopping;
    agents.stop(agent.name);
}

// No process of the agent is left.
void FleetNode::Private::becomeFree(Agent &agent)
{
    notify();
    if (agent.phase == Phase::Running || agent.phase == Phase::Stopping)
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
