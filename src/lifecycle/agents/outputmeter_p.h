// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/lifecycleevent.h>

#include <QByteArray>

#include <optional>

namespace Rekindle {

/// Lets so many lines through in a second, which begins with the first of them, and counts the
/// others.
class OutputMeter
{
public:
    explicit OutputMeter(int mostPerSecond)
        : m_most(mostPerSecond)
    {
    }

    /// Whether a line may be told now; then how many were not since the last one that was.
    std::optional<quint64> take(Instant now, AgentOutput::Stream stream, const QByteArray &line);

    /// The last line, if it was not told, and how many were not before it.
    struct Untold
    {
        AgentOutput::Stream stream = AgentOutput::Stream::Output;
        QByteArray line{};
        quint64 before = 0;
    };
    std::optional<Untold> takeUntold();

private:
    int m_most;
    int m_told = 0;
    std::optional<Instant> m_begun{};
    quint64 m_dropped = 0;
    AgentOutput::Stream m_lastStream = AgentOutput::Stream::Output; ///< of what was dropped
    QByteArray m_lastLine{};
};

/// The event of a line, which is cut where it is too long. Its header is empty.
[[nodiscard]] AgentOutput outputEvent(quint64 generation, AgentOutput::Stream stream,
                                      const QByteArray &line, quint64 dropped);

} // namespace Rekindle
