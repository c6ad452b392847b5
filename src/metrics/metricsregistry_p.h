// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "metricfamilies_p.h"

#include <prometheus/registry.h>

#include <QByteArray>

namespace Rekindle {

/// The families of a collector, and those that a host adds with the functions of prometheus-cpp.
class MetricsRegistry final : public prometheus::Registry
{
public:
    [[nodiscard]] MetricFamilies &families() { return m_families; }

    /// Returns all series as text, sorted by name and labels. Thread-safe.
    [[nodiscard]] QByteArray text() const;

    [[nodiscard]] std::vector<prometheus::MetricFamily> Collect() const override;

private:
    template<typename Own, typename Added>
    void visit(Own own, Added added) const;

    MetricFamilies m_families;
};

} // namespace Rekindle
