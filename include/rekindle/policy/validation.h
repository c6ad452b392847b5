// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>

#include <QList>
#include <QString>

namespace Rekindle {

struct RestartPolicy;

/// One fault of a configuration: where it is, what was found there and what is allowed.
/// Line and column are 1-based; 0 where the value did not come from a text.
struct REKINDLE_POLICY_EXPORT Fault
{
    enum class Severity {
        Error,   ///< it will not be used
        Warning, ///< legal but odd; it is used
    };

    QString path{};    ///< JSON pointer, "" for the whole
    QString message{}; ///< "found 0.5, allowed 1 to 100"
    Severity severity = Severity::Error;
    int line = 0;
    int column = 0;

    [[nodiscard]] bool isError() const { return severity == Severity::Error; }

    /// "FILE:LINE:COLUMN: POINTER: message"; parts that are unknown are left out (spec 10).
    [[nodiscard]] QString toString(const QString &file = {}) const;

    bool operator==(const Fault &) const = default;
};

/// All faults of a policy at once, contradictions and odd but legal values included; empty if
/// there is nothing to say. `readyAtOnce` tells that the agent counts as ready when started, which
/// together with stableAfter 0 would leave nothing limited (spec 2).
[[nodiscard]] REKINDLE_POLICY_EXPORT QList<Fault> validate(const RestartPolicy &policy,
                                                           bool readyAtOnce = false);

/// Whether any of them is an error.
[[nodiscard]] REKINDLE_POLICY_EXPORT bool hasErrors(const QList<Fault> &faults);

} // namespace Rekindle
