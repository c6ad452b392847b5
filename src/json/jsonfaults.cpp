// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsonfaults.h"

#include <algorithm>
#include <tuple>

namespace Rekindle {

void JsonFaults::add(Fault fault, JsonPosition position)
{
    if (isFull())
        return;
    fault.line = position.line;
    fault.column = position.column;
    if (fault.isError())
        m_errorPointers.insert(fault.path);
    QList<Fault> &list = fault.isError() ? m_errors : m_warnings;
    list.append(std::move(fault));
    if (isFull())
        m_errors.back().message += QStringLiteral(" (the last of too many faults to list)");
}

void JsonFaults::sort()
{
    const auto before = [](const Fault &a, const Fault &b) {
        return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    };
    std::stable_sort(m_errors.begin(), m_errors.end(), before);
    std::stable_sort(m_warnings.begin(), m_warnings.end(), before);
}

} // namespace Rekindle
