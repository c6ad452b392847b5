// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agenttable_p.h"

#include "control/internal/agentwords.h"
#include "texthelpers_p.h"

#include <algorithm>

namespace Rekindle {

namespace {

constexpr int leastForDetail = 20;
constexpr int greatestName = 24;

// Omitted in this order if the screen is narrow.
constexpr std::array expendable = {AgentRow::ProcessId, AgentRow::Starts, AgentRow::Memory,
                                   AgentRow::Cpu,       AgentRow::Health, AgentRow::Breaker,
                                   AgentRow::Restarts,  AgentRow::Uptime};

constexpr std::array shownStates = {InstanceState::Running,    InstanceState::Starting,
                                    InstanceState::Waiting,    InstanceState::CircuitOpen,
                                    InstanceState::Evaluating, InstanceState::Stopping,
                                    InstanceState::Exhausted,  InstanceState::Failed,
                                    InstanceState::Gated,      InstanceState::Stopped};

// "850K", "12.3M", "1.5G"
QString memoryText(qint64 bytes)
{
    constexpr double step = 1024;
    double size = static_cast<double>(bytes) / step;
    const char *unit = "K";
    for (const char *larger : {"M", "G", "T"}) {
        if (size < step)
            break;
        size /= step;
        unit = larger;
    }
    constexpr double manyDigits = 100;
    const bool isPrecise = *unit != 'K' && size < manyDigits;
    return QString::number(size, 'f', isPrecise ? 1 : 0) + QLatin1String(unit);
}

// None for a state of a newer host.
const char *colorOf(const AgentStatus &agent)
{
    constexpr const char *green = "\x1b[32m";
    constexpr const char *yellow = "\x1b[33m";
    constexpr const char *red = "\x1b[31m";
    switch (knownState(agent).value_or(InstanceState::Stopped)) {
    case InstanceState::Running:
        return isUnhealthy(agent) ? yellow : green;
    case InstanceState::Waiting:
    case InstanceState::Starting:
    case InstanceState::Stopping:
        return yellow;
    case InstanceState::Stopped:
        return "";
    default:
        return red;
    }
}

// Of one core. Empty if `elapsed` is too short for the clock of the CPU time.
std::optional<double> share(Duration used, Duration elapsed)
{
    if (elapsed < std::chrono::milliseconds(500))
        return std::nullopt;
    return static_cast<double>(used.count()) / static_cast<double>(elapsed.count());
}

QByteArray styled(const QString &text, const char *style)
{
    const QByteArray bytes = forTerminal(text.toLocal8Bit());
    return *style != '\0' ? style + bytes + "\x1b[0m" : bytes;
}

} // namespace

QStringList AgentRow::headings()
{
    return QStringLiteral("AGENT STATE PID UPTIME CPU MEMORY STARTS RESTARTS BREAKER HEALTH DETAIL")
        .split(u' ');
}

// RESTARTS is "2/5": the restarts of this sequence and the limit.
QStringList AgentRow::cells() const
{
    const QString none(u'-');
    const QString limit = agent.maxRetries ? u'/' + QString::number(*agent.maxRetries) : QString();
    return {agent.agent,
            agent.state,
            agent.processId ? QString::number(*agent.processId) : none,
            agent.uptime ? readable(*agent.uptime) : none,
            cpuShare ? QString::number(100 * *cpuShare, 'f', 0) + u'%' : none,
            agent.memoryBytes ? memoryText(*agent.memoryBytes) : none,
            QString::number(agent.generation),
            QString::number(agent.attempt) + limit,
            agent.breaker ? breakerText(*agent.breaker) : none,
            hasHealth(agent) ? agent.health.state : none,
            detailText(agent, Hints::Commands)};
}

AgentRow AgentRow::of(const AgentStatus &agent, const AgentStatus &before)
{
    AgentRow row{.agent = agent};
    if (!agent.cpuTime || !agent.uptime)
        return row;
    if (before.generation == agent.generation)
        row.cpuShare = share(*agent.cpuTime - before.cpuTime.value_or(std::chrono::milliseconds(0)),
                             *agent.uptime - before.uptime.value_or(Duration{0}));
    if (!row.cpuShare)
        row.cpuShare = share(*agent.cpuTime, *agent.uptime);
    return row;
}

QByteArray columnsText(const QList<QStringList> &rows)
{
    QList<qsizetype> widths;
    for (const QStringList &row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (qsizetype i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    QByteArray text;
    for (const QStringList &row : rows) {
        QString line;
        for (qsizetype i = 0; i < row.size(); ++i)
            line += row[i].leftJustified(widths[i] + columnGap);
        while (line.endsWith(u' '))
            line.chop(1);
        text += forTerminal(line.toLocal8Bit()) + '\n';
    }
    return text;
}

QString stateCounts(const std::array<int, instanceStateCount> &counts)
{
    QStringList parts;
    for (const InstanceState state : shownStates) {
        if (const int count = counts.at(static_cast<std::size_t>(state)); count > 0)
            parts.append(QStringLiteral("%1 %2").arg(count).arg(toText(state)));
    }
    return parts.join(QLatin1String(", "));
}

QString cut(const QString &text, int width)
{
    if (text.size() <= width)
        return text;
    return width <= 0 ? QString() : text.left(width - 1) + QChar(0x2026);
}

ScreenLine screenLine(const QString &text, int width, const char *style)
{
    const QString shown = cut(text, width);
    return {styled(shown, style), shown.size()};
}

AgentTable::AgentTable(const QList<AgentRow> &rows, int width, bool hasColors)
    : m_width(width)
    , m_hasColors(hasColors)
    , m_cells{AgentRow::headings()}
{
    for (const AgentRow &each : rows) {
        m_cells.append(each.cells());
        m_cells.last().last() = foreignText(m_cells.last().last());
        m_colors.append(colorOf(each.agent));
    }
    for (int column = 0; column <= AgentRow::Detail; ++column) {
        m_columns.append(column);
        qsizetype widest = 0;
        for (const QStringList &cells : std::as_const(m_cells))
            widest = std::max(widest, cells[column].size());
        m_widths.append(static_cast<int>(widest));
    }
    // The widest of all states, so that the columns stay where they are.
    m_widths[AgentRow::State] = static_cast<int>(toText(InstanceState::CircuitOpen).size());
    m_widths.front() = std::min(m_widths.front(), greatestName);
    const auto left = [&] {
        int used = 0;
        for (const int column : std::as_const(m_columns))
            used += column == AgentRow::Detail ? 0 : m_widths[column] + columnGap;
        return width - used;
    };
    for (const int column : expendable) {
        if (left() < leastForDetail)
            m_columns.removeOne(column);
    }
    m_widths.back() = std::max(0, left());
}

// Filled up or cut to their columns and to the screen.
QStringList AgentTable::shown(const QStringList &cells) const
{
    QStringList shown;
    int left = m_width;
    for (const int column : m_columns) {
        const int width = std::min(m_widths[column], left);
        if (width <= 0)
            break;
        const QString text = cut(cells[column], width);
        shown.append(column == AgentRow::Detail ? text : text.leftJustified(width));
        left -= width + columnGap;
    }
    return shown;
}

ScreenLine AgentTable::header() const
{
    const QString line = shown(m_cells.front()).join(QString(columnGap, u' '));
    return screenLine(line, m_width, m_hasColors ? boldStyle : "");
}

QString AgentTable::text(qsizetype row) const
{
    return shown(m_cells[row + 1]).join(QString(columnGap, u' '));
}

ScreenLine AgentTable::line(qsizetype row) const
{
    QStringList cells = shown(m_cells[row + 1]);
    const qsizetype width = cells.join(QString(columnGap, u' ')).size();
    QByteArrayList bytes;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        const bool isState = m_columns[i] == AgentRow::State;
        bytes.append(styled(cells[i], isState && m_hasColors ? m_colors[row] : ""));
    }
    return {bytes.join(QByteArray(columnGap, ' ')), width};
}

} // namespace Rekindle
