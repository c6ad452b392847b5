// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "bytesize_p.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

constexpr qint64 least = 4096;
constexpr qint64 greatest = qint64{1} << 40;

struct Unit
{
    const char *name;
    double bytes;
};
constexpr double kilo = 1000;
constexpr double kibi = 1024;
constexpr std::array units{Unit{"", 1},
                           Unit{"B", 1},
                           Unit{"kB", kilo},
                           Unit{"KB", kilo},
                           Unit{"MB", kilo *kilo},
                           Unit{"GB", kilo *kilo *kilo},
                           Unit{"KiB", kibi},
                           Unit{"MiB", kibi *kibi},
                           Unit{"GiB", kibi *kibi *kibi}};

std::optional<double> byteSize(const QString &text)
{
    static const QRegularExpression pattern(
        QRegularExpression::anchoredPattern(QStringLiteral("([0-9.]{1,15}) ?([A-Za-z]*)")));
    const QRegularExpressionMatch match = pattern.match(text);
    const auto *const unit = std::find_if(units.begin(), units.end(), [&match](const Unit &each) {
        return match.captured(2) == QLatin1String(each.name);
    });
    bool isNumber = false;
    const double count = match.captured(1).toDouble(&isNumber);
    if (!isNumber || unit == units.end())
        return {};
    return count * unit->bytes;
}

} // namespace

std::optional<qint64> readByteSize(const JsonPlace &place)
{
    const QString text = place.isString() ? place.text().value_or(QString())
                                          : QString::number(place.number().value_or(-1), 'f', 0);
    const std::optional<double> bytes = byteSize(text);
    if (bytes && *bytes >= least && *bytes <= greatest)
        return static_cast<qint64>(*bytes);
    place.mismatch(QStringLiteral("a size from 4 KiB to 1 TiB, such as \"10MB\""));
    return {};
}

} // namespace Rekindle
