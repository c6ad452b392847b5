// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "memorysize_p.h"

#include <QRegularExpression>

namespace Rekindle {

std::optional<std::string> memorySize(const QString &text)
{
    static const QRegularExpression pattern(
        QRegularExpression::anchoredPattern(QStringLiteral("([0-9]{1,12})(b?|[kmgt]b?)")),
        QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = pattern.match(text);
    if (!match.hasMatch())
        return {};
    const qsizetype power = std::max<qsizetype>(
        QStringLiteral("bkmgt").indexOf(match.captured(2).left(1).toLower()), 0);
    constexpr double kibi = 1024;
    constexpr double least = 4096;
    constexpr double greatest = kibi * kibi * kibi * kibi;
    double bytes = match.captured(1).toDouble();
    for (qsizetype i = 0; i < power; ++i)
        bytes *= kibi;
    if (bytes < least || bytes > greatest)
        return {};
    if (power == 4) // the greatest size
        return "1024GiB";
    static const QStringList units{QStringLiteral("B"), QStringLiteral("KiB"),
                                   QStringLiteral("MiB"), QStringLiteral("GiB")};
    return QString(match.captured(1) + units[power]).toStdString();
}

} // namespace Rekindle
