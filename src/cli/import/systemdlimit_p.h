// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsontext.h"

#include <QString>

#include <optional>

namespace Rekindle {

/// Converts the value of LimitNOFILE= and its relatives: numbers, "infinity", "SOFT:HARD", and for
/// sizes the suffixes K, M, G, T, P and E to the base 1024. `name` is that of a resource limit.
/// Returns nothing for time spans and nice levels, which have other units, and for invalid values.
[[nodiscard]] std::optional<Json> systemdLimit(const QString &name, const QString &value);

} // namespace Rekindle
