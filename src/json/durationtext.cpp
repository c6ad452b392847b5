// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "durationtext.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>

namespace Rekindle {

namespace {
struct Unit
{
    QLatin1String suffix;
    Duration length;
};
constexpr std::array units = {
    Unit{QLatin1String("d"), std::chrono::days(1)},
    Unit{QLatin1String("h"), std::chrono::hours(1)},
    Unit{QLatin1String("m"), std::chrono::minutes(1)},
    Unit{QLatin1String("s"), std::chrono::seconds(1)},
    Unit{QLatin1String("ms"), std::chrono::milliseconds(1)},
};
constexpr Duration longestDuration = std::chrono::days(10'000);

QString decimal(double value)
{
    QString text = QString::number(value, 'f', 6);
    while (text.endsWith(u'0'))
        text.chop(1);
    if (text.endsWith(u'.'))
        text.chop(1);
    return text;
}
} // namespace

std::optional<Duration> parseDuration(QStringView text)
{
    static const QRegularExpression form(
        QStringLiteral("\\A([0-9]+(?:\\.[0-9]+)?)(d|h|m|s|ms)\\z"));
    const QRegularExpressionMatch match = form.match(text.toString());
    if (!match.hasMatch())
        return {};
    const Unit &unit = *std::find_if(units.begin(), units.end(), [&](const Unit &each) {
        return each.suffix == match.capturedView(2);
    });
    const double nanoseconds =
        match.capturedView(1).toDouble() * static_cast<double>(unit.length.count());
    if (nanoseconds > static_cast<double>(longestDuration.count()))
        return {};
    return Duration(std::llround(nanoseconds));
}

QString formatDuration(Duration duration)
{
    if (duration < Duration::zero())
        return QLatin1Char('-') + formatDuration(-duration);
    if (duration == Duration::zero())
        return QStringLiteral("0s");
    const bool small = duration < std::chrono::seconds(1);
    for (const Unit &unit : units) {
        if ((small || unit.length > std::chrono::milliseconds(1))
            && duration % unit.length == Duration::zero())
            return QString::number(duration / unit.length) + unit.suffix;
    }
    const double seconds = std::chrono::duration<double>(duration).count();
    return small ? decimal(seconds * 1000) + QLatin1String("ms")
                 : decimal(seconds) + QLatin1String("s");
}

} // namespace Rekindle
