// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/lifecycleevent.h>

#include <QByteArray>

#include <deque>
#include <optional>
#include <utility>

namespace Rekindle {

/// A line that an agent has written.
struct LogLine
{
    AgentOutput::Stream stream = AgentOutput::Stream::Output;
    QByteArray text{};             ///< without the line end
    std::optional<UtcTime> time{}; ///< when the host has read it; nothing for a line of a file
    qint64 processId = 0;          ///< of the agent when the line was read; 0 if unknown
};

/// The newest lines of an agent, numbered from 0. The oldest ones are removed if there are too many
/// lines, or if their texts are too large.
template<typename Line>
class LineRing
{
public:
    static constexpr std::size_t maxLines = 1000;
    static constexpr qsizetype maxBytes = qsizetype{256} * 1024;
    /// Longer lines are truncated.
    static constexpr qsizetype longestLine = maxBytes / 4;

    void add(Line line)
    {
        line.text.truncate(longestLine);
        m_bytes += line.text.size();
        m_lines.push_back(std::move(line));
        while (m_lines.size() > maxLines || m_bytes > maxBytes) {
            m_bytes -= m_lines.front().text.size();
            m_lines.pop_front();
            ++m_first;
        }
    }

    [[nodiscard]] quint64 first() const { return m_first; }                ///< the oldest line
    [[nodiscard]] quint64 end() const { return m_first + m_lines.size(); } ///< after the newest
    /// `number` must be from first() to end() - 1.
    [[nodiscard]] const Line &at(quint64 number) const { return m_lines[number - m_first]; }

private:
    std::deque<Line> m_lines;
    qsizetype m_bytes = 0;
    quint64 m_first = 0;
};

using LogRing = LineRing<LogLine>;

} // namespace Rekindle
