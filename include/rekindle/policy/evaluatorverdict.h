// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>
#include <rekindle/policy/timepoint.h>

#include <QString>

#include <optional>

namespace Rekindle {

/// The answer of a custom evaluator to a restart that the built-in rules permit.
struct EvaluatorVerdict
{
    enum class Kind { Accept, Delay, Refuse, OpenBreaker };
    Kind kind = Kind::Accept;
    Duration delay{0}; ///< of Delay: from the failure to the restart, at most longestDelay
    static constexpr Duration longestDelay = std::chrono::days(7);
};

/// The result of an evaluation request, as it is recorded in a decision.
struct REKINDLE_POLICY_EXPORT EvaluatorOpinion
{
    QString id{};                                   ///< of the evaluator
    std::optional<EvaluatorVerdict::Kind> answer{}; ///< empty: the built-in rules decided
    QString
        reason{}; ///< given by the evaluator, can be empty; without an answer, why there is none
    Duration builtInDelay{0}; ///< from the failure to the restart, by the built-in rules

    /// "accept", "delay", "refuse", "openBreaker" or "none".
    [[nodiscard]] QString answerText() const;

    bool operator==(const EvaluatorOpinion &) const = default;
};

} // namespace Rekindle
