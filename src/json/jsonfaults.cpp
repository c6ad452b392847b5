// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsonfaults.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

void JsonFaults::add(Fault fault, JsonPosition position)
{
    if (isFull())
        return;
    fault.line = position.line;
    fault.column = position.column;
    QList<Fault> &list = fault.isError() ? m_errors : m_warnings;
    list.append(std::move(fault));
    if (isFull())
        m_errors.back().message += QStringLiteral(" (the last of too many faults to list)");
}

void JsonFaults::downgrade(qsizetype count, const QString &prefix)
{
    while (m_errors.size() > count) {
        Fault fault = m_errors.takeAt(count);
        fault.severity = Fault::Severity::Warning;
        fault.message.prepend(prefix);
        m_warnings.append(std::move(fault));
    }
}

void JsonFaults::sort()
{
    const auto position = [](const Fault &fault) { return std::pair(fault.line, fault.column); };
    std::ranges::stable_sort(m_errors, {}, position);
    std::ranges::stable_sort(m_warnings, {}, position);
}

} // namespace Rekindle
