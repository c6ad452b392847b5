// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/simulation/counterfactualreplay.h>

namespace Rekindle {

/// Describes a replay with other settings. `cursor`: the position of the first difference.
[[nodiscard]] QByteArray counterfactualText(const CounterfactualReplay &replay,
                                            const QString &cursor);

/// The same as JSON on one line.
[[nodiscard]] QByteArray counterfactualJson(const CounterfactualReplay &replay, const QString &run,
                                            const QString &cursor);

} // namespace Rekindle
