// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "linereader_p.h"

namespace Rekindle {

/// Reads bytes from a pipe without buffering them.
class ByteReader
{
public:
    /// The descriptor must be non-blocking.
    void open(UniqueFd fd) { m_fd = std::move(fd); }
    void close() { m_fd.reset(); }
    [[nodiscard]] bool isOpen() const { return m_fd.isOpen(); }
    [[nodiscard]] int fd() const { return m_fd.get(); }

    /// Reads once, at most 64 KiB.
    LineReader::State read(QByteArray &bytes);

private:
    UniqueFd m_fd;
};

} // namespace Rekindle
