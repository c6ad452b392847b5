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
        : m_policy(policy)
    {
    }

    /// Admits or rejects a call that ends at `deadline` at the latest.
    [[nodiscard]] CircuitBreaker::Admission admit(const QString &tool, Instant now,
                                                  Instant deadline);

    /// Returns whether an admitted call may make another attempt.
    [[nodiscard]] bool isAdmitted(const QString &tool, CircuitBreaker::Generation generation) const;

    void record(const QString &tool, CircuitBreaker::Generation generation,
                ToolCallVerdict::Evidence evidence, Instant now);

    /// Removes a breaker without history. Names come from callers and need not be tools.
    void removeUnused(const QString &tool);

    [[nodiscard]] CircuitBreakerState state(const QString &tool) const;
    [[nodiscard]] CircuitBreakerInfo info(const QString &tool, Instant now, UtcTime utcNow) const;

    /// Returns the time until the breaker may admit a call.
    [[nodiscard]] Duration retryAfter(const QString &tool, Instant now) const;

private:
    struct Entry
    {
        CircuitBreaker breaker;
        Instant trialDeadline{}; ///< while the breaker is half-open
    };

    [[nodiscard]] Entry &entryOf(const QString &tool);

    std::optional<CircuitBreakerPolicy> m_policy;
    QHash<QString, Entry> m_entries;
};

} // namespace Rekindle
