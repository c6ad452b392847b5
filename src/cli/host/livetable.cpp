// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "livetable_p.h"

#include "control/internal/agentwords.h"
#include "supervision_p.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

// For the visible rows, a frame reads the CPU time and the memory of their processes.
constexpr Duration minimumFrameInterval = 100ms;
constexpr qsizetype maximumLines = 2000;

} // namespace

LiveTable::LiveTable(Supervision &supervision, QString title)
    : m_supervision(supervision)
    , m_title(std::move(title))
    , m_terminal(std::numeric_limits<qsizetype>::max())
    , m_frame(supervision.scheduler(), [this] { draw(); })
{
    const AgentSupervisor &supervisor = supervision.supervisor();
    const RestartPolicyEvaluator &evaluator = supervisor.policyEvaluator();
    connect(&evaluator, &RestartPolicyEvaluator::lifecycleEvent, this, &LiveTable::requestFrame);
    connect(&evaluator, &RestartPolicyEvaluator::stateChanged, this, &LiveTable::requestFrame);
    connect(&supervisor, &AgentSupervisor::policyChanged, this, &LiveTable::requestFrame);
    connect(&supervisor, &AgentSupervisor::agentAdded, this, &LiveTable::requestFrame);
    connect(&supervisor, &AgentSupervisor::agentRemoved, this, &LiveTable::requestFrame);
    requestFrame();
}

void LiveTable::addLine(const QByteArray &line)
{
    if (m_lines.size() >= maximumLines) {
        m_lines.removeFirst();
        ++m_skippedLines;
    }
    m_lines.append(line);
    requestFrame();
}

void LiveTable::requestFrame()
{
    const Instant soonest =
        std::max(m_lastFrame + minimumFrameInterval, m_supervision.scheduler().now());
    if (!m_isSuspended && soonest < m_frame.due())
        m_frame.arm(soonest);
}

void LiveTable::suspend()
{
    m_shownWidths.clear();
    releaseTerminal();
}

void LiveTable::resume()
{
    m_isSuspended = false;
    m_terminal.take();
    requestFrame();
}

void LiveTable::finish()
{
    draw();
    releaseTerminal();
}

void LiveTable::releaseTerminal()
{
    m_isSuspended = true;
    m_frame.disarm();
    m_terminal.release("\r\n");
}

// Most terminals wrap lines when they become narrower.
QByteArray LiveTable::eraseTable(int columns) const
{
    qsizetype height = 0;
    for (const qsizetype width : m_shownWidths)
        height += std::max<qsizetype>(1, (width + columns - 1) / columns);
    QByteArray sequence("\r");
    if (height > 1)
        sequence += "\x1b[" + QByteArray::number(height - 1) + 'A';
    return sequence + "\x1b[J";
}

QString LiveTable::summary() const
{
    QString hint = QStringLiteral("; Ctrl-C to stop");
    if (m_supervision.supervisor().isIdle())
        hint.clear();
    else if (m_supervision.isEnding())
        hint = m_supervision.endsAsked() > 1
            ? QStringLiteral("; killing, Ctrl-C to exit without waiting")
            : QStringLiteral("; stopping, Ctrl-C to kill");
    return m_title + QLatin1String(": ") + stateCounts(m_supervision.tally().counts()) + hint;
}

QByteArray LiveTable::table(const Terminal::Size &size)
{
    const AgentSupervisor &supervisor = m_supervision.supervisor();
    const QList<QUuid> ids = supervisor.ids();
    // Lines for the title, the header, "and N more" and the output above the table.
    const qsizetype most = std::max(0, size.rows - 4);
    m_rows.clear();
    for (const QUuid &id : ids.mid(0, most))
        m_rows.append(AgentRow::of(statusOf(supervisor, id)));
    const AgentTable table(m_rows, size.columns, m_hasColors);
    QList<ScreenLine> lines{screenLine(summary(), size.columns, m_hasColors ? boldStyle : ""),
                            table.header()};
    for (qsizetype row = 0; row < m_rows.size(); ++row)
        lines.append(table.line(row));
    if (ids.size() > most)
        lines.append(
            screenLine(QStringLiteral("and %1 more").arg(ids.size() - most), size.columns));
    m_shownWidths.clear();
    QByteArrayList bytes;
    for (const ScreenLine &each : std::as_const(lines)) {
        m_shownWidths.append(each.width);
        bytes.append(each.bytes);
    }
    return bytes.join("\r\n");
}

void LiveTable::draw()
{
    m_lastFrame = m_supervision.scheduler().now();
    if (m_isSuspended)
        return;
    if (m_terminal.isSlow()) {
        m_frame.arm(m_lastFrame + 1s);
        return;
    }
    const Terminal::Size size = Terminal::size();
    QByteArray frame = eraseTable(size.columns);
    if (const quint64 skipped = std::exchange(m_skippedLines, 0); skipped > 0)
        frame += "(" + QByteArray::number(skipped) + " lines skipped)\r\n";
    for (const QByteArray &line : std::exchange(m_lines, {}))
        frame += line + "\r\n";
    // Lines of the table do not wrap.
    m_terminal.writeFrame(frame + "\x1b[?7l" + table(size) + "\x1b[?7h");
    scheduleNext();
}

void LiveTable::scheduleNext()
{
    std::optional<Duration> soonest;
    bool isRunning = false;
    for (const AgentRow &row : std::as_const(m_rows)) {
        if (const auto &next = row.agent.nextStartIn)
            soonest = std::min(soonest.value_or(*next), *next);
        isRunning = isRunning || row.agent.uptime;
    }
    constexpr Duration tenthsShownBelow = 1min;
    if (soonest && *soonest < tenthsShownBelow)
        m_frame.arm(m_lastFrame + 100ms);
    else if (soonest || isRunning)
        m_frame.arm(m_lastFrame + 1s);
}

} // namespace Rekindle
