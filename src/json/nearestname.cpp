// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "nearestname.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace Rekindle {

namespace {

// Levenshtein's distance, letters compared without case.
qsizetype distance(QStringView a, QStringView b)
{
    std::vector<qsizetype> row(static_cast<std::size_t>(b.size()) + 1);
    std::iota(row.begin(), row.end(), 0);
    for (qsizetype i = 0; i < a.size(); ++i) {
        qsizetype diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 1; j < row.size(); ++j) {
            const bool same =
                a[i].toCaseFolded() == b[static_cast<qsizetype>(j) - 1].toCaseFolded();
            const qsizetype replaced = diagonal + (same ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

} // namespace

QString didYouMean(QStringView name, const QStringList &candidates)
{
    constexpr qsizetype longest = 64;
    if (name.size() > longest)
        return {};
    QString nearest;
    qsizetype least = std::max<qsizetype>(1, name.size() / 3) + 1;
    constexpr qsizetype shortestAbbreviation = 3;
    for (const QString &candidate : candidates) {
        const bool isAbbreviation =
            name.size() >= shortestAbbreviation && candidate.startsWith(name);
        const qsizetype found = isAbbreviation ? 0 : distance(name, candidate);
        if (found < least) {
            least = found;
            nearest = candidate;
        }
    }
    return nearest.isEmpty() ? QString() : QStringLiteral("; did you mean \"%1\"?").arg(nearest);
}

} // namespace Rekindle
