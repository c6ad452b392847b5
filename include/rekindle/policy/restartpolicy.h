// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/circuitbreakerpolicy.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/jitter.h>
#include <rekindle/policy/timepoint.h>

#include <QJsonObject>
#include <QList>
#include <QString>

#include <optional>

namespace Rekindle {

/// Limits automatic restarts in a sliding period, regardless of all other limits.
struct RestartWindow
{
    int restarts = 1;                           ///< 1 to 10000
    Duration period = std::chrono::seconds(60); ///< more than 0, at most 7 days

    bool operator==(const RestartWindow &) const = default;
};

/// Limits requested restarts in a sliding period.
struct RequestLimit
{
    int count = 10;                             ///< 1 to 1000
    Duration period = std::chrono::seconds(60); ///< 1 ms to 7 days

    bool operator==(const RequestLimit &) const = default;
};

/// A custom evaluator: the plug-in, its parameters, and the built-in type for delays and fallback.
struct EvaluatorReference
{
    QString id{};
    QJsonObject parameters{};
    RestartPolicyType base = RestartPolicyType::Exponential; ///< any type but custom
    bool shadow = false;                                     ///< only records its decision

    bool operator==(const EvaluatorReference &) const = default;
};

/// When and how often a failed agent is restarted. All defaults are here, each with its range,
/// which validate() checks. A plain value; copies share their lists.
struct REKINDLE_POLICY_EXPORT RestartPolicy
{
    RestartPolicyType type = RestartPolicyType::Exponential;

    /// Restarts permitted in one sequence, 0 to 1,000,000; 0 means no restart. Empty means
    /// unlimited, in JSON "unlimited".
    std::optional<int> maxRetries = 10;

    /// Sliding limit on automatic restarts; off by default.
    std::optional<RestartWindow> window{};

    RestartOn restartOn = RestartOn::Failure;

    /// Attempt 1 has no delay; the formula starts with attempt 2 as n = 1.
    bool immediateFirst = false;

    Duration initialDelay = std::chrono::seconds(1); ///< 0 to 24 h
    double multiplier = 2.0;                         ///< for exponential; 1 to 100
    Duration maxDelay = std::chrono::seconds(60);    ///< at least initialDelay, at most 7 d
    QList<Duration> steps{};                         ///< for stepped; 1 to 1000 of 0 to 7 d each
    Jitter jitter{};

    /// Time ready after which the agent is stable; 0 to 24 h, 0: as soon as it is ready. Ends a
    /// sequence and is a success for the breaker.
    Duration stableAfter = std::chrono::seconds(60);
    /// While a probe failure is not older than this, the agent is not stable; 0 to 24 h, 0: probe
    /// failures do not matter.
    Duration healthWindow = std::chrono::seconds(30);
    /// Time permitted from start to ready; more than 0, at most 24 h. Then it fails with Timeout.
    Duration startTimeout = std::chrono::seconds(30);
    /// Minimum time between two starts of one instance, except starts by an operator; 0 to 24 h.
    Duration minInterval{0};
    /// Delay of a requested restart (exit code 42); 0 to 24 h.
    Duration requestedDelay{0};
    /// Requested restarts that are accepted. A further exit with code 42 is a ProcessCrash, and a
    /// further request of an agent that is alive is rejected.
    RequestLimit requestLimit{};
    /// Time permitted for Agent::stop(); 0 to 1 h. Then Agent::kill() is called, and after the same
    /// time again the agent is reported as stuck. Empty: Agent::defaultStopTimeout().
    std::optional<Duration> stopTimeout{};

    /// Empty means off.
    std::optional<CircuitBreakerPolicy> circuitBreaker = CircuitBreakerPolicy{};

    /// Exit codes and reasons that are not retried until the instance has been ready once.
    QList<int> permanentExitCodes = {126, 127};
    QList<FailureReason> permanentReasons{};

    /// Time from giving up until a new sequence begins; more than 0, at most 7 d.
    std::optional<Duration> rearmAfter{};

    /// Required for type custom, not permitted for other types.
    std::optional<EvaluatorReference> evaluator{};

    /// The type whose formula determines the delays: for custom, the base of the evaluator.
    [[nodiscard]] RestartPolicyType effectiveType() const
    {
        return type == RestartPolicyType::Custom && evaluator ? evaluator->base : type;
    }

    bool operator==(const RestartPolicy &) const = default;
};

} // namespace Rekindle
