// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "hostseries_p.h"

namespace Rekindle {

namespace {

// Limits the series of evaluators and of subscribers; normally there are only a few.
constexpr std::size_t maxNames = 100;

/// Returns the label of a name. Names beyond the limit share one label.
std::string limited(std::set<std::string> &names, const QString &name)
{
    std::string text = name.toStdString();
    if (names.size() >= maxNames && !names.contains(text))
        return "_other";
    names.insert(text);
    return text;
}

} // namespace

HostSeries::HostSeries(MetricFamilies &families)
    : m_families(families)
{
}

void HostSeries::setTier(LicenseTier tier)
{
    for (const auto &[each, name] : licenseTiers)
        m_families.licenseTier.Add({{"tier", labelValue(name)}}).Set(each == tier ? 1 : 0);
}

void HostSeries::count(const EvaluatorFault &fault)
{
    const prometheus::Labels labels = {{"evaluator", limited(m_evaluators, fault.evaluator)}};
    m_families.evaluatorFaults.Add(labels).Increment();
    m_families.evaluatorQuarantines.Add(labels).Increment(fault.quarantined ? 1 : 0);
}

void HostSeries::countShadow(const QString &evaluator, bool agreed)
{
    const std::string name = limited(m_shadows, evaluator);
    const auto series = [&](const char *outcome) -> prometheus::Counter & {
        return m_families.shadowDecisions.Add({{"evaluator", name}, {"outcome", outcome}});
    };
    series("agreed").Increment(agreed ? 1 : 0);
    series("disagreed").Increment(agreed ? 0 : 1);
}

void HostSeries::setDropped(const QString &subscriber, quint64 total)
{
    const std::string name = subscriber.toStdString();
    if (m_dropped.size() >= maxNames && !m_dropped.contains(name))
        return;
    quint64 &known = m_dropped[name];
    const quint64 added = total > known ? total - known : 0;
    m_families.eventsDropped.Add({{"subscriber", name}}).Increment(static_cast<double>(added));
    known += added;
}

} // namespace Rekindle
