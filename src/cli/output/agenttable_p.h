// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/control/controlmessages.h>

#include <QByteArray>
#include <QList>
#include <QStringList>

#include <array>

namespace Rekindle {

/// An agent of this host or of another one, as `status`, `top` and the live table of `up` show it.
struct AgentRow
{
    enum Column {
        Name,
        State,
        ProcessId,
        Uptime,
        Cpu,
        Memory,
        Starts, ///< not in `status`
        Restarts,
        Breaker,
        Health,
        Detail
    };

    AgentStatus agent{};
    std::optional<double> cpuShare{}; ///< of one core

    /// The CPU share is that since the status `before`, or since the start.
    [[nodiscard]] static AgentRow of(const AgentStatus &agent, const AgentStatus &before = {});

    [[nodiscard]] static QStringList headings(); ///< in capital letters
    [[nodiscard]] QStringList cells() const;
};

/// Of the circuit breaker of an agent, or a shared one: "Closed", "Isolated".
[[nodiscard]] QString breakerText(const auto &breaker)
{
    return breaker.isolated ? QStringLiteral("Isolated") : breaker.state;
}

inline constexpr int columnGap = 2; ///< blanks between two columns

/// Lines with columns that are as wide as their longest cell. Control characters are removed.
[[nodiscard]] QByteArray columnsText(const QList<QStringList> &rows);

/// "10 Running, 2 Waiting", from the number of agents in each state.
[[nodiscard]] QString stateCounts(const std::array<int, instanceStateCount> &counts);

/// Cut to `width` characters, with an ellipsis where something is missing.
[[nodiscard]] QString cut(const QString &text, int width);

/// A line on the screen.
struct ScreenLine
{
    QByteArray bytes;
    qsizetype width = 0; ///< in characters
};

/// A line that is cut to the width of the screen. `style` is an escape sequence, or empty.
[[nodiscard]] ScreenLine screenLine(const QString &text, int width, const char *style = "");

inline constexpr char boldStyle[] = "\x1b[1m";
inline constexpr char reverseStyle[] = "\x1b[7m";

/// Lays agents out for a screen: omits columns if it is narrow, and colors the states.
class AgentTable
{
public:
    AgentTable(const QList<AgentRow> &rows, int width, bool hasColors);

    [[nodiscard]] ScreenLine header() const;
    [[nodiscard]] ScreenLine line(qsizetype row) const;
    /// Without colors.
    [[nodiscard]] QString text(qsizetype row) const;

private:
    [[nodiscard]] QStringList shown(const QStringList &cells) const;

    const int m_width;
    const bool m_hasColors;
    QList<QStringList> m_cells;   ///< the headings, and the cells of each row
    QList<const char *> m_colors; ///< of the state of each row
    QList<int> m_columns;         ///< that are shown
    QList<int> m_widths;          ///< of all columns
};

} // namespace Rekindle
