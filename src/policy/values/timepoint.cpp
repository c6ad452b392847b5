// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/timepoint.h>

#include "rfc3339_p.h"
#include <QDateTime>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

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

std::optional<Duration> durationFromString(QStringView text)
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

QString durationToString(Duration duration)
{
    if (duration < Duration::zero())
        return QLatin1Char('-') + durationToString(-duration);
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

Rfc3339::Rfc3339(UtcTime time)
{
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const int year = static_cast<int>(date.year());
    if (year < 1 || year > 9999)
        return;
    const std::chrono::hh_mm_ss clock(time - day);
    m_text = {'0', '0', '0', '0', '-', '0', '0', '-', '0', '0', 'T', '0',
              '0', ':', '0', '0', ':', '0', '0', '.', '0', '0', '0', 'Z'};
    const auto write = [this](std::size_t last, std::int64_t number) {
        for (std::size_t i = last; number > 0; --i, number /= 10)
            m_text[i] = static_cast<char>('0' + number % 10);
    };
    write(3, year);
    write(6, static_cast<unsigned>(date.month()));
    write(9, static_cast<unsigned>(date.day()));
    write(12, clock.hours().count());
    write(15, clock.minutes().count());
    write(18, clock.seconds().count());
    write(22, clock.subseconds().count());
    m_size = static_cast<qsizetype>(m_text.size());
}

QString toRfc3339(UtcTime time)
{
    const Rfc3339 text(time);
    return QString::fromLatin1(text.data(), text.size());
}

std::optional<UtcTime> utcTimeFromRfc3339(QStringView text)
{
    // Qt would take much more than this: blanks, missing parts, other calendars' signs.
    static const QRegularExpression form(QStringLiteral(
        "\\A[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,3})?"
        "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])\\z"));
    if (!form.match(text).hasMatch())
        return {};
    const QDateTime read = QDateTime::fromString(text.toString(), Qt::ISODateWithMs);
    if (!read.isValid() || read.toMSecsSinceEpoch() < 0)
        return {};
    return UtcTime(std::chrono::milliseconds(read.toMSecsSinceEpoch()));
}

} // namespace Rekindle
