// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/circuitbreaker.h>
#include <rekindle/policy/failure.h>
#include <rekindle/policy/jitter.h>
#include <rekindle/policy/timepoint.h>

#include <QJsonObject>
#include <QList>
#include <QString>

#include <optional>

namespace Rekindle {

/// How the delay grows from attempt to attempt (spec 2, S1 4.5).
enum class RestartPolicyType {
    None,        ///< no restart
    Immediate,   ///< no delay
    Linear,      ///< initialDelay * n
    Exponential, ///< initialDelay * multiplier^(n - 1)
    Stepped,     ///< the n-th of a list; the last one repeats
    Custom,      ///< an evaluator from a plug-in decides, upon the verdict of its base type
};

/// The type's name in a configuration: "none", "immediate", "linear", ...
[[nodiscard]] REKINDLE_POLICY_EXPORT QString toText(RestartPolicyType type);
[[nodiscard]] REKINDLE_POLICY_EXPORT std::optional<RestartPolicyType>
restartPolicyTypeFromString(QStringView name);

/// Which ends of an agent count as failures.
enum class RestartOn {
    Failure, ///< all but a clean end
    Always,  ///< a clean end (exit 0) too: S2, MCP servers
};

/// At most so many automatic restarts in a sliding period, whatever else holds.
struct RestartWindow
{
    int restarts = 1;                           ///< 1 to 10000
    Duration period = std::chrono::seconds(60); ///< more than 0, at most 7 days

    bool operator==(const RestartWindow &) const = default;
};

/// A custom evaluator: the plug-in, its parameters, and the built-in type under it (spec 7).
struct EvaluatorReference
{
    QString id{};
    QJsonObject parameters{};
    RestartPolicyType base = RestartPolicyType::Exponential; ///< any type but custom
    bool shadow = false; ///< only records what it would have decided

    bool operator==(const EvaluatorReference &) const = default;
};

/// When and how often a failed agent is restarted. All defaults stand here, each with its range;
/// validate() checks them. A plain value; copying shares its lists.
struct REKINDLE_POLICY_EXPORT RestartPolicy
{
    RestartPolicyType type = RestartPolicyType::Exponential;

    /// Restarts allowed in one sequence, 0 to 1,000,000; nothing means unlimited, and must be
    /// written out as "unlimited". 0 means no restart.
    std::optional<int> maxRetries = 10;

    /// Sliding limit on automatic restarts; off by default.
    std::optional<RestartWindow> window{};

    RestartOn restartOn = RestartOn::Failure;

    /// Attempt 1 has no delay; the formula starts with attempt 2 as n = 1.
    bool immediateFirst = false;

    Duration initialDelay = std::chrono::seconds(1); ///< 0 to 24 h
    double multiplier = 2.0;                         ///< of exponential; 1 to 100
    Duration maxDelay = std::chrono::seconds(60);    ///< at least initialDelay, at most 7 d
    QList<Duration> steps{};                         ///< of stepped; 1 to 1000 of 0 to 7 d each
    Jitter jitter{};

    /// Ready for this long ends a sequence and is the breaker's success; 0 to 24 h, 0 = at ready.
    Duration stableAfter = std::chrono::seconds(60);
    /// From start to ready, else the start has failed with Timeout; more than 0, at most 24 h.
    Duration startTimeout = std::chrono::seconds(30);
    /// Least time between two starts of one instance, an operator's apart; 0 to 24 h.
    Duration minInterval{0};
    /// Before a requested restart (exit code 42) starts anew; 0 to 24 h.
    Duration requestedDelay{0};

    /// Nothing means off.
    std::optional<CircuitBreakerPolicy> circuitBreaker = CircuitBreakerPolicy{};

    /// Exit codes and reasons that are never retried until the instance has once been ready.
    QList<int> permanentExitCodes = {126, 127};
    QList<FailureReason> permanentReasons{};

    /// After giving up, a fresh sequence begins this much later; more than 0, at most 7 d.
    std::optional<Duration> rearmAfter{};

    /// Of type custom, and only there.
    std::optional<EvaluatorReference> evaluator{};

    /// The type whose formula gives the delays: the evaluator's base for custom.
    [[nodiscard]] RestartPolicyType effectiveType() const
    {
        return type == RestartPolicyType::Custom && evaluator ? evaluator->base : type;
    }

    bool operator==(const RestartPolicy &) const = default;
};

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::RestartPolicy)
