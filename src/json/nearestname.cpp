// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "nearestname.h"

#include <QLatin1String>

#include <algorithm>
#include <array>
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

struct Synonym
{
    QLatin1String word;
    QLatin1String name;
};

// What other supervisors call it.
constexpr std::array<Synonym, 28> synonyms{{
    {QLatin1String("command"), QLatin1String("program")},
    {QLatin1String("cmd"), QLatin1String("program")},
    {QLatin1String("exec"), QLatin1String("program")},
    {QLatin1String("script"), QLatin1String("program")},
    {QLatin1String("args"), QLatin1String("arguments")},
    {QLatin1String("cwd"), QLatin1String("workingDirectory")},
    {QLatin1String("directory"), QLatin1String("workingDirectory")},
    {QLatin1String("env"), QLatin1String("environment")},
    {QLatin1String("depends_on"), QLatin1String("dependsOn")},
    {QLatin1String("restart"), QLatin1String("policy")},
    {QLatin1String("autorestart"), QLatin1String("policy")},
    {QLatin1String("autostart"), QLatin1String("start")},
    {QLatin1String("list"), QLatin1String("status")},
    {QLatin1String("ls"), QLatin1String("status")},
    {QLatin1String("ps"), QLatin1String("status")},
    {QLatin1String("shutdown"), QLatin1String("down")},
    {QLatin1String("delete"), QLatin1String("stop")},
    {QLatin1String("kill"), QLatin1String("stop")},
    {QLatin1String("recycle"), QLatin1String("restart")},
    {QLatin1String("describe"), QLatin1String("explain")},
    {QLatin1String("monit"), QLatin1String("top")},
    {QLatin1String("tail"), QLatin1String("logs")},
    {QLatin1String("running"), QLatin1String("ready")},
    {QLatin1String("--tail"), QLatin1String("--lines")},
    {QLatin1String("help"), QLatin1String("--help")},
    {QLatin1String("version"), QLatin1String("--version")},
    {QLatin1String("-V"), QLatin1String("--version")},
    {QLatin1String("-v"), QLatin1String("--version")},
}};

QString synonymOf(QStringView name, const QStringList &candidates)
{
    for (const Synonym &each : synonyms) {
        if (name == each.word && candidates.contains(each.name))
            return each.name;
    }
    return {};
}

} // namespace

QString didYouMean(QStringView name, const QStringList &candidates)
{
    constexpr qsizetype longest = 64;
    if (name.size() > longest)
        return {};
    QString nearest = synonymOf(name, candidates);
    qsizetype least = nearest.isEmpty() ? longest : 0;
    constexpr qsizetype shortestAbbreviation = 3;
    for (const QString &candidate : candidates) {
        const bool isAbbreviation =
            name.size() >= shortestAbbreviation && candidate.startsWith(name);
        const qsizetype found = isAbbreviation ? 0 : distance(name, candidate);
        // Relative to the longer one, so that "maxRetry" is similar to "maxRetries". Two different
        // letters have nothing in common.
        const qsizetype longer = std::max(name.size(), candidate.size());
        const bool isSimilar = found < longer && found <= std::max<qsizetype>(1, longer / 3);
        if ((isSimilar && found < least) || (isAbbreviation && candidate.size() < nearest.size())) {
            least = found;
            nearest = candidate;
        }
    }
    return nearest.isEmpty() ? QString() : QStringLiteral("; did you mean \"%1\"?").arg(nearest);
}

} // namespace Rekindle
