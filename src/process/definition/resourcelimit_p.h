// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <optional>

namespace Rekindle {

/// RLIMIT_... of a name of ResourceLimit::names().
[[nodiscard]] std::optional<int> resourceNamed(const QString &name);

} // namespace Rekindle
