// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <deque>

namespace Rekindle {

/// A queue of bytes to be written. Small lines are joined, so that they take one write. Large lines
/// are not copied.
class OutgoingBytes
{
public:
    static constexpr qsizetype largeFrom = qsizetype{32} * 1024;

    void add(const QByteArray &bytes);

    /// Adds the line and a line end.
    void addLine(const QByteArray &line);

    [[nodiscard]] qsizetype size() const { return m_size; }
    [[nodiscard]] bool isEmpty() const { return m_size == 0; }

    /// Returns the bytes to write next; empty only if the queue is empty. Valid until the next
    /// change.
    [[nodiscard]] QByteArrayView next() const;

    /// Removes the first bytes of next().
    void drop(qsizetype count);

private:
    std::deque<QByteArray> m_pieces;
    qsizetype m_done = 0; ///< bytes removed from the first piece
    qsizetype m_size = 0; ///< without m_done
};

} // namespace Rekindle
