// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lineframer_p.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace Rekindle {

namespace {

constexpr qsizetype largeFrom = qsizetype{64} * 1024;
constexpr qsizetype largeCapacity = qsizetype{2} * 1024 * 1024;

// A large line gets much capacity at once, because pages that are never written need no memory, and
// a buffer that grows in small steps is copied to new memory.
void makeRoom(QByteArray &bytes, qsizetype more)
{
    const qsizetype size = bytes.size() + more;
    if (size > largeFrom && size > bytes.capacity())
        bytes.reserve(std::max({size, 2 * bytes.capacity(), largeCapacity}));
}

} // namespace

LineFramer::LineFramer(qsizetype longestLine)
    : m_longestLine(std::max<qsizetype>(longestLine, 1))
{
}

void LineFramer::add(QByteArrayView bytes, std::vector<FramedLine> &lines)
{
    while (std::optional<FramedLine> line = addLine(bytes))
        lines.push_back(*std::move(line));
}

std::optional<FramedLine> LineFramer::addLine(QByteArrayView &bytes)
{
    if (bytes.isEmpty())
        return std::nullopt;
    const auto *end = static_cast<const char *>(
        std::memchr(bytes.data(), '\n', static_cast<std::size_t>(bytes.size())));
    if (!end) {
        take(std::exchange(bytes, {}));
        return std::nullopt;
    }
    const qsizetype length = end - bytes.data();
    take(bytes.first(length));
    bytes = bytes.sliced(length + 1);
    return finish();
}

std::optional<FramedLine> LineFramer::takeRest()
{
    if (m_size == 0)
        return std::nullopt;
    return finish();
}

void LineFramer::take(QByteArrayView part)
{
    m_size += part.size();
    if (!m_skipping) {
        makeRoom(m_rest, part.size());
        m_rest.append(part);
        // One more byte may be the '\r' of the line end.
        const bool mayFit =
            m_size <= m_longestLine || (m_size == m_longestLine + 1 && m_rest.back() == '\r');
        if (mayFit)
            return;
        m_skipping = true;
        m_last = m_rest.last(std::min(m_rest.size(), lastBytesKept));
        m_rest = m_rest.first(std::min(m_rest.size(), firstBytesKept));
        return;
    }
    m_last.append(part.last(std::min(part.size(), lastBytesKept)));
    if (m_last.size() > lastBytesKept)
        m_last.remove(0, m_last.size() - lastBytesKept);
}

FramedLine LineFramer::finish()
{
    FramedLine line;
    line.isTooLong = std::exchange(m_skipping, false);
    line.size = std::exchange(m_size, 0);
    line.bytes = std::exchange(m_rest, {});
    line.lastBytes = std::exchange(m_last, {});
    if ((line.isTooLong ? line.lastBytes : line.bytes).endsWith('\r')) {
        --line.size;
        line.bytes.truncate(line.size);
        line.lastBytes.chop(line.isTooLong ? 1 : 0);
    }
    return line;
}

} // namespace Rekindle
