// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "linereader_p.h"

namespace Rekindle {

/// Takes what comes from a pipe as it comes. It keeps nothing.
class ByteReader
{
public:
    /// The descriptor must not block.
    void open(UniqueFd fd) { m_fd = std::move(fd); }
    void close() { m_fd.reset(); }
    [[nodiscard]] bool isOpen() const { return m_fd.isOpen(); }
    [[nodiscard]] int fd() const { return m_fd.get(); }

    /// Reads once, 64 KiB at the most. Empty means that there is nothing more to read now.
    LineReader::State read(QByteArray &bytes);

private:
    UniqueFd m_fd;
};

} // namespace Rekindle
