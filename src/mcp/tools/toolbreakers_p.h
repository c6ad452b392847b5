// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "toolcallrules_p.h"

#include <rekindle/policy/circuitbreaker.h>

#include <QHash>
#include <QString>

#include <optional>

namespace Rekindle {

/// The circuit breakers of the tools of one server, by name. Pure.
class ToolBreakers
{
public:
    explicit ToolBreakers(const std::optional<CircuitBreakerPolicy> &policy)
        : m_unused{CircuitBreaker(policy), {}}
    {
    }

    /// Returns the breaker of a tool; a closed one if the tool was not called.
    [[nodiscard]] const CircuitBreaker &of(const QString &tool) const
    {
        return entryOf(tool).breaker;
    }

    /// Admits or rejects a call that ends at `deadline` at the latest.
    [[nodiscard]] CircuitBreaker::Admission admit(const QString &tool, Instant now,
                                                  Instant deadline);

    /// Returns whether an admitted call may make another attempt.
    [[nodiscard]] bool isAdmitted(const QString &tool, CircuitBreaker::Generation generation) const;

    void record(const QString &tool, CircuitBreaker::Generation generation,
                ToolCallVerdict::Evidence evidence, Instant now);

    /// Forgets all failures.
    void reset() { m_entries.clear(); }

    /// Removes a breaker without history. Names come from callers and need not be tools.
    void removeUnused(const QString &tool);

    /// Returns the time until the breaker may admit a call.
    [[nodiscard]] Duration retryAfter(const QString &tool, Instant now) const;

private:
    struct Entry
    {
        CircuitBreaker breaker;
        Instant trialDeadline{}; ///< while the breaker is half-open
    };

    [[nodiscard]] const Entry &entryOf(const QString &tool) const;
    [[nodiscard]] Entry &addEntry(const QString &tool);

    const Entry m_unused; ///< the entry of other tools
    QHash<QString, Entry> m_entries;
};

} // namespace Rekindle
