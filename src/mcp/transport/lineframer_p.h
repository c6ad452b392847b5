// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/export.h>

#include <QByteArray>
#include <QByteArrayView>

#include <optional>
#include <vector>

namespace Rekindle {

/// One line of a stream, without its end ("\n" or "\r\n").
struct FramedLine
{
    QByteArray bytes{};     ///< of one that was too long: its first bytes
    bool isTooLong = false; ///< it was passed over
    QByteArray lastBytes{}; ///< of one that was too long; many writers put the id at the end
    qsizetype size = 0;     ///< of the whole line

    bool operator==(const FramedLine &) const = default;
};

/// Cuts a stream of bytes into lines (framing of MCP on stdio). Each byte is copied once, or as
/// often as a growing buffer moves; the time is linear in what comes in, whatever the pieces. A
/// line that is longer than the bound is passed over in bounded memory and reported at its end.
class REKINDLE_MCP_EXPORT LineFramer
{
public:
    static constexpr qsizetype defaultLongestLine = 64 * 1024 * 1024;
    static constexpr qsizetype firstBytesKept = 4096; ///< of a line that is too long
    static constexpr qsizetype lastBytesKept = 1024;

    /// In bytes, the line's end not counted; less than 1 counts as 1.
    explicit LineFramer(qsizetype longestLine = defaultLongestLine);

    /// Appends the lines that are whole now. Blank lines are lines.
    void add(QByteArrayView bytes, std::vector<FramedLine> &lines);

    /// At the end of the stream: the line that has no end, if there is one; none is left.
    std::optional<FramedLine> takeRest();

    /// How many bytes of an unfinished line are kept.
    [[nodiscard]] qsizetype pendingSize() const { return m_rest.size(); }

    /// Whether the unfinished line is too long already.
    [[nodiscard]] bool isSkipping() const { return m_skipping; }

private:
    void take(QByteArrayView part);
    FramedLine finish();

    qsizetype m_longestLine;
    QByteArray m_rest; // of one that is passed over, its first bytes
    QByteArray m_last;
    qsizetype m_size = 0;
    bool m_skipping = false;
};

} // namespace Rekindle
