// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "toolbreakers_p.h"

#include <algorithm>

namespace Rekindle {

const ToolBreakers::Entry &ToolBreakers::entryOf(const QString &tool) const
{
    const auto entry = m_entries.constFind(tool);
    return entry == m_entries.constEnd() ? m_unused : *entry;
}

ToolBreakers::Entry &ToolBreakers::addEntry(const QString &tool)
{
    const auto entry = m_entries.find(tool);
    return entry == m_entries.end() ? *m_entries.insert(tool, m_unused) : *entry;
}

CircuitBreaker::Admission ToolBreakers::admit(const QString &tool, Instant now, Instant deadline)
{
    Entry &entry = addEntry(tool);
    const CircuitBreaker::Admission admission = entry.breaker.admit(now);
    if (admission.admitted && entry.breaker.state() == CircuitBreakerState::HalfOpen)
        entry.trialDeadline = deadline;
    return admission;
}

bool ToolBreakers::isAdmitted(const QString &tool, CircuitBreaker::Generation generation) const
{
    return of(tool).generation() == generation || of(tool).state() == CircuitBreakerState::Closed;
}

void ToolBreakers::record(const QString &tool, CircuitBreaker::Generation generation,
                          ToolCallVerdict::Evidence evidence, Instant now)
{
    // A call that ended earlier may have removed the entry.
    CircuitBreaker &breaker = addEntry(tool).breaker;
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
    if (of(tool).snapshot() == CircuitBreakerSnapshot{})
        m_entries.remove(tool);
}

Duration ToolBreakers::retryAfter(const QString &tool, Instant now) const
{
    const Entry &entry = entryOf(tool);
    switch (entry.breaker.state()) {
    case CircuitBreakerState::Open:
        return entry.breaker.openFor(now).value_or(Duration{0});
    case CircuitBreakerState::HalfOpen:
        return std::max(Duration{0}, entry.trialDeadline - now);
    case CircuitBreakerState::Closed:
        break;
    }
    return Duration{0};
}

} // namespace Rekindle
