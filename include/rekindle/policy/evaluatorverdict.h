// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>
#include <rekindle/policy/timepoint.h>

#include <QString>

#include <optional>

namespace Rekindle {

/// What a custom evaluator may say about a restart that the built-in rules allow (spec 7).
struct EvaluatorVerdict
{
    enum class Kind { Accept, Delay, Refuse, OpenBreaker };
    Kind kind = Kind::Accept;
    Duration delay{0}; ///< of Delay: from the failure to the restart, at most longestDelay
    static constexpr Duration longestDelay = std::chrono::days(7);
};

/// What became of the question to a custom evaluator, as a decision remembers it.
struct REKINDLE_POLICY_EXPORT EvaluatorOpinion
{
    QString id{};                                   ///< the evaluator's
    std::optional<EvaluatorVerdict::Kind> answer{}; ///< nothing: the built-in rules decided
    QString reason{}; ///< its author's, which may be empty; without an answer: why there is none
    Duration builtInDelay{0}; ///< from the failure on: what the built-in rules would have waited

    /// "accept", "delay", "refuse", "openBreaker" or "none".
    [[nodiscard]] QString answerText() const;

    bool operator==(const EvaluatorOpinion &) const = default;
};

} // namespace Rekindle
