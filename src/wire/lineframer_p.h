// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>
#include <vector>

namespace Rekindle {

/// One line of a stream, without its end ("\n" or "\r\n").
struct FramedLine
{
    QByteArray bytes{};     ///< if too long, only the first bytes
    bool isTooLong = false; ///< the line was skipped
    QByteArray lastBytes{}; ///< if too long, the last bytes; many writers put the id at the end
    qsizetype size = 0;     ///< of the whole line
};

/// Splits a stream of bytes into lines. The time is linear in the number
/// of bytes, for pieces of any size. A line that exceeds the limit is skipped in bounded memory and
/// reported at its end.
class LineFramer
{
public:
    static constexpr qsizetype defaultLongestLine = qsizetype{64} * 1024 * 1024;
    static constexpr qsizetype firstBytesKept = 4096; ///< of a line that is too long
    static constexpr qsizetype lastBytesKept = 1024;

    /// `longestLine` is in bytes, without the line end. Less than 1 counts as 1.
    explicit LineFramer(qsizetype longestLine = defaultLongestLine);

    /// Appends the lines that are complete. Blank lines are lines.
    void add(QByteArrayView bytes, std::vector<FramedLine> &lines);

    /// Returns the first line that is complete and removes its bytes from `bytes`. Otherwise adds
    /// all bytes to the incomplete line.
    std::optional<FramedLine> addLine(QByteArrayView &bytes);

    /// Removes and returns the last line of a stream if it has no line end.
    std::optional<FramedLine> takeRest();

    /// Returns how many bytes of the incomplete line are stored.
    [[nodiscard]] qsizetype pendingSize() const { return m_rest.size(); }

private:
    void take(QByteArrayView part);
    FramedLine finish();

    qsizetype m_longestLine;
    QByteArray m_rest; // the first bytes if the line is skipped
    QByteArray m_last;
    qsizetype m_size = 0;
    bool m_skipping = false;
};

} // namespace Rekindle
