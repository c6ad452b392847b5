// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "plan_p.h"

#include <QByteArray>

namespace Rekindle {

/// Formats one JSON object; keys that end in "Ms" are durations in milliseconds.
[[nodiscard]] QByteArray planJson(const Plan &plan);

} // namespace Rekindle
