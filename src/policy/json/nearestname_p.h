// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>

#include <QString>
#include <QStringList>
#include <QStringView>

namespace Rekindle {

/// The candidate that a mistyped name most likely meant; empty if none is near.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString nearestName(QStringView name,
                                                         const QStringList &candidates);

/// ", did you mean "X"?" where one is near, else ", allowed: A, B, C".
[[nodiscard]] REKINDLE_POLICY_EXPORT QString suggestion(QStringView name,
                                                        const QStringList &candidates);

} // namespace Rekindle
