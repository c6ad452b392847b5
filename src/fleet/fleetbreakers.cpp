// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "internal/fleetbreakers.h"

#include <utility>

namespace Rekindle {

struct FleetBreakers::Breaker
{
    Breaker(FleetBreakers &breakers, QString itsName)
        : name(std::move(itsName))
        , timer(breakers.m_scheduler, [this, &breakers] { breakers.due(*this); })
    {
    }

    const QString name;
    qint64 modRevision = 0; ///< of the record, 0 if it is absent
    qint64 knownAt = 0;     ///< a revision of the store with this record, 0: it was not read
    bool isMalformed = false;
    FleetBreaker record{};

    /// What the record is to be. Half-open only with a grant.
    State state = State::Closed;
    int reopened = 0;
    bool isPending = false; ///< the store does not have it yet
    bool isWriting = false;
    bool isForgotten = false;

    bool isContending = false; ///< Host::tryTrial must follow
    bool hasTrial = false;     ///< the grant was used
    /// The next write, the loss of the holder, or the end of an unused grant.
    Deadline timer;
};

FleetBreakers::FleetBreakers(FleetNode &node, FleetStore &store, Scheduler &scheduler,
                             FleetNodeOptions options, Host host)
    : m_node(node)
    , m_store(store)
    , m_scheduler(scheduler)
    , m_options(std::move(options))
    , m_host(std::move(host))
{
    QObject::connect(
        &node, &FleetNode::observed, &m_context,
        [this](const FleetRecord &record, qint64 revision) { observed(record, revision); });
}

FleetBreakers::~FleetBreakers() = default;

void FleetBreakers::setState(const QString &name, State state, int reopened)
{
    const auto [place, isNew] = m_breakers.try_emplace(name, *this, name);
    Breaker &breaker = place->second;
    if (isNew || std::exchange(breaker.isForgotten, false)) {
        breaker.state = state;
        breaker.reopened = reopened;
        m_node.observe(fleetBreakerKey(name));
        if (breaker.modRevision != 0 && !breaker.isMalformed)
            follow(breaker);
        return;
    }
    if (state == State::HalfOpen) {
        if (breaker.state == State::HalfOpen && !std::exchange(breaker.hasTrial, true))
            breaker.timer.disarm();
        return;
    }
    const bool isUnused = breaker.state == State::HalfOpen && !breaker.hasTrial;
    if (reopened == breaker.reopened
        && (state == breaker.state || (isUnused && state == State::Open)))
        return;
    breaker.state = state;
    breaker.reopened = reopened;
    breaker.isPending = true;
    publish(breaker);
}

void FleetBreakers::retain(const QSet<QString> &names)
{
    for (auto &[name, breaker] : m_breakers) {
        if (breaker.isForgotten || names.contains(name))
            continue;
        breaker.isForgotten = true;
        breaker.isContending = false;
        if (breaker.state == State::HalfOpen)
            breaker.state = State::Open;
        publish(breaker);
    }
}

bool FleetBreakers::permitsTrial(const QString &name)
{
    const auto place = m_breakers.find(name);
    if (place == m_breakers.end() || place->second.isForgotten)
        return true;
    Breaker &breaker = place->second;
    const bool isGranted =
        breaker.state == State::HalfOpen && m_scheduler.now() < breaker.timer.due();
    breaker.isContending = !isGranted && !breaker.isMalformed && !isStoreLost();
    if (!breaker.isContending)
        return true;
    if (breaker.isWriting || breaker.timer.isArmed())
        return false;
    const Instant lostAt = holderLostAt(breaker);
    if (breaker.knownAt == 0)
        breaker.timer.armIn(m_options.times.retry);
    else if (lostAt > m_scheduler.now())
        breaker.timer.arm(lostAt);
    else
        write(breaker, State::HalfOpen);
    return false;
}

QString FleetBreakers::trialNode(const QString &name) const
{
    const auto place = m_breakers.find(name);
    if (place == m_breakers.end() || place->second.record.state != State::HalfOpen
        || isOwn(place->second))
        return {};
    return place->second.record.node;
}

bool FleetBreakers::isOwn(const Breaker &breaker) const
{
    return breaker.record.node == m_options.node && breaker.record.run == m_options.run;
}

bool FleetBreakers::isStoreLost() const
{
    const std::optional<Instant> since = m_node.storeLostSince();
    return since && m_scheduler.now() - *since >= m_options.times.giveUp;
}

// The breaker of the host has waited for its open time since it has followed the record.
Instant FleetBreakers::holderLostAt(const Breaker &breaker) const
{
    if (breaker.record.state != State::HalfOpen || isOwn(breaker))
        return Instant::min();
    const QList<FleetSessionStatus> sessions = m_node.sessions();
    for (const FleetSessionStatus &each : sessions) {
        // A malformed session may be of any run.
        if (each.exists && each.node == breaker.record.node
            && (each.run == breaker.record.run || each.run.isEmpty()))
            return each.due;
    }
    return Instant::min();
}

void FleetBreakers::observed(const FleetRecord &record, qint64 revision)
{
    const auto place =
        m_breakers.find(QString::fromUtf8(record.key.sliced(fleetBreakerKey({}).size())));
    if (place == m_breakers.end() || revision < place->second.knownAt)
        return;
    Breaker &breaker = place->second;
    const bool isFirst = std::exchange(breaker.knownAt, revision) == 0;
    if (record.modRevision == breaker.modRevision && !isFirst)
        return;
    breaker.modRevision = record.modRevision;
    breaker.record = {};
    breaker.isMalformed = false;
    if (record.modRevision == 0) {
        if (breaker.state == State::HalfOpen)
            breaker.state = State::Open;
        breaker.isPending = breaker.state == State::Open;
    } else if (const auto parsed = fleetBreakerFromJson(record.value)) {
        breaker.record = *parsed.value;
        if (!isOwn(breaker))
            follow(breaker);
    } else {
        breaker.isMalformed = true;
        m_host.report(QString::fromUtf8(record.key) + QLatin1String(": ")
                      + parsed.messages().join(QLatin1String("; ")));
    }
    proceed(breaker);
}

// The stricter state applies: an opening of the host that is not written yet stays.
void FleetBreakers::follow(Breaker &breaker)
{
    const bool isClosed = breaker.record.state == State::Closed;
    if (breaker.isForgotten || (isClosed && breaker.isPending && breaker.state == State::Open))
        return;
    breaker.isPending = false;
    breaker.state = isClosed ? State::Closed : State::Open;
    breaker.reopened = breaker.record.reopened;
    breaker.timer.disarm();
    m_host.follow(breaker.name, breaker.state, breaker.reopened);
}

void FleetBreakers::publish(Breaker &breaker)
{
    if (breaker.isWriting || breaker.knownAt == 0 || breaker.isMalformed)
        return;
    // An own record with another state was written late.
    const bool differs =
        breaker.record.state != breaker.state || breaker.record.reopened != breaker.reopened;
    if (breaker.isPending || (isOwn(breaker) && differs))
        write(breaker, breaker.state);
}

void FleetBreakers::proceed(Breaker &breaker)
{
    publish(breaker);
    if (breaker.isContending && !breaker.isWriting && !breaker.timer.isArmed())
        breaker.timer.armIn(Duration{0});
}

void FleetBreakers::write(Breaker &breaker, State state)
{
    const FleetBreaker value{
        .state = state, .reopened = breaker.reopened, .node = m_options.node, .run = m_options.run};
    const QByteArray key = fleetBreakerKey(breaker.name);
    breaker.isWriting = true;
    m_store.commit(
        {{{key, FleetTransaction::Revision::Mod, breaker.modRevision}}, {{key, toJson(value)}}},
        &m_context,
        [this, &breaker, value, sentAt = m_scheduler.now()](const FleetCommitResult &result) {
            breaker.isWriting = false;
            written(breaker, value, sentAt, result);
        });
}

void FleetBreakers::written(Breaker &breaker, const FleetBreaker &value, Instant sentAt,
                            const FleetCommitResult &result)
{
    if (result.outcome != FleetCommitResult::Outcome::Applied) {
        // If the write is applied later, the next one conflicts.
        breaker.timer.armIn(m_options.times.retry);
        return;
    }
    if (result.revision >= breaker.knownAt || result.revision == breaker.modRevision) {
        breaker.knownAt = std::max(breaker.knownAt, result.revision);
        breaker.modRevision = result.revision;
        breaker.record = value;
        if (value.state == breaker.state && value.reopened == breaker.reopened)
            breaker.isPending = false;
        const Instant end = sentAt + m_options.times.giveUp;
        if (value.state == State::HalfOpen && breaker.isContending && !breaker.isPending
            && m_scheduler.now() < end) { // a late result is not used
            breaker.isContending = false;
            breaker.state = State::HalfOpen;
            breaker.hasTrial = false;
            breaker.timer.arm(end);
            m_host.tryTrial(breaker.name);
            return;
        }
    }
    proceed(breaker);
}

void FleetBreakers::due(Breaker &breaker)
{
    if (breaker.state == State::HalfOpen && !breaker.hasTrial)
        breaker.state = State::Open; // the grant was not used
    publish(breaker);
    if (!breaker.isWriting && std::exchange(breaker.isContending, false))
        m_host.tryTrial(breaker.name);
}

} // namespace Rekindle
