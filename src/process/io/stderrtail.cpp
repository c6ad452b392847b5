// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stderrtail_p.h"

namespace Rekindle {

void StderrTail::add(const QByteArray &line)
{
    if (m_lines.size() == maxLines)
        m_lines.pop_front();
    m_lines.push_back(line.size() > longestLine ? line.left(longestLine) + "..." : line);
}

QStringList StderrTail::lines() const
{
    QStringList texts;
    for (const QByteArray &line : m_lines)
        texts.push_back(QString::fromUtf8(line));
    return texts;
}

} // namespace Rekindle
