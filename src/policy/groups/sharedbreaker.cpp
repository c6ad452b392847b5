// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/sharedbreaker.h>

#include <QSet>

#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

// Of one agent that fails often.
constexpr qsizetype mostVotes = qsizetype{10} * SharedBreakerPolicy::highestThreshold;

// Failures of this breaker never open it: the votes do, and their threshold is the same.
CircuitBreakerPolicy circuitBreakerPolicy(const SharedBreakerPolicy &policy)
{
    return {.threshold = policy.threshold,
            .timeout = policy.timeout,
            .growth = policy.growth,
            .maxTimeout = policy.maxTimeout};
}

} // namespace

QStringList SharedBreakerPolicy::faults() const
{
    QStringList found;
    const auto expect = [&](bool isValid, const char *key, const char *range,
                            const QString &value) {
        if (!isValid)
            found += QStringLiteral("%1: %2: expected %3, found %4")
                         .arg(name, QLatin1String(key), QLatin1String(range), value);
    };
    const auto expectTime = [&](const char *key, Duration value, Duration least, Duration most,
                                const char *range) {
        expect(value >= least && value <= most, key, range, durationToString(value));
    };
    expect(threshold >= 1 && threshold <= highestThreshold, "threshold", "1 to 1000",
           QString::number(threshold));
    expect(agents >= 1 && agents <= threshold, "agents", "1 to threshold", QString::number(agents));
    expectTime("window", window, 1ms, longestWindow, "1ms to 1d");
    expectTime("timeout", timeout, 1ms, longestTimeout, "1ms to 7d");
    expect(growth >= 1 && growth <= 100, "growth", "1 to 100", QString::number(growth));
    expectTime("maxTimeout", maxTimeout, timeout, longestTimeout, "timeout to 7d");
    expectTime("provenAfter", provenAfter, 0ms, longestWindow, "0s to 1d");
    return found;
}

SharedBreaker::SharedBreaker(const SharedBreakerPolicy &policy)
    : m_policy(policy)
    , m_breaker(circuitBreakerPolicy(policy))
{
}

void SharedBreaker::setPolicy(const SharedBreakerPolicy &policy)
{
    m_policy = policy;
    m_breaker.setPolicy(circuitBreakerPolicy(policy));
}

QList<SharedBreaker::Vote> SharedBreaker::vote(const Vote &vote)
{
    if (state() != CircuitBreakerState::Closed)
        return {};
    m_votes = votes(vote.at);
    if (m_votes.size() == mostVotes)
        m_votes.removeFirst();
    m_votes.append(vote);
    if (m_votes.size() < m_policy.threshold)
        return {};
    QSet<QUuid> agents;
    for (const Vote &each : std::as_const(m_votes))
        agents.insert(each.agent);
    if (agents.size() < m_policy.agents)
        return {};
    m_breaker.trip(vote.at);
    return std::exchange(m_votes, {});
}

QList<SharedBreaker::Vote> SharedBreaker::votes(Instant now) const
{
    QList<Vote> recent = m_votes;
    recent.removeIf([&](const Vote &each) { return now - each.at > m_policy.window; });
    return recent;
}

bool SharedBreaker::isTrialDue(Instant now) const
{
    return state() == CircuitBreakerState::Open && !m_breaker.isIsolated()
        && now >= m_breaker.resetAt();
}

void SharedBreaker::beginTrial(const QUuid &agent)
{
    m_trial = agent;
    m_breaker.beginTrial();
}

void SharedBreaker::trialSucceeded(Instant now)
{
    endTrial();
    m_breaker.recordSuccess(m_breaker.generation(), now);
}

void SharedBreaker::trialFailed(Instant now)
{
    endTrial();
    m_breaker.recordFailure(m_breaker.generation(), now);
}

void SharedBreaker::trialEnded(Instant now)
{
    endTrial();
    m_breaker.recordIgnored(m_breaker.generation(), now);
}

QList<SharedBreaker::Vote> SharedBreaker::follow(CircuitBreakerState state, int reopened,
                                                 Instant now)
{
    CircuitBreakerSnapshot followed = snapshot();
    followed.state = state;
    followed.reopened = reopened;
    followed.openedAt = now;
    followed.resetAt = Instant::max(); // restore() limits it to the open time
    const QList<Vote> refunded = state == CircuitBreakerState::Open ? votes(now) : QList<Vote>();
    restore(followed, now);
    return refunded;
}

void SharedBreaker::reset()
{
    endTrial();
    m_votes.clear();
    m_breaker.reset();
}

void SharedBreaker::isolate() { m_breaker.isolate(); }
void SharedBreaker::release() { m_breaker.release(); }

void SharedBreaker::restore(const CircuitBreakerSnapshot &snapshot, Instant now)
{
    endTrial();
    m_votes.clear();
    m_breaker.restore(snapshot, now);
}

} // namespace Rekindle
