// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "toolbreakers_p.h"

#include <algorithm>

namespace Rekindle {

ToolBreakers::Entry &ToolBreakers::entryOf(const QString &tool)
{
    auto entry = m_entries.find(tool);
    if (entry == m_entries.end())
        entry = m_entries.insert(tool, {CircuitBreaker(m_policy), {}});
    return *entry;
}

CircuitBreaker::Admission ToolBreakers::admit(const QString &tool, Instant now, Instant deadline)
{
    Entry &entry = entryOf(tool);
    const CircuitBreaker::Admission admission = entry.breaker.admit(now);
    if (admission.admitted && entry.breaker.state() == CircuitBreakerState::HalfOpen)
        entry.trialDeadline = deadline;
    return admission;
}

bool ToolBreakers::isAdmitted(const QString &tool, CircuitBreaker::Generation generation) const
{
    const auto entry = m_entries.constFind(tool);
    return entry == m_entries.constEnd() || entry->breaker.generation() == generation
        || entry->breaker.state() == CircuitBreakerState::Closed;
}

void ToolBreakers::record(const QString &tool, CircuitBreaker::Generation generation,
                          ToolCallVerdict::Evidence evidence, Instant now)
{
    // A call that ended earlier may have removed the entry.
    CircuitBreaker &breaker = entryOf(tool).breaker;
    switch (evidence) {
    case ToolCallVerdict::Evidence::Success:
        breaker.recordSuccess(generation, now);
        break;
    case ToolCallVerdict::Evidence::Failure:
        breaker.recordFailure(generation, now);
        break;
    case ToolCallVerdict::Evidence::None:
        breaker.recordIgnored(generation, now);
        break;
    }
}

void ToolBreakers::removeUnused(const QString &tool)
{
    const auto entry = m_entries.constFind(tool);
    if (entry != m_entries.constEnd() && entry->breaker.snapshot() == CircuitBreakerSnapshot{})
        m_entries.erase(entry);
}

CircuitBreakerState ToolBreakers::state(const QString &tool) const
{
    const auto entry = m_entries.constFind(tool);
    return entry == m_entries.constEnd() ? CircuitBreakerState::Closed : entry->breaker.state();
}

CircuitBreakerInfo ToolBreakers::info(const QString &tool, Instant now, UtcTime utcNow) const
{
    const auto entry = m_entries.constFind(tool);
    return entry == m_entries.constEnd() ? CircuitBreakerInfo::closed()
                                         : entry->breaker.info(now, utcNow);
}

Duration ToolBreakers::retryAfter(const QString &tool, Instant now) const
{
    const auto entry = m_entries.constFind(tool);
    if (entry == m_entries.constEnd())
        return Duration{0};
    switch (entry->breaker.state()) {
    case CircuitBreakerState::Open:
        return entry->breaker.openFor(now).value_or(Duration{0});
    case CircuitBreakerState::HalfOpen:
        return std::max(Duration{0}, entry->trialDeadline - now);
    case CircuitBreakerState::Closed:
        break;
    }
    return Duration{0};
}

} // namespace Rekindle
