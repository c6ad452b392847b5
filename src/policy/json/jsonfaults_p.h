// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "jsonnode_p.h"

#include <rekindle/policy/parsed.h>

#include <QSet>

#include <utility>

namespace Rekindle {

/// Everything that is found while a text is read, errors and warnings apart. It stops listening
/// after the thousandth error, for nobody reads on.
class REKINDLE_POLICY_EXPORT JsonFaults
{
public:
    /// Position is that of a node, or of its name.
    void add(Fault fault, JsonPosition position);

    [[nodiscard]] bool isFull() const { return m_errors.size() >= mostErrors; }
    [[nodiscard]] bool hasErrorAt(const QString &pointer) const
    {
        return m_errorPointers.contains(pointer);
    }

    [[nodiscard]] qsizetype errorCount() const { return m_errors.size(); }

    /// All of them in order of position, and the value if none is an error.
    template<typename T>
    [[nodiscard]] Parsed<T> result(T value)
    {
        sort();
        Parsed<T> parsed;
        if (m_errors.isEmpty())
            parsed.value = std::move(value);
        parsed.faults = std::exchange(m_errors, {});
        parsed.warnings = std::exchange(m_warnings, {});
        return parsed;
    }

private:
    static constexpr qsizetype mostErrors = 1000;

    void sort();

    QList<Fault> m_errors;
    QList<Fault> m_warnings;
    QSet<QString> m_errorPointers;
};

} // namespace Rekindle
