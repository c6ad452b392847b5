// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"

#include <QByteArray>
#include <QList>

namespace Rekindle {

/// Reads lines from a pipe in bounded memory. Needs no memory while no line is unfinished.
class LineReader
{
public:
    /// Longer lines are split into pieces of at most this size, which is clamped to its range.
    /// Characters in UTF-8 are not split.
    explicit LineReader(qsizetype longestLine);

    /// The descriptor must be non-blocking.
    void open(UniqueFd fd) { m_fd = std::move(fd); }
    void close() { m_fd.reset(); }
    [[nodiscard]] bool isOpen() const { return m_fd.isOpen(); }
    [[nodiscard]] int fd() const { return m_fd.get(); }

    enum class State {
        MayHaveMore, ///< the limit was reached
        Empty,       ///< nothing to read now
        Ended,       ///< closed by all writers, or an error
    };

    /// Reads at most about `limit` bytes and appends the lines, without their ends.
    State read(qsizetype limit, QList<QByteArray> &lines);

    /// The line whose end has not been read yet.
    [[nodiscard]] const QByteArray &unfinished() const { return m_rest; }

    /// Appends the unfinished line, if there is one, and clears it.
    void takeRest(QList<QByteArray> &lines);

private:
    void append(const char *bytes, qsizetype size, QList<QByteArray> &lines);

    UniqueFd m_fd;
    qsizetype m_longestLine;
    QByteArray m_rest;
};

} // namespace Rekindle
