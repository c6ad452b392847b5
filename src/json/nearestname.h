// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <QStringView>

namespace Rekindle {

/// The candidate that is most similar to a mistyped name; empty if none is similar.
[[nodiscard]] QString nearestName(QStringView name, const QStringList &candidates);

/// "; did you mean "X"?" if one is similar, otherwise "; expected one of A, B, C".
[[nodiscard]] QString suggestion(QStringView name, const QStringList &candidates);

} // namespace Rekindle
