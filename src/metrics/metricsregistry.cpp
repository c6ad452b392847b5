// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "metricsregistry_p.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace Rekindle {

using prometheus::MetricFamily;

QByteArray MetricsRegistry::text() const
{
    ExpositionWriter writer;
    visit([&writer](const MetricFamilyBase &family) { family.write(writer); },
          [&writer](const MetricFamily &family) { writer.add(family); });
    return writer.text();
}

std::vector<MetricFamily> MetricsRegistry::Collect() const
{
    std::vector<MetricFamily> result;
    const auto add = [&result](MetricFamily family) {
        if (!family.metric.empty())
            result.push_back(std::move(family));
    };
    visit([&add](const MetricFamilyBase &family) { add(family.collect()); }, add);
    return result;
}

/// Visits all families by name. A host may also add series to a family of the collector.
template<typename Own, typename Added>
void MetricsRegistry::visit(Own own, Added added) const
{
    std::vector<MetricFamily> families = Registry::Collect();
    std::ranges::sort(families, {}, &MetricFamily::name);
    auto next = families.begin();
    for (const auto &[name, family] : m_families.all) {
        for (; next != families.end() && next->name < name; ++next)
            added(std::move(*next));
        if (next == families.end() || next->name != name) {
            own(*family);
            continue;
        }
        MetricFamily merged = family->collect();
        for (; next != families.end() && next->name == name; ++next)
            std::ranges::move(next->metric, std::back_inserter(merged.metric));
        added(std::move(merged));
    }
    for (; next != families.end(); ++next)
        added(std::move(*next));
}

} // namespace Rekindle
