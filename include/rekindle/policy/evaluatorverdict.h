// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/enumnames.h>
#include <rekindle/policy/qmlvalue.h>
#include <rekindle/policy/timepoint.h>

#include <QObject>
#include <QString>

#include <optional>

namespace Rekindle {

/// The answer of a custom evaluator to a restart that the built-in rules permit.
struct EvaluatorVerdict
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")
    Q_PROPERTY(Kind kind MEMBER kind)
    REKINDLE_QML_PROPERTY(double, delay)

public:
    enum class Kind { Accept, Delay, Refuse, OpenBreaker };
    Q_ENUM(Kind)
    Kind kind = Kind::Accept;
    Duration delay{0}; ///< of Delay: from the failure to the restart, at most longestDelay
    static constexpr Duration longestDelay = std::chrono::days(7);
};

inline constexpr std::array<EnumName<EvaluatorVerdict::Kind>, 4> evaluatorAnswers = {{
    {EvaluatorVerdict::Kind::Accept, QLatin1String("accept")},
    {EvaluatorVerdict::Kind::Delay, QLatin1String("delay")},
    {EvaluatorVerdict::Kind::Refuse, QLatin1String("refuse")},
    {EvaluatorVerdict::Kind::OpenBreaker, QLatin1String("openBreaker")},
}};

/// The result of an evaluation request, as it is recorded in a decision.
struct EvaluatorOpinion
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(QString id MEMBER id)
    REKINDLE_QML_PROPERTY(QVariant, answer)
    Q_PROPERTY(QString reason MEMBER reason)
    REKINDLE_QML_PROPERTY(double, builtInDelay)

public:
    QString id{};                                   ///< of the evaluator
    std::optional<EvaluatorVerdict::Kind> answer{}; ///< empty: the built-in rules decided
    QString reason{}; ///< of the evaluator, may be empty; without an answer, why there is none
    Duration builtInDelay{0}; ///< from the failure to the restart, by the built-in rules

    /// "accept", "delay", "refuse", "openBreaker" or "none".
    [[nodiscard]] QString answerText() const
    {
        return answer ? nameOf(evaluatorAnswers, *answer) : QStringLiteral("none");
    }

    bool operator==(const EvaluatorOpinion &) const = default;
};

} // namespace Rekindle
