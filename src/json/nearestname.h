// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <QStringView>

namespace Rekindle {

/// "; did you mean "X"?" with the candidate X that is most similar to a mistyped name, or that
/// other supervisors call by this name; empty if there is none.
[[nodiscard]] QString didYouMean(QStringView name, const QStringList &candidates);

} // namespace Rekindle
