// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/failure.h>
#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/timepoint.h>

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace Rekindle {

/// A length of time as people say it, two units at the most: "750ms", "1.9s", "5m", "2h 5m".
[[nodiscard]] QString forPeople(Duration duration);

/// "1 agent", "2 agents".
[[nodiscard]] QString counted(qint64 count, const QString &one, const QString &many);

/// "a, b, c", and of many the first 20 and how many more there are.
[[nodiscard]] QString listed(const QStringList &texts);

/// "ProcessCrash: exit code 1", "ProcessCrash: SIGSEGV", "Timeout: not ready within 30s".
[[nodiscard]] QString forPeople(FailureReason reason, const FailureDetail &detail);

/// "tier WriterPro has no exponential restarts, they are linear", or "... none are made".
[[nodiscard]] QString downgradeText(const QString &tier, RestartPolicyType requested,
                                    RestartPolicyType effective);

/// "web: tier WriterPro has no exponential restarts, they are linear", or "... none are made".
[[nodiscard]] QString forPeople(const PolicyDowngraded &event);

/// "evaluator quiet-hours refuses: it is night". The answer is EvaluatorOpinion's, as text.
[[nodiscard]] QString opinionText(const QString &id, const QString &answer, const QString &reason);

/// A line of a program, safe to show on a terminal: colours stay, whatever else would move the
/// cursor or change the terminal goes.
[[nodiscard]] QByteArray forTerminal(const QByteArray &line);

} // namespace Rekindle
