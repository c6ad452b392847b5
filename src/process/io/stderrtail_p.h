// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QList>
#include <QStringList>

namespace Rekindle {

/// The last lines that a process wrote to stderr, for the report of its failure.
class StderrTail
{
public:
    static constexpr qsizetype mostLines = 20;
    static constexpr qsizetype longestLine = 1024; ///< bytes; the rest of a line is left out

    void add(const QByteArray &line);

    /// Oldest first; decoded as UTF-8.
    [[nodiscard]] QStringList lines() const;

private:
    QList<QByteArray> m_lines;
};

} // namespace Rekindle
