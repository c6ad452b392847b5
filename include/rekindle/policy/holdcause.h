// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/enums.h>
#include <rekindle/policy/export.h>

#include <QString>
#include <QStringList>

namespace Rekindle {

/// Why a start is held back.
struct HoldCause
{
    Q_GADGET_EXPORT(REKINDLE_POLICY_EXPORT)
    Q_PROPERTY(Rekindle::Hold hold MEMBER hold)
    Q_PROPERTY(QString text MEMBER text)
    Q_PROPERTY(bool isTransient MEMBER isTransient)

public:
    Hold hold = Hold::Dependency;
    QString text{}; ///< with the cause, such as "dependency db (Exhausted)"
    /// It is lifted in the same pass of the event loop, when the starts of all other agents of that
    /// pass are known.
    bool isTransient = false;

    bool operator==(const HoldCause &) const = default;
};

/// Returns the text of each cause.
[[nodiscard]] inline QStringList toTexts(const QList<HoldCause> &causes)
{
    QStringList texts;
    for (const HoldCause &each : causes)
        texts += each.text;
    return texts;
}

} // namespace Rekindle
