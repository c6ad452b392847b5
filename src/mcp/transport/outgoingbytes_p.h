// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/export.h>

#include <QByteArray>
#include <QByteArrayView>

#include <deque>

namespace Rekindle {

/// What waits to be written, in order. Small pieces are put together, so that they take one write;
/// large ones are kept as they are, so that nobody copies them.
class REKINDLE_MCP_EXPORT OutgoingBytes
{
public:
    static constexpr qsizetype largeFrom = 32 * 1024;

    void add(const QByteArray &bytes);

    /// And a line's end.
    void addLine(const QByteArray &line);

    [[nodiscard]] qsizetype size() const { return m_size; }
    [[nodiscard]] bool isEmpty() const { return m_size == 0; }

    /// What is to be written next; empty only if all is written. It holds until the next change.
    [[nodiscard]] QByteArrayView next() const;

    /// The first bytes of next() are written.
    void drop(qsizetype count);

private:
    std::deque<QByteArray> m_pieces;
    qsizetype m_done = 0; ///< of the first one
    qsizetype m_size = 0; ///< of all, less that
};

} // namespace Rekindle
