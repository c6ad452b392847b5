// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/lifecycleevent.h>

#include <QByteArray>

#include <optional>

namespace Rekindle {

/// Limits the number of lines per second and counts the dropped ones. A second begins with its
/// first line.
class OutputLimiter
{
public:
    explicit OutputLimiter(int maxPerSecond)
        : m_max(maxPerSecond)
    {
    }

    /// If the line may be emitted, returns the number of lines that were dropped since the previous
    /// one.
    std::optional<quint64> pass(Instant now, AgentOutput::Stream stream, const QByteArray &line);

    /// A dropped line, and the number of lines that were dropped before it.
    struct Dropped
    {
        AgentOutput::Stream stream = AgentOutput::Stream::Output;
        QByteArray line{};
        quint64 before = 0;
    };
    /// Returns the last line if it was dropped.
    std::optional<Dropped> takeDropped();

private:
    int m_max;
    int m_passed = 0;
    std::optional<Instant> m_begun{};
    quint64 m_dropped = 0;
    std::optional<Dropped> m_last{}; ///< since the last emitted line
};

/// Returns the event of a line with an empty header. A line that is too long is truncated.
[[nodiscard]] AgentOutput outputEvent(quint64 generation, AgentOutput::Stream stream,
                                      const QByteArray &line, quint64 dropped);

} // namespace Rekindle
