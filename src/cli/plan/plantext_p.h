// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "plan_p.h"

#include <QByteArray>

namespace Rekindle {

/// Formats a table, with bars of up to `barWidth` columns.
[[nodiscard]] QByteArray planText(const Plan &plan, int barWidth);

} // namespace Rekindle
