// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QList>
#include <QStringList>

namespace Rekindle {

/// The last stderr lines of a process, for its failure.
class StderrTail
{
public:
    static constexpr qsizetype maxLines = 20;
    static constexpr qsizetype longestLine = 1024; ///< in bytes; the rest is truncated

    void add(const QByteArray &line);

    /// Oldest first; decoded as UTF-8.
    [[nodiscard]] QStringList lines() const;

private:
    QList<QByteArray> m_lines;
};

} // namespace Rekindle
