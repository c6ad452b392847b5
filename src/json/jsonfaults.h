// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "jsonnode.h"

#include <rekindle/json/parsed.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

/// Collects the errors and warnings of a text. After the thousandth error it ignores the rest. Also
/// counts the memory that the values of the text need, so that a small text cannot use up the
/// memory of the machine.
class JsonFaults
{
public:
    /// `position` is the position of a node or of its name.
    void add(Fault fault, JsonPosition position);

    [[nodiscard]] bool isFull() const { return m_errors.size() >= mostErrors; }
    [[nodiscard]] bool hasErrorAt(const QString &pointer) const
    {
        return std::ranges::find(m_errors, pointer, &Fault::path) != m_errors.end();
    }

    [[nodiscard]] qsizetype errorCount() const { return m_errors.size(); }

    /// Turns all errors except the first `count` ones into warnings, and puts `prefix` before their
    /// messages.
    void downgrade(qsizetype count, const QString &prefix);

    /// Adds to the memory, in bytes, of values that are larger than their text. Returns false if it
    /// is more than mostMemory.
    [[nodiscard]] bool claimMemory(qsizetype bytes)
    {
        m_memory += bytes;
        return m_memory <= mostMemory;
    }

    static constexpr qsizetype mostMemory = qsizetype{128} * 1024 * 1024;

    /// All faults in order of position, and the value if there is no error.
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
    qsizetype m_memory = 0;
};

} // namespace Rekindle
