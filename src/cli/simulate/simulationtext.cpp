// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "simulationtext_p.h"

#include "cli/output/agenttable_p.h"
#include "policy/internal/texthelpers.h"
#include "json/jsonnode.h"
#include "json/nearestname.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace Rekindle {

namespace {

using AgentResult = SimulationResult::Agent;
using Phase = SimulationResult::Phase;

QString percentText(double percent)
{
    // 99.996 % must not look like 100 %.
    constexpr double almost = 99.99;
    if (percent < 100 && percent > almost)
        return QStringLiteral("99.99 %");
    return QString::number(percent, 'f', 2) + QLatin1String(" %");
}

QString orNone(const std::optional<Duration> &time)
{
    return time ? readable(*time) : QStringLiteral("-");
}

QStringList agentHeadings()
{
    return QStringLiteral("STARTS|FAILURES|UP|LONGEST OUTAGE|BREAKER OPEN|GAVE UP AFTER")
        .split(u'|');
}

QStringList agentCells(const AgentResult &agent)
{
    return {QString::number(agent.starts),  QString::number(agent.failures),
            percentText(agent.upPercent()), readable(agent.longestOutage),
            readable(agent.breakerOpen),    orNone(agent.gaveUpAt)};
}

QList<QStringList> agentRows(const SimulationResult &result)
{
    QList<QStringList> rows{QStringList(QStringLiteral("AGENT")) + agentHeadings()};
    for (const AgentResult &each : result.agents)
        rows.append(QStringList(each.name) + agentCells(each));
    if (std::ranges::none_of(result.agents,
                             [](const auto &each) { return each.moves.has_value(); }))
        return rows;
    rows.front().append(QStringLiteral("MOVES"));
    for (qsizetype i = 0; i < result.agents.size(); ++i) {
        const std::optional<qint64> moves = result.agents.at(i).moves;
        rows[i + 1].append(moves ? QString::number(*moves) : QStringLiteral("-"));
    }
    return rows;
}

constexpr int phaseCount = 5;

// `=` is used only without an outage, so that a short one remains visible in a long run.
QChar symbolOf(const std::array<Duration, phaseCount> &times)
{
    const auto time = [&times](Phase phase) { return times.at(static_cast<std::size_t>(phase)); };
    const auto *const longest = std::max_element(times.begin(), times.end());
    switch (static_cast<Phase>(longest - times.begin())) {
    case Phase::Stopped:
        return u' ';
    case Phase::Up:
        return *longest + time(Phase::Stopped)
                == std::accumulate(times.begin(), times.end(), Duration{0})
            ? u'='
            : u'-';
    case Phase::Down:
        return u'.';
    case Phase::Open:
        return u'o';
    case Phase::GaveUp:
        return u'x';
    }
    Q_UNREACHABLE();
}

// The time of each phase from `begin` to `end`.
std::array<Duration, phaseCount> timesOf(const QList<SimulationResult::Span> &spans, Duration begin,
                                         Duration end)
{
    std::array<Duration, phaseCount> times{};
    // The last span that begins at or before `begin`.
    auto span = std::upper_bound(spans.begin(), spans.end(), begin,
                                 [](Duration at, const auto &each) { return at < each.begin; });
    if (span != spans.begin())
        --span;
    for (; span != spans.end() && span->begin < end; ++span) {
        const auto next = span + 1;
        const Duration last = next == spans.end() ? end : std::min(next->begin, end);
        times.at(static_cast<std::size_t>(span->phase)) += last - std::max(span->begin, begin);
    }
    return times;
}

QString timeline(const SimulationResult &result, int width)
{
    qsizetype longest = 0;
    for (const AgentResult &each : result.agents)
        longest = std::max(longest, each.name.size());
    QString text;
    // The product of a length of years and the width exceeds 64 bits.
    const auto beginOf = [&result, width](int cell) {
        return result.length / width * cell + result.length % width * cell / width;
    };
    for (const AgentResult &each : result.agents) {
        text += each.name.leftJustified(longest + 2);
        for (int cell = 0; cell < width; ++cell)
            text += symbolOf(timesOf(each.spans, beginOf(cell), beginOf(cell + 1)));
        text += u'\n';
    }
    return text
        + QStringLiteral("Each character is %1: = up, - up with outages, . down, o breaker open, "
                         "x given up\n")
              .arg(readable(result.length / width));
}

QString herdText(const SimulationResult &result)
{
    if (result.restarts == 0)
        return {};
    return QStringLiteral("Most restarts within 1 s: %1, after %2; within 100 ms: %3, after %4\n")
        .arg(result.herdInSecond.restarts)
        .arg(readable(result.herdInSecond.at))
        .arg(result.herdInTenth.restarts)
        .arg(readable(result.herdInTenth.at));
}

QString totals(const QString &title, const SimulationResult &result)
{
    QString text =
        QStringLiteral("%1, %2: %3, %4 per hour\n")
            .arg(title, readable(result.length), counted(result.restarts, "restart", "restarts"))
            .arg(result.restartsPerHour(), 0, 'g', 3)
        + herdText(result);
    if (result.longestQueue > 0)
        text += QStringLiteral("Longest queue of the governor: %1\n")
                    .arg(counted(result.longestQueue, "start", "starts"));
    if (result.unusedSteps > 0)
        text +=
            QStringLiteral("Steps of the trace without effect, because the agent did not run: %1\n")
                .arg(result.unusedSteps);
    for (const AgentResult &each : result.agents) {
        if (each.twoCopies > Duration{0})
            text += QStringLiteral("Two copies of %1 ran for %2\n")
                        .arg(each.name, readable(each.twoCopies));
    }
    for (const QString &each : result.violations)
        text += QStringLiteral("DEFECT: %1\n").arg(each);
    return text;
}

// Nothing if no rule was violated. The time is rounded up, so that it includes the violation.
QString prefixText(const SimulationResult &result)
{
    const auto &prefix = result.violatingPrefix;
    if (!prefix)
        return {};
    using std::chrono::milliseconds;
    const Duration length =
        std::max<Duration>(milliseconds(1), std::chrono::ceil<milliseconds>(prefix->length));
    const QString steps = prefix->steps == 0 ? QString()
                                             : QLatin1String(" and ")
            + counted(prefix->steps, "step of the trace", "steps of the trace");
    return QStringLiteral("First violated after %1%2; repeat with --seed %3 --for %4\n")
        .arg(counted(prefix->inputs, "input", "inputs"), steps)
        .arg(result.seed)
        .arg(durationToString(length));
}

} // namespace

QByteArray simulationText(const SimulationResult &result, int width)
{
    QString text;
    if (!result.agents.isEmpty() && !result.agents.front().spans.isEmpty())
        text = u'\n' + timeline(result, width);
    const QString title = QStringLiteral("Seed %1").arg(result.seed);
    return columnsText(agentRows(result))
        + (text + u'\n' + totals(title, result) + prefixText(result)).toLocal8Bit();
}

QByteArray comparisonText(const SimulationResult &recorded, const SimulationResult &changed)
{
    QList<QStringList> rows{QStringList{QStringLiteral("AGENT"), QStringLiteral("SETTINGS")}
                            + agentHeadings()};
    auto other = changed.agents.begin(); // in the same order, but some can be missing
    for (const AgentResult &each : recorded.agents) {
        rows.append(QStringList{each.name, QStringLiteral("recorded")} + agentCells(each));
        if (other != changed.agents.end() && other->name == each.name)
            rows.append(QStringList{each.name, QStringLiteral("changed")} + agentCells(*other++));
    }
    const QString text = u'\n' + totals(QStringLiteral("Recorded"), recorded)
        + totals(QStringLiteral("Changed"), changed);
    return columnsText(rows) + text.toLocal8Bit();
}

QString exceededWork(const SimulationResult &result, qint64 limit, Duration length)
{
    QString text = QStringLiteral("expected at most %1 timers and inputs in %2, found more in %3")
                       .arg(limit)
                       .arg(readable(length), readable(result.length));
    const auto busiest =
        std::ranges::max_element(result.agents, {}, &SimulationResult::Agent::starts);
    if (busiest != result.agents.end())
        text += QStringLiteral(" (%1: %2)")
                    .arg(busiest->name, counted(busiest->starts, "start", "starts"));
    return text;
}

QString unknownFigure(const SimulationResult &result, const QString &name)
{
    const QStringList names = result.figureNames();
    QStringList listed;
    for (const QString &each : names) {
        const qsizetype dot = each.lastIndexOf(u'.');
        listed.append(dot < 0 ? each : QLatin1String("NAME") + each.mid(dot));
    }
    listed.removeDuplicates();
    constexpr qsizetype shown = 20;
    QStringList agents;
    for (const AgentResult &each : result.agents.mid(0, shown))
        agents.append(each.name);
    if (result.agents.size() > shown)
        agents.append(QStringLiteral("..."));
    return QStringLiteral(
               "no figure is named \"%1\" (the figures are %2, where NAME is one of %3)%4")
        .arg(printable(name), listed.join(QLatin1String(", ")), agents.join(QLatin1String(", ")),
             didYouMean(name, names));
}

QByteArray simulationsText(QList<SimulationResult> results)
{
    constexpr qsizetype shown = 5;
    std::stable_sort(results.begin(), results.end(), [](const auto &a, const auto &b) {
        return a.lowestUpPercent() < b.lowestUpPercent();
    });
    QList<QStringList> rows{
        QStringLiteral("SEED|LOWEST UP|AGENT|GAVE UP AFTER|RESTARTS|MOST WITHIN 1 S|REPEAT WITH")
            .split(u'|')};
    for (const SimulationResult &each : std::as_const(results)) {
        if (rows.size() > shown)
            break;
        const AgentResult *const lowest = each.lowestAgent();
        rows.append({QString::number(each.seed), percentText(each.lowestUpPercent()),
                     lowest ? lowest->name : QStringLiteral("-"),
                     orNone(lowest ? lowest->gaveUpAt : std::nullopt),
                     QString::number(each.restarts), QString::number(each.herdInSecond.restarts),
                     QStringLiteral("--seed %1").arg(each.seed)});
    }
    QString text = QStringLiteral("%1; the lowest share of time in which an agent was up: %2 "
                                  "(median %3)\n")
                       .arg(counted(results.size(), "run", "runs"),
                            percentText(results.front().lowestUpPercent()),
                            percentText(results.at(results.size() / 2).lowestUpPercent()));
    for (const SimulationResult &each : std::as_const(results)) {
        for (const QString &violation : each.violations)
            text += QStringLiteral("DEFECT with seed %1: %2\n").arg(each.seed).arg(violation);
        text += prefixText(each);
    }
    return columnsText(rows) + '\n' + text.toLocal8Bit();
}

} // namespace Rekindle
