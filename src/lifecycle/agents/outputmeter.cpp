// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "outputmeter_p.h"

#include <utility>

namespace Rekindle {

std::optional<quint64> OutputMeter::take(Instant now, AgentOutput::Stream stream,
                                         const QByteArray &line)
{
    if (!m_begun || now - *m_begun >= std::chrono::seconds(1)) {
        m_begun = now;
        m_told = 0;
    }
    if (m_told == m_most) {
        ++m_dropped;
        m_lastStream = stream;
        m_lastLine = line;
        return {};
    }
    ++m_told;
    return std::exchange(m_dropped, 0);
}

std::optional<OutputMeter::Untold> OutputMeter::takeUntold()
{
    if (m_dropped == 0)
        return {};
    return Untold{m_lastStream, std::exchange(m_lastLine, {}), std::exchange(m_dropped, 0) - 1};
}

namespace {
// Where to cut so that no character of UTF-8 is split: one has three more bytes at the most.
qsizetype cutOf(const QByteArray &line)
{
    qsizetype at = AgentOutput::longestLine;
    const auto isInside = [&line](qsizetype i) {
        return (static_cast<unsigned char>(line[i]) & 0xc0U) == 0x80U;
    };
    for (int back = 0; back < 3 && isInside(at); ++back)
        --at;
    return at;
}
} // namespace

AgentOutput outputEvent(quint64 generation, AgentOutput::Stream stream, const QByteArray &line,
                        quint64 dropped)
{
    const bool cut = line.size() > AgentOutput::longestLine;
    AgentOutput event;
    event.generation = generation;
    event.stream = stream;
    event.line = QString::fromUtf8(line.constData(), cut ? cutOf(line) : line.size());
    event.cut = cut;
    event.dropped = dropped;
    return event;
}

} // namespace Rekindle
