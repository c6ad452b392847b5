// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <prometheus/family.h>

#include <memory>
#include <utility>

namespace Rekindle {

template<typename Metric>
struct RemoveSeries
{
    prometheus::Family<Metric> *family = nullptr;

    void operator()(Metric *series) const { family->Remove(series); }
};

/// A series that is removed with its owner.
template<typename Metric>
using Series = std::unique_ptr<Metric, RemoveSeries<Metric>>;

template<typename Metric, typename... Arguments>
[[nodiscard]] Series<Metric> makeSeries(prometheus::Family<Metric> &family,
                                        const prometheus::Labels &labels, Arguments &&...arguments)
{
    return {&family.Add(labels, std::forward<Arguments>(arguments)...), {&family}};
}

} // namespace Rekindle
