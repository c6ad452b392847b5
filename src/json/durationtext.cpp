// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "durationtext.h"

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
constexpr Duration longest = std::chrono::days(10'000);

bool isDecimal(QStringView text)
{
    const qsizetype point = text.indexOf(u'.');
    const QStringView whole = point < 0 ? text : text.left(point);
    const QStringView fraction = point < 0 ? QStringView(u"0") : text.mid(point + 1);
    const auto allDigits = [](QStringView part) {
        return !part.isEmpty() && std::all_of(part.begin(), part.end(), [](QChar c) {
            return c >= u'0' && c <= u'9';
        });
    };
    return allDigits(whole) && allDigits(fraction);
}

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
    qsizetype digits = 0;
    while (digits < text.size() && (text[digits].isDigit() || text[digits] == u'.'))
        ++digits;
    const QStringView number = text.left(digits);
    const QStringView suffix = text.mid(digits);
    if (!isDecimal(number))
        return {};
    for (const Unit &unit : units) {
        if (suffix != unit.suffix)
            continue;
        const double nanoseconds = number.toDouble() * static_cast<double>(unit.length.count());
        if (nanoseconds > static_cast<double>(longest.count()))
            return {};
        return Duration(std::llround(nanoseconds));
    }
    return {};
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
