// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "uniquefd_p.h"

#include <QByteArray>
#include <QList>

namespace Rekindle {

/// Cuts what comes from a pipe into lines, in bounded memory: none while no line is unfinished.
class LineReader
{
public:
    /// Longer lines come in pieces of this size, which is brought into its range first: none would
    /// make progress with a piece of nothing.
    explicit LineReader(qsizetype longestLine);

    /// The descriptor must not block.
    void open(UniqueFd fd);
    void close();
    [[nodiscard]] bool isOpen() const { return m_fd.isOpen(); }
    [[nodiscard]] int fd() const { return m_fd.get(); }

    enum class State {
        MayHaveMore, ///< it stopped at the bound
        Empty,       ///< there is nothing to read now
        Ended,       ///< all writers have closed it, or it broke
    };

    /// Reads about `most` bytes at most and appends the lines, without their ends.
    State read(qsizetype most, QList<QByteArray> &lines);

    /// The unfinished line, if there is one; none is left.
    void takeRest(QList<QByteArray> &lines);

private:
    void append(const char *bytes, qsizetype size, QList<QByteArray> &lines);

    UniqueFd m_fd;
    qsizetype m_longestLine;
    QByteArray m_rest;
};

} // namespace Rekindle
