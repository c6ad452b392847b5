// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "stage.h"

#include <rekindle/metrics/metricscollector.h>

#include <QList>

namespace Rekindle {

/// The value of a series that does not exist.
inline constexpr double absent = -1;

/// Returns the value of a series, which is named as in the text.
inline double valueOf(const MetricsCollector &collector, const QByteArray &series)
{
    const QByteArray start = series + ' ';
    for (const QByteArray &line : collector.text().split('\n')) {
        if (line.startsWith(start))
            return line.mid(start.size()).toDouble();
    }
    return absent;
}

/// Returns the sum of all series whose lines start with this text.
inline double sumOf(const MetricsCollector &collector, const QByteArray &start)
{
    double sum = 0;
    for (const QByteArray &line : collector.text().split('\n')) {
        if (line.startsWith(start))
            sum += line.mid(line.lastIndexOf(' ') + 1).toDouble();
    }
    return sum;
}

/// A stage with a collector of its metrics.
class CollectedStage : public Stage
{
public:
    explicit CollectedStage(const MetricsOptions &options = {})
        : collector(supervisor, options)
    {
    }

    [[nodiscard]] double value(const QByteArray &series) const
    {
        return valueOf(collector, series);
    }
    [[nodiscard]] double sum(const QByteArray &start) const { return sumOf(collector, start); }

    MetricsCollector collector;
};

inline AgentScript runs(const char *script) { return {.runs = QString::fromUtf8(script)}; }

inline QString text(const char *utf8) { return QString::fromUtf8(utf8); }

} // namespace Rekindle
