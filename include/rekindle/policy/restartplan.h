// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/backoff.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/restartdecision.h>
#include <rekindle/policy/restartpolicy.h>

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace Rekindle {

/// The schedule of a policy for an agent that fails immediately after every start, as `rekindle
/// plan` shows it. It is the result of the engine's state table in virtual time. Pure values and
/// functions, for any thread.
struct RestartPlan
{
    /// One step of the schedule.
    struct Step
    {
        enum class Kind {
            Restart,      ///< after `delay`
            BreakerOpens, ///< for `delay`
            Trial,        ///< the half-open trial
        };

        Kind kind = Kind::Restart;
        int failure = 0;      ///< the failure that led to it, from 1
        int attempt = 0;      ///< of Restart and Trial, from 1
        Duration delay{0};    ///< without jitter
        Backoff::Band band{}; ///< of Restart: minimum and maximum delay with jitter
        Duration elapsed{0};  ///< since the first failure, without jitter

        bool operator==(const Step &) const = default;
    };

    QString name{};         ///< of the policy, for the heading
    RestartPolicy policy{}; ///< as permitted by the license tier
    QList<Step> steps{};
    std::optional<DecisionRule> end{};  ///< why the plan ends; empty if it continues
    int failures = 0;                   ///< until the last step or the end
    int attempts = 0;                   ///< in `steps`
    Duration elapsed{0};                ///< from the first failure until the last start
    std::optional<Duration> rearmsIn{}; ///< from the end to a fresh sequence

    LicenseTier tier = LicenseTier::Enterprise; ///< determines `policy`
    RestartPolicyType requestedType{};          ///< before a downgrade
    QString requestedEvaluator{};               ///< id; for policy type custom

    int totalAttempts = 0;                  ///< until the end, even after the last step
    std::optional<Duration> totalElapsed{}; ///< empty if there is no end within 5,000 attempts

    bool operator==(const RestartPlan &) const = default;

    /// Computes the schedule of a valid policy in this tier, with at most `maxAttempts` attempts (1
    /// or more) as steps. Custom evaluators are not called: the base type determines the delays.
    [[nodiscard]] REKINDLE_POLICY_EXPORT static RestartPlan
    of(const QString &name, const RestartPolicy &policy, LicenseTier tier, int maxAttempts);

    /// Whether the tier replaced the requested type.
    [[nodiscard]] bool isDowngraded() const { return requestedType != policy.type; }

    /// Why the schedule ends, or that it continues: "given up after 10 restarts".
    [[nodiscard]] REKINDLE_POLICY_EXPORT QString endText() const;

    /// Whether the license tier permits the policy, and what replaces it.
    [[nodiscard]] REKINDLE_POLICY_EXPORT QString tierText() const;
};

/// Formats a heading, a table for a fixed-width font, and the totals. The last column has bars of
/// up to `barWidth` characters; none if it is 0.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString toText(const RestartPlan &plan, int barWidth = 0);

/// Formats one JSON object on several lines. Keys that end in "Ms" are durations in milliseconds.
[[nodiscard]] REKINDLE_POLICY_EXPORT QByteArray toJson(const RestartPlan &plan);

} // namespace Rekindle
