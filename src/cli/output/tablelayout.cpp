// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "tablelayout_p.h"

#include <rekindle/lifecycle/agenttablemodel.h>
#include <rekindle/policy/instance.h>

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

// Omitted in this order if the terminal is narrow.
constexpr std::array expendable = {AgentTableModel::Generation, AgentTableModel::Uptime,
                                   AgentTableModel::Breaker, AgentTableModel::Attempt};
constexpr int leastForReason = 20;
constexpr int greatestName = 24;

} // namespace

QString cut(const QString &text, int width)
{
    if (text.size() <= width)
        return text;
    return width <= 0 ? QString() : text.left(width - 1) + QChar(0x2026);
}

TableLayout::TableLayout(const QStringList &header, const QList<QStringList> &rows, int width)
{
    for (int column = 0; column < header.size(); ++column) {
        m_columns.append(column);
        qsizetype widest = header[column].size();
        for (const QStringList &row : rows)
            widest = std::max(widest, row[column].size());
        m_widths.append(static_cast<int>(widest));
    }
    // The widest of all states, so that the columns stay where they are.
    m_widths[AgentTableModel::State] = static_cast<int>(toText(InstanceState::CircuitOpen).size());
    m_widths.front() = std::min(m_widths.front(), greatestName);
    const auto left = [&] {
        int used = 0;
        for (const int column : std::as_const(m_columns))
            used += column == m_columns.back() ? 0 : m_widths[column] + gap;
        return width - used;
    };
    for (const int column : expendable) {
        if (left() < leastForReason)
            m_columns.removeOne(column);
    }
    m_widths[m_columns.back()] = std::max(0, left());
}

QStringList TableLayout::line(const QStringList &cells) const
{
    QStringList shown;
    for (const int column : m_columns) {
        const QString text = cut(cells[column], m_widths[column]);
        shown.append(column == m_columns.back() ? text : text.leftJustified(m_widths[column]));
    }
    return shown;
}

} // namespace Rekindle
