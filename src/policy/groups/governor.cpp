// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/governor.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr int mostStarts = 10'000;

struct Period
{
    char16_t letter;
    Duration length;
};
constexpr std::array periods{
    Period{u's', std::chrono::seconds(1)},
    Period{u'm', std::chrono::minutes(1)},
    Period{u'h', std::chrono::hours(1)},
};

GovernorLimits withinRange(GovernorLimits limits)
{
    limits.maxStarting = std::clamp(limits.maxStarting, 1, mostStarts);
    limits.rate = std::clamp(limits.rate, 1, mostStarts);
    limits.burst = std::clamp(limits.burst, 1, mostStarts);
    return limits;
}

} // namespace

bool setRate(GovernorLimits &limits, QStringView text)
{
    if (text.size() < 3 || text.size() > 7 || text[text.size() - 2] != u'/')
        return false;
    const QStringView digits = text.chopped(2);
    const auto isDigit = [](QChar each) { return each >= u'0' && each <= u'9'; };
    if (!std::all_of(digits.begin(), digits.end(), isDigit))
        return false;
    const int rate = digits.toInt();
    const auto *const period =
        std::find_if(periods.begin(), periods.end(),
                     [&](const Period &each) { return text.back() == each.letter; });
    if (rate < 1 || rate > mostStarts || period == periods.end())
        return false;
    limits.rate = rate;
    limits.period = period->length;
    return true;
}

QString rateText(const GovernorLimits &limits)
{
    const auto *const period =
        std::find_if(periods.begin(), periods.end(),
                     [&](const Period &each) { return limits.period == each.length; });
    const QChar letter = period == periods.end() ? u'?' : period->letter;
    return QString::number(limits.rate) + u'/' + letter;
}

Governor::Governor(const GovernorLimits &limits)
    : m_limits(withinRange(limits))
{
}

void Governor::setLimits(const GovernorLimits &limits, Instant now)
{
    if (m_fullAt == Instant::min()) { // no token was ever taken
        m_limits = withinRange(limits);
        return;
    }
    // Missing tokens stay missing, so that a reload does not permit another burst.
    const Duration missing = std::max(Duration::zero(), m_fullAt - std::min(now, m_fullAt));
    const auto tokens = missing > Duration::zero() ? (missing - Duration(1)) / interval() + 1 : 0;
    const int before = std::exchange(m_limits, withinRange(limits)).burst;
    const auto left = std::clamp<qint64>(before - tokens, 0, m_limits.burst);
    m_fullAt = now + (m_limits.burst - left) * interval();
}

bool Governor::admit(const QUuid &id, GovernedStart start, int priority, Instant dueAt, Instant now)
{
    const auto known = m_agents.find(id);
    if (known != m_agents.end() && known->phase == Agent::Phase::Granted) {
        known->phase = Agent::Phase::Launched;
        return true;
    }
    if (start == GovernedStart::Operator) {
        cancel(id);
        Agent agent{.phase = Agent::Phase::Launched, .priority = priority};
        if (tokenAt() <= now) {
            takeToken(now);
            agent.hasToken = true;
        }
        m_agents.insert(id, agent);
        return true;
    }
    if (known != m_agents.end() && known->phase == Agent::Phase::Queued)
        return false;
    release(id);
    Agent agent{.needsToken = start == GovernedStart::Automatic,
                .priority = std::clamp(priority, lowestPriority, highestPriority),
                .key = {dueAt, m_order++}};
    const bool isFree =
        startingCount() < m_limits.maxStarting && (!agent.needsToken || tokenAt() <= now);
    if (isFree && m_queued == 0) { // without the queue, which may allocate memory
        agent.phase = Agent::Phase::Launched;
        grant(agent, now);
        m_agents.insert(id, agent);
        return true;
    }
    enqueue(id, agent);
    // Any other start than the next one would overtake queued starts.
    const std::optional<std::size_t> first = nextQueue(now);
    if (first && m_queues[*first].front().id == id) {
        next(now);
        m_agents[id].phase = Agent::Phase::Launched;
        return true;
    }
    m_longest = std::max(m_longest, m_queued);
    return false;
}

std::optional<QUuid> Governor::next(Instant now)
{
    const std::optional<std::size_t> first = nextQueue(now);
    if (!first)
        return {};
    const QUuid id = m_queues[*first].front().id;
    m_queues[*first].pop_front();
    --m_queued;
    Agent &agent = m_agents[id];
    agent.phase = Agent::Phase::Granted;
    grant(agent, now);
    return id;
}

void Governor::grant(Agent &agent, Instant now)
{
    if (!agent.needsToken)
        return;
    takeToken(now);
    agent.hasToken = true;
}

std::optional<Instant> Governor::nextAt(Instant now) const
{
    if (startingCount() >= m_limits.maxStarting || m_queued == 0)
        return {};
    return firstQueue(false) ? now : std::max(now, tokenAt());
}

bool Governor::release(const QUuid &id)
{
    const auto known = m_agents.find(id);
    if (known == m_agents.end() || known->phase != Agent::Phase::Launched)
        return false;
    m_agents.erase(known);
    return true;
}

bool Governor::cancel(const QUuid &id)
{
    const auto known = m_agents.find(id);
    if (known == m_agents.end() || known->phase == Agent::Phase::Launched)
        return false;
    if (known->phase == Agent::Phase::Queued)
        dequeue(*known);
    else if (known->hasToken)
        m_fullAt -= interval();
    m_agents.erase(known);
    return true;
}

void Governor::setPriority(const QUuid &id, int priority)
{
    const auto known = m_agents.find(id);
    if (known == m_agents.end() || known->phase != Agent::Phase::Queued)
        return;
    Agent agent = *known;
    dequeue(agent);
    agent.priority = std::clamp(priority, lowestPriority, highestPriority);
    enqueue(id, agent);
}

qsizetype Governor::place(const QUuid &id) const
{
    const auto known = m_agents.find(id);
    if (known == m_agents.end() || known->phase != Agent::Phase::Queued)
        return 0;
    qsizetype before = 0;
    for (std::size_t queue = 0; queue < queueCount; ++queue) {
        const Queue &entries = m_queues[queue];
        const auto end =
            std::partition_point(entries.begin(), entries.end(), [&](const Entry &each) {
                return precedes(each.key, priorityOf(queue), known->key, known->priority);
            });
        before += end - entries.begin();
    }
    return before + 1;
}

bool Governor::isQueued(const QUuid &id) const
{
    const auto known = m_agents.find(id);
    return known != m_agents.end() && known->phase == Agent::Phase::Queued;
}

bool Governor::isGranted(const QUuid &id) const
{
    const auto known = m_agents.find(id);
    return known != m_agents.end() && known->phase == Agent::Phase::Granted;
}

std::size_t Governor::queueOf(const Agent &agent)
{
    return static_cast<std::size_t>(agent.priority) + (agent.needsToken ? 0 : queueCount / 2);
}

int Governor::priorityOf(std::size_t queue) { return static_cast<int>(queue % (queueCount / 2)); }

Instant Governor::rankOf(const Key &key, int priority) { return key.dueAt - priority * agingTime; }

bool Governor::precedes(const Key &a, int priorityA, const Key &b, int priorityB)
{
    const Instant rankA = rankOf(a, priorityA);
    const Instant rankB = rankOf(b, priorityB);
    if (rankA != rankB)
        return rankA < rankB;
    return priorityA != priorityB ? priorityA > priorityB : a.order < b.order;
}

Duration Governor::interval() const { return m_limits.period / m_limits.rate; }

Instant Governor::tokenAt() const
{
    if (m_fullAt == Instant::min())
        return m_fullAt;
    return m_fullAt - (m_limits.burst - 1) * interval();
}

void Governor::takeToken(Instant now) { m_fullAt = std::max(m_fullAt, now) + interval(); }

std::optional<std::size_t> Governor::nextQueue(Instant now) const
{
    if (startingCount() >= m_limits.maxStarting)
        return {};
    return firstQueue(tokenAt() <= now);
}

std::optional<std::size_t> Governor::firstQueue(bool withTokens) const
{
    std::optional<std::size_t> first;
    for (std::size_t queue = withTokens ? 0 : queueCount / 2; queue < queueCount; ++queue) {
        const Queue &entries = m_queues[queue];
        if (entries.empty())
            continue;
        if (!first
            || precedes(entries.front().key, priorityOf(queue), m_queues[*first].front().key,
                        priorityOf(*first)))
            first = queue;
    }
    return first;
}

void Governor::enqueue(const QUuid &id, const Agent &agent)
{
    Queue &entries = m_queues[queueOf(agent)];
    const auto place = std::partition_point(
        entries.begin(), entries.end(), [&](const Entry &each) { return each.key < agent.key; });
    entries.insert(place, {agent.key, id});
    m_agents.insert(id, agent);
    ++m_queued;
}

void Governor::dequeue(const Agent &agent)
{
    Queue &entries = m_queues[queueOf(agent)];
    entries.erase(std::partition_point(entries.begin(), entries.end(),
                                       [&](const Entry &each) { return each.key < agent.key; }));
    --m_queued;
}

} // namespace Rekindle
