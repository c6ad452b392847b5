// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/validation.h>

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// What was read from a text, and all that there is to say about it.
template<typename T>
struct Parsed
{
    std::optional<T> value; ///< nothing if there is any fault
    QList<Fault> faults;    ///< errors, all at once, in order of position
    QList<Fault> warnings;  ///< legal but odd; the value is good nevertheless
    QString file;           ///< the file that the positions count in; empty if it was none

    [[nodiscard]] explicit operator bool() const { return value.has_value(); }

    /// One line for each fault, then one for each warning: "FILE:LINE:COLUMN: POINTER: message".
    [[nodiscard]] QStringList messages() const
    {
        QStringList lines;
        for (const Fault &fault : faults)
            lines.append(fault.toString(file));
        for (const Fault &warning : warnings)
            lines.append(warning.toString(file));
        return lines;
    }
};

} // namespace Rekindle
