// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>
#include <rekindle/policy/timepoint.h>

#include <QList>
#include <QMetaType>
#include <QString>

namespace Rekindle {

/// What one run of a health probe found.
struct ProbeResult
{
    UtcTime at{};    ///< when the answer was there, or the time for it was up
    bool ok = false; ///< else it is a miss
    Duration took{0};
    QString text{};  ///< the answer in words
    QString probe{}; ///< which probe, "http" for example

    bool operator==(const ProbeResult &) const = default;
};

/// What the health probes of an agent say, and an agent that watches itself (spec 6). Unknown until
/// one of them has answered. Cheap to
/// copy: the history is shared.
struct AgentHealthStatus
{
    enum class State {
        Unknown,   ///< no probe has answered since it was started
        Healthy,   ///< the last answer of every probe that has answered was good
        Unhealthy, ///< the last run of some probe was a miss
    };

    static constexpr qsizetype longestHistory = 10;

    State state = State::Unknown;
    int consecutiveMisses = 0;    ///< of the probe that has most of them
    QString detail{};             ///< the last probe's answer in words
    QList<ProbeResult> history{}; ///< oldest first, at most `longestHistory`; outlives a restart

    /// The newest result; an empty one where there is none.
    [[nodiscard]] ProbeResult latest() const { return history.value(history.size() - 1); }

    bool operator==(const AgentHealthStatus &) const = default;
};

/// "Unknown", "Healthy", "Unhealthy".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString toText(AgentHealthStatus::State state);

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::ProbeResult)
Q_DECLARE_METATYPE(Rekindle::AgentHealthStatus)
