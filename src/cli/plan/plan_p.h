// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/backoff.h>
#include <rekindle/policy/licensetier.h>
#include <rekindle/policy/restartdecision.h>
#include <rekindle/policy/restartpolicy.h>

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace Rekindle {

/// One step in the schedule of a policy.
struct PlanStep
{
    enum class Kind {
        Restart,      ///< after `delay`
        BreakerOpens, ///< for `delay`
        Probe,        ///< the half-open trial
    };

    Kind kind = Kind::Restart;
    int failure = 0;      ///< the failure that led to it, from 1
    int attempt = 0;      ///< of Restart and Probe
    Duration delay{0};    ///< without jitter
    Backoff::Band band{}; ///< of Restart: minimum and maximum delay with jitter
    Duration elapsed{0};  ///< since the first failure, without jitter
};

/// The schedule of a policy for an agent that fails immediately after every start. It is the result
/// of the engine's state table in virtual time.
struct Plan
{
    QString name; ///< as given on the command line
    RestartPolicy policy;
    QList<PlanStep> steps;
    std::optional<DecisionRule> end; ///< why it ends; empty if it continues after the last step
    int failures = 0;
    int attempts = 0;
    Duration elapsed{0};                ///< until the last start
    std::optional<Duration> rearmsIn{}; ///< from the end to a fresh sequence

    LicenseTier tier = LicenseTier::Enterprise; ///< determines `policy`
    RestartPolicyType requestedType{};          ///< before a downgrade
    QString requestedEvaluator{};               ///< id; for policy type custom
    [[nodiscard]] bool isDowngraded() const { return requestedType != policy.type; }

    int attemptsInAll = 0;                  ///< until the end, even after the last step
    std::optional<Duration> elapsedInAll{}; ///< empty if there is no end

    /// Computes the schedule of the policy in this tier, with at most `most` attempts as steps.
    [[nodiscard]] static Plan of(const QString &name, const RestartPolicy &policy, LicenseTier tier,
                                 int most);
};

/// Why the schedule ends, or that it continues.
[[nodiscard]] QString planEnd(const Plan &plan);

/// Whether the license tier permits the policy, and what replaces it.
[[nodiscard]] QString planTier(const Plan &plan);

/// Formats a table, with bars of up to `barWidth` columns.
[[nodiscard]] QByteArray planText(const Plan &plan, int barWidth);

/// Formats one JSON object; keys that end in "Ms" are durations in milliseconds.
[[nodiscard]] QByteArray planJson(const Plan &plan);

/// Draws a bar for each attempt with its jitter, and a line where the breaker opens.
[[nodiscard]] QByteArray planSvg(const Plan &plan);

} // namespace Rekindle
