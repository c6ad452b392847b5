// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "livetable_p.h"

#include "cli/output/statecolor_p.h"
#include "cli/output/tablelayout_p.h"
#include "supervision_p.h"

#include <rekindle/policy/eventtext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr Duration minimumFrameInterval = 50ms;
constexpr qsizetype maximumLines = 2000;
constexpr int shownColumns = AgentTableModel::LastReason + 1;

constexpr char bold[] = "\x1b[1m";
constexpr char none[] = "";

// For a running agent; empty if there is no probe result.
QString healthText(const AgentHealthStatus &health)
{
    switch (health.state) {
    case AgentHealthStatus::State::Healthy:
        return QStringLiteral(", healthy");
    case AgentHealthStatus::State::Unhealthy:
        return QStringLiteral(", unhealthy (%1)").arg(health.consecutiveMisses);
    case AgentHealthStatus::State::Unknown:
        break;
    }
    return {};
}

const char *colorOf(const QString &state)
{
    return stateColor(state.section(u',', 0, 0), state.contains(QLatin1String(", unhealthy")));
}

constexpr std::array states = {InstanceState::Running,    InstanceState::Starting,
                               InstanceState::Waiting,    InstanceState::CircuitOpen,
                               InstanceState::Evaluating, InstanceState::Stopping,
                               InstanceState::Exhausted,  InstanceState::Failed,
                               InstanceState::Gated,      InstanceState::Stopped};

} // namespace

LiveTable::LiveTable(Supervision &supervision, QString title)
    : m_supervision(supervision)
    , m_title(std::move(title))
    , m_model(supervision.supervisor())
    , m_channel(OutputChannel::to(STDOUT_FILENO, std::numeric_limits<qsizetype>::max()))
    , m_terminal(m_channel.get())
    , m_frame(supervision.scheduler(), [this] { draw(); })
{
    connect(&m_model, &QAbstractItemModel::dataChanged, this, &LiveTable::requestFrame);
    connect(&m_model, &QAbstractItemModel::rowsInserted, this, &LiveTable::requestFrame);
    connect(&m_model, &QAbstractItemModel::rowsRemoved, this, &LiveTable::requestFrame);
    requestFrame();
}

LiveTable::~LiveTable() = default;

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
    m_isSuspended = true;
    m_frame.disarm();
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
    m_frame.disarm();
    m_isSuspended = true;
    releaseTerminal();
}

// The cursor would stay hidden if the end of the output were lost.
void LiveTable::releaseTerminal()
{
    if (m_channel)
        m_channel->write("\r\n");
    m_terminal.release();
    if (m_channel)
        m_channel->finish();
}

QByteArray LiveTable::colored(const QString &text, const char *color) const
{
    const QByteArray bytes = text.toLocal8Bit();
    return m_hasColors && *color != '\0' ? color + bytes + "\x1b[0m" : bytes;
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

void LiveTable::appendLine(QByteArray &frame, const QByteArray &text, qsizetype width)
{
    if (!m_shownWidths.isEmpty())
        frame += "\r\n";
    frame += text;
    m_shownWidths.append(width);
}

QStringList LiveTable::cells(int row) const
{
    QStringList texts;
    for (int column = 0; column < shownColumns; ++column)
        texts.append(m_model.data(m_model.index(row, column), Qt::DisplayRole).toString());
    const QUuid id = m_model.data(m_model.index(row, 0), AgentTableModel::InstanceIdRole).toUuid();
    const auto snapshot = m_supervision.supervisor().snapshot(id);
    if (snapshot && snapshot->state == InstanceState::Running)
        texts[AgentTableModel::State] += healthText(snapshot->health);
    // The table has little room.
    if (snapshot && snapshot->stoppedByOperator)
        texts[AgentTableModel::LastReason] = QStringLiteral("stopped by an operator");
    else if (snapshot && snapshot->lastFailure)
        texts[AgentTableModel::LastReason] =
            failureText(snapshot->lastFailure->reason, snapshot->lastFailure->detail);
    return texts;
}

QString LiveTable::summary() const
{
    const AgentTally &tally = m_supervision.tally();
    QStringList parts;
    for (const InstanceState state : states) {
        if (const int count = tally.count(state); count > 0)
            parts.append(QStringLiteral("%1 %2").arg(count).arg(toText(state)));
    }
    QString hint = QStringLiteral("; Ctrl-C to stop");
    if (tally.hasEnded())
        hint.clear();
    else if (m_supervision.isEnding())
        hint = m_supervision.endsAsked() > 1
            ? QStringLiteral("; killing, Ctrl-C to exit without waiting")
            : QStringLiteral("; stopping, Ctrl-C to kill");
    return m_title + QLatin1String(": ") + parts.join(QLatin1String(", ")) + hint;
}

void LiveTable::appendTable(QByteArray &frame, const Terminal::Size &size)
{
    m_shownWidths.clear();
    const int width = size.columns;
    const QString title = cut(summary(), width);
    appendLine(frame, colored(title, bold), title.size());

    // Lines for the title, the header, "and N more" and the output above the table.
    const int most = std::max(0, size.rows - 4);
    m_rowsShown = std::min(most, m_model.rowCount());
    QList<QStringList> rows;
    for (int row = 0; row < m_rowsShown; ++row)
        rows.append(cells(row));
    QStringList header;
    for (int column = 0; column < shownColumns; ++column)
        header.append(m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    header[AgentTableModel::Generation] = QStringLiteral("Start");
    const TableLayout layout(header, rows, width);
    const QString gap(TableLayout::gap, u' ');

    const QString headerLine = layout.line(header).join(gap);
    appendLine(frame, colored(headerLine, bold), headerLine.size());
    for (const QStringList &row : std::as_const(rows)) {
        QStringList shown = layout.line(row);
        const qsizetype length = shown.join(gap).size();
        QByteArray line;
        for (qsizetype i = 0; i < shown.size(); ++i) {
            const bool isState = layout.columns()[i] == AgentTableModel::State;
            const char *const color = isState ? colorOf(row[AgentTableModel::State]) : none;
            line += (i > 0 ? gap.toLatin1() : QByteArray()) + colored(shown[i], color);
        }
        appendLine(frame, line, length);
    }
    if (m_rowsShown < m_model.rowCount()) {
        const QString more =
            cut(QStringLiteral("and %1 more").arg(m_model.rowCount() - m_rowsShown), width);
        appendLine(frame, more.toLocal8Bit(), more.size());
    }
}

void LiveTable::draw()
{
    m_lastFrame = m_supervision.scheduler().now();
    if (!m_channel || m_isSuspended)
        return;
    if (m_channel->hasBacklog()) {
        m_frame.arm(m_lastFrame + 1s);
        return;
    }
    const Terminal::Size size = Terminal::size();
    // Synchronized update, if the terminal supports it; lines of the table do not wrap.
    QByteArray frame("\x1b[?2026h");
    frame += eraseTable(size.columns);
    if (const quint64 skipped = std::exchange(m_skippedLines, 0); skipped > 0)
        frame += "(" + QByteArray::number(skipped) + " lines skipped)\r\n";
    for (const QByteArray &line : std::exchange(m_lines, {}))
        frame += line + "\r\n";
    frame += "\x1b[?7l";
    appendTable(frame, size);
    frame += "\x1b[?7h\x1b[?2026l";
    m_channel->write(frame);
    scheduleNext();
}

void LiveTable::scheduleNext()
{
    std::optional<double> soonest;
    bool isRunning = false;
    for (int row = 0; row < m_rowsShown; ++row) {
        const auto milliseconds = [&](int column) {
            return m_model.data(m_model.index(row, column), AgentTableModel::SortRole);
        };
        const QVariant next = milliseconds(AgentTableModel::NextStart);
        if (next.isValid())
            soonest = std::min(soonest.value_or(next.toDouble()), next.toDouble());
        isRunning = isRunning || milliseconds(AgentTableModel::Uptime).isValid();
    }
    constexpr double tenthsShownBelow = 60'000;
    if (soonest && *soonest < tenthsShownBelow)
        m_frame.arm(m_lastFrame + 100ms);
    else if (soonest || isRunning)
        m_frame.arm(m_lastFrame + 1s);
}

} // namespace Rekindle
