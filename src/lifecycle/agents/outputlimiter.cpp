// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "outputlimiter_p.h"

#include "base/text/terminaltext_p.h"

#include <utility>

namespace Rekindle {

std::optional<quint64> OutputLimiter::pass(Instant now, AgentOutput::Stream stream,
                                           const QByteArray &line)
{
    if (!m_begun || now - *m_begun >= std::chrono::seconds(1)) {
        m_begun = now;
        m_passed = 0;
    }
    if (m_passed == m_max) {
        m_last = {stream, line, m_dropped++};
        return {};
    }
    ++m_passed;
    m_last.reset();
    return std::exchange(m_dropped, 0);
}

std::optional<OutputLimiter::Dropped> OutputLimiter::takeDropped()
{
    m_dropped = 0;
    return std::exchange(m_last, std::nullopt);
}

namespace {
// Truncates at a character boundary: a UTF-8 character has at most three continuation bytes.
qsizetype truncatedSize(const QByteArray &line)
{
    qsizetype at = AgentOutput::longestLine;
    const auto isContinuation = [&line](qsizetype i) {
        return (static_cast<unsigned char>(line[i]) & 0xc0U) == 0x80U;
    };
    for (int back = 0; back < 3 && isContinuation(at); ++back)
        --at;
    return at;
}
} // namespace

AgentOutput outputEvent(quint64 generation, AgentOutput::Stream stream, const QByteArray &line,
                        quint64 dropped)
{
    const bool cut = line.size() > AgentOutput::longestLine;
    const QByteArrayView shown =
        QByteArrayView(line).first(cut ? truncatedSize(line) : line.size());
    const QString text = QString::fromUtf8(textOnTerminal(shown, Colors::Removed));
    return {{}, generation, stream, text, cut, dropped};
}

} // namespace Rekindle
