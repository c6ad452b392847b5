// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/metrics/export.h>

#include <prometheus/metric_family.h>

#include <QByteArray>

#include <vector>

namespace Rekindle {

/// Returns metrics in the text format of Prometheus (version 0.0.4), sorted by name and labels. The
/// lines are those of prometheus::TextSerializer, which formats with streams and takes several
/// times as long.
[[nodiscard]] REKINDLE_METRICS_EXPORT QByteArray
expositionText(std::vector<prometheus::MetricFamily> families);

} // namespace Rekindle
