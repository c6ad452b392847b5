// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "linereader_p.h"

#include <rekindle/process/processdefinition.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace Rekindle {

namespace {

// At the end of the text, in UTF-8.
qsizetype sizeOfIncompleteCharacter(const QByteArray &text)
{
    constexpr qsizetype longest = 4;
    for (qsizetype size = 1; size < longest && size <= text.size(); ++size) {
        const auto byte = static_cast<unsigned char>(text[text.size() - size]);
        if (byte < 0x80)
            return 0;
        if (byte < 0xc0)
            continue; // not the first byte
        const qsizetype whole = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
        return size < whole ? size : 0;
    }
    return 0;
}

} // namespace

LineReader::LineReader(qsizetype longestLine)
    : m_longestLine(std::clamp<qsizetype>(longestLine, 1, OutputTarget::greatestLongestLine))
{
}

LineReader::State LineReader::read(qsizetype limit, QList<QByteArray> &lines)
{
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): read() fills it
    std::array<char, 16384> block;
    for (qsizetype taken = 0; taken < limit;) {
        const ssize_t got = ::read(m_fd.get(), block.data(), block.size());
        if (got > 0) {
            append(block.data(), got, lines);
            taken += got;
            continue;
        }
        if (got == 0)
            return State::Ended;
        if (errno == EAGAIN)
            return State::Empty;
        if (errno != EINTR)
            return State::Ended;
    }
    return State::MayHaveMore;
}

void LineReader::append(const char *bytes, qsizetype size, QList<QByteArray> &lines)
{
    while (size > 0) {
        const auto *end =
            static_cast<const char *>(std::memchr(bytes, '\n', static_cast<std::size_t>(size)));
        const qsizetype length = end ? end - bytes : size;
        const qsizetype room = m_longestLine - m_rest.size();
        // A line of exactly the longest length is not split.
        const qsizetype part = std::min(length, room);
        m_rest.append(bytes, part);
        bytes += part;
        size -= part;
        if (end && part == length) {
            lines.push_back(std::exchange(m_rest, {}));
            ++bytes;
            --size;
        } else if (size > 0) {
            const qsizetype begun = sizeOfIncompleteCharacter(m_rest);
            const QByteArray next = begun < m_rest.size() ? m_rest.last(begun) : QByteArray();
            m_rest.chop(next.size());
            lines.push_back(std::exchange(m_rest, next));
        }
    }
}

void LineReader::takeRest(QList<QByteArray> &lines)
{
    if (!m_rest.isEmpty())
        lines.push_back(std::exchange(m_rest, {}));
}

} // namespace Rekindle
