// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/eventtext.h>
#include <rekindle/policy/timepoint.h>

#include <QJsonObject>
#include <QStringList>

#include <optional>

namespace Rekindle {

struct RestartPolicy;

/// "1 agent", "2 agents".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString counted(qint64 count, const char *one,
                                                     const char *many);

/// "circuit breaker opens on failure 5 for 5m".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString breakerText(const RestartPolicy &policy);

/// "restart 2 of 5", "restart 2" without a limit.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString restartText(int number,
                                                         const std::optional<int> &most);

/// "given up after 3 restarts", "given up without a restart".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString givenUpText(qint64 restarts);

/// "waits for dependency db (Waiting); ..."; empty without causes.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString waitText(const QStringList &causes);

// Data, see Words::ofData().
inline constexpr QLatin1String stoppedByOperatorText("stopped by an operator");
/// The reason of an AgentStopped if the agent has exited by itself without a failure.
inline constexpr QLatin1String finishedText("finished");

/// "no start until an operator starts it".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString untilStartedText();
/// The same for an agent that the license tier does not restart.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString untilTierChangesText();
/// "no automatic start while the circuit breaker is isolated".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString whileIsolatedText();

/// The value of a key as text, or an empty text.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString textIn(const QJsonObject &object, const char *key);

/// The duration in a key that counts milliseconds.
[[nodiscard]] REKINDLE_POLICY_EXPORT Duration durationIn(const QJsonObject &object,
                                                         const char *key);

/// The same as the public failureText(), from the JSON of a failure.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString failureText(const QString &reason,
                                                         const QJsonObject &detail);

/// "license tier Core does not permit linear restarts".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString notPermittedText(const QString &tier,
                                                              RestartPolicyType type);

/// The same with what replaces them: "...; using linear" or "...; restarts are disabled".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString downgradeText(const QString &tier,
                                                           RestartPolicyType requested,
                                                           RestartPolicyType effective);

/// "evaluator quiet-hours refuses: it is night". The answer is EvaluatorOpinion's, as text.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString evaluationText(const QString &id,
                                                            const QString &answer,
                                                            const QString &reason);

} // namespace Rekindle
