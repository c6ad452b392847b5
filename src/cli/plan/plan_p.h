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

/// One thing that a policy does to an agent that fails at once, at every start.
struct PlanStep
{
    enum class Kind {
        Restart,      ///< after `delay`
        BreakerOpens, ///< for `delay`
        Probe,        ///< the one start that a half-open breaker lets through
    };

    Kind kind = Kind::Restart;
    int failure = 0;      ///< which failure led to it, from 1
    int attempt = 0;      ///< of Restart and Probe
    Duration delay{0};    ///< without jitter
    Backoff::Band band{}; ///< of Restart: the least and the greatest delay with jitter
    Duration elapsed{0};  ///< since the first failure, without jitter: when it happens
};

/// What a policy does to an agent that fails at once, at every start: found by letting the engine's
/// own state machine decide, in virtual time, so that it is what happens.
struct Plan
{
    QString name; ///< as the policy was given
    RestartPolicy policy;
    QList<PlanStep> steps;
    std::optional<DecisionRule> end; ///< why it ends; nothing if it goes on beyond the last step
    int failures = 0;
    int attempts = 0;
    Duration elapsed{0};                ///< up to the last start
    std::optional<Duration> rearmsIn{}; ///< after the end: until a fresh sequence begins

    LicenseTier tier = LicenseTier::Enterprise; ///< that `policy` was held against
    RestartPolicyType requestedType{};          ///< of the policy as it was given
    QString requestedEvaluator{};               ///< its id, of a policy of type custom
    [[nodiscard]] bool isDowngraded() const { return requestedType != policy.type; }

    int attemptsInAll = 0; ///< up to the end, also where that lies beyond the last step
    std::optional<Duration> elapsedInAll{}; ///< nothing if no end is in sight

    /// What becomes of the policy in this tier. At most `most` attempts become steps.
    [[nodiscard]] static Plan of(const QString &name, const RestartPolicy &policy, LicenseTier tier,
                                 int most);
};

/// A table for people; `barWidth` columns more for bars, 0 for none.
[[nodiscard]] QByteArray planText(const Plan &plan, int barWidth);

/// One JSON object; durations are milliseconds in keys that end in "Ms".
[[nodiscard]] QByteArray planJson(const Plan &plan);

/// A drawing: a bar for each attempt with its jitter, and where the breaker opens.
[[nodiscard]] QByteArray planSvg(const Plan &plan);

/// Why the plan ends, or that it goes on: one sentence without its end.
[[nodiscard]] QString planEnd(const Plan &plan);

/// What the licence tier makes of the policy: one sentence without its end.
[[nodiscard]] QString planTier(const Plan &plan);

} // namespace Rekindle
