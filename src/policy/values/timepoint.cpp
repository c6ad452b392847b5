// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/timepoint.h>

#include "policy/internal/words.h"
#include "rfc3339_p.h"
#include "json/durationtext.h"

#include <QDateTime>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cstdint>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

QString decimal(double value)
{
    // More significant digits would suggest a precision that delays do not have.
    QString text = QString::number(value, 'f', value < 10 ? 2 : 1);
    while (text.endsWith(u'0'))
        text.chop(1);
    if (text.endsWith(u'.'))
        text.chop(1);
    return Words::number(text);
}

QString twoUnits(Duration duration, Duration large, QLatin1String largeName, Duration small,
                 QLatin1String smallName)
{
    auto count = duration / large;
    auto rest = (duration % large + small / 2) / small;
    if (rest == large / small) {
        ++count;
        rest = 0;
    }
    const QString text = QString::number(count) + largeName;
    return rest == 0 ? text : text + QLatin1Char(' ') + QString::number(rest) + smallName;
}

} // namespace

std::optional<Duration> durationFromString(QStringView text) { return parseDuration(text); }

QString durationToString(Duration duration) { return formatDuration(duration); }

QString readable(Duration duration)
{
    if (duration == Duration{0})
        return QStringLiteral("0s");
    if (duration < 1s)
        return decimal(toMilliseconds(std::max<Duration>(
                   1ms, std::chrono::round<std::chrono::milliseconds>(duration))))
            + QLatin1String("ms");
    if (duration < 1min)
        return decimal(std::chrono::duration<double>(duration).count()) + QLatin1Char('s');
    if (duration < 1h)
        return twoUnits(duration, 1min, QLatin1String("m"), 1s, QLatin1String("s"));
    if (duration < 24h)
        return twoUnits(duration, 1h, QLatin1String("h"), 1min, QLatin1String("m"));
    return twoUnits(duration, 24h, QLatin1String("d"), 1h, QLatin1String("h"));
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

QString toLocalText(UtcTime time)
{
    return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count())
        .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
}

std::optional<UtcTime> utcTimeFromRfc3339(QStringView text)
{
    // Qt accepts more than this, for example blanks and missing parts.
    static const QRegularExpression form(QStringLiteral(
        "\\A[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,3})?"
        "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])\\z"));
    if (!form.match(text.toString()).hasMatch())
        return {};
    const QDateTime read = QDateTime::fromString(text.toString(), Qt::ISODateWithMs);
    if (!read.isValid() || read.toMSecsSinceEpoch() < 0)
        return {};
    return UtcTime(std::chrono::milliseconds(read.toMSecsSinceEpoch()));
}

} // namespace Rekindle
