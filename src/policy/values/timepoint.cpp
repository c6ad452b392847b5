// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/timepoint.h>

#include "rfc3339_p.h"
#include "json/durationtext.h"

#include <QDateTime>
#include <QRegularExpression>

#include <array>
#include <cstdint>

namespace Rekindle {

std::optional<Duration> durationFromString(QStringView text) { return parseDuration(text); }

QString durationToString(Duration duration) { return formatDuration(duration); }

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
    // Qt accepts more than this, for example blanks and missing parts.
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
