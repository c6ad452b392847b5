// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "hostseries_p.h"

namespace Rekindle {

namespace {

// Limits the series of evaluators and of subscribers; normally there are only a few.
constexpr std::size_t maxNames = 100;
constexpr char otherName[] = "_other";

} // namespace

HostSeries::HostSeries(MetricFamilies &families)
    : m_families(families)
{
}

void HostSeries::setTier(LicenseTier tier)
{
    for (const LicenseTier each : licenseTiers) {
        prometheus::Gauge *&series = m_tiers[static_cast<std::size_t>(each)];
        if (!series)
            series = &m_families.licenseTier.Add({{"tier", labelValue(toText(each))}});
        series->Set(each == tier ? 1 : 0);
    }
}

template<typename Series>
std::pair<const std::string, Series> &
HostSeries::entryOf(std::unordered_map<std::string, Series> &all, const QString &evaluator)
{
    std::string name = evaluator.toStdString();
    if (all.size() >= maxNames && !all.contains(name))
        name = otherName;
    return *all.try_emplace(name).first;
}

void HostSeries::count(const EvaluatorFault &fault)
{
    auto &[name, series] = entryOf(m_evaluators, fault.evaluator);
    if (!series.faults) {
        const prometheus::Labels labels = {{"evaluator", name}};
        series = {&m_families.evaluatorFaults.Add(labels),
                  &m_families.evaluatorQuarantines.Add(labels)};
    }
    series.faults->Increment();
    if (fault.quarantined)
        series.quarantines->Increment();
}

void HostSeries::countShadow(const QString &evaluator, bool agreed)
{
    auto &[name, series] = entryOf(m_shadows, evaluator);
    if (!series.agreed) {
        MetricFamilies::Counters &family = m_families.shadowDecisions;
        series = {&family.Add({{"evaluator", name}, {"outcome", "agreed"}}),
                  &family.Add({{"evaluator", name}, {"outcome", "disagreed"}})};
    }
    (agreed ? series.agreed : series.disagreed)->Increment();
}

void HostSeries::setDropped(const QString &subscriber, quint64 total)
{
    const std::string name = subscriber.toStdString();
    if (m_dropped.size() >= maxNames && !m_dropped.contains(name))
        return;
    Dropped &dropped = m_dropped[name];
    if (!dropped.series)
        dropped.series = &m_families.eventsDropped.Add({{"subscriber", name}});
    if (total <= dropped.total)
        return;
    dropped.series->Increment(static_cast<double>(total - dropped.total));
    dropped.total = total;
}

} // namespace Rekindle
