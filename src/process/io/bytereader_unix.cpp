// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "bytereader_p.h"

#include <array>
#include <cerrno>

namespace Rekindle {

LineReader::State ByteReader::read(QByteArray &bytes)
{
    std::array<char, 64 * 1024> block;
    ssize_t got = 0;
    do {
        got = ::read(m_fd.get(), block.data(), block.size());
    } while (got < 0 && errno == EINTR);
    if (got <= 0)
        return got < 0 && errno == EAGAIN ? LineReader::State::Empty : LineReader::State::Ended;
    bytes = QByteArray(block.data(), got);
    // A short read means that the pipe is empty. Its end, if any, is the next event.
    return got < static_cast<ssize_t>(block.size()) ? LineReader::State::Empty
                                                    : LineReader::State::MayHaveMore;
}

} // namespace Rekindle
