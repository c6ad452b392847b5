// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "logring_p.h"

#include <utility>

namespace Rekindle {

void LogRing::add(LogLine line)
{
    line.text.truncate(longestLine);
    m_bytes += line.text.size();
    m_lines.push_back(std::move(line));
    while (m_lines.size() > maxLines || m_bytes > maxBytes) {
        m_bytes -= m_lines.front().text.size();
        m_lines.pop_front();
        ++m_first;
    }
}

} // namespace Rekindle
