// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/failure.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/timepoint.h>

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace Rekindle {

/// "1 agent", "2 agents".
[[nodiscard]] QString counted(qint64 count, const char *one, const char *many);

/// "a, b, c"; after 20 texts only "and 3 more".
[[nodiscard]] QString listed(const QStringList &texts);

/// "ProcessCrash: exit code 1", "ProcessCrash: SIGSEGV", "Timeout: not ready within 30s".
[[nodiscard]] QString failureText(FailureReason reason, const FailureDetail &detail);

/// "license tier Core does not permit linear restarts".
[[nodiscard]] QString notPermittedText(const QString &tier, RestartPolicyType type);

/// The same with what replaces them: "...; using linear" or "...; restarts are disabled".
[[nodiscard]] QString downgradeText(const QString &tier, RestartPolicyType requested,
                                    RestartPolicyType effective);

/// "evaluator quiet-hours refuses: it is night". The answer is EvaluatorOpinion's, as text.
[[nodiscard]] QString evaluationText(const QString &id, const QString &answer,
                                     const QString &reason);

/// Removes all control characters and escape sequences from a line, except those that set colors.
[[nodiscard]] QByteArray forTerminal(const QByteArray &line);

} // namespace Rekindle
