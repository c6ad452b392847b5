// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/text/terminaltext_p.h"

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

    void add(const QByteArray &line)
    {
        if (m_lines.size() == maxLines)
            m_lines.pop_front();
        m_lines.push_back(line.size() > longestLine ? line.left(longestLine) + "..." : line);
    }

    /// Oldest first, without escape sequences; decoded as UTF-8.
    [[nodiscard]] QStringList lines() const
    {
        QStringList texts;
        for (const QByteArray &line : m_lines)
            texts.push_back(QString::fromUtf8(textOnTerminal(line, Colors::Removed)));
        return texts;
    }

private:
    QList<QByteArray> m_lines;
};

} // namespace Rekindle
