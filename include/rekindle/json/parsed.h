// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/fault.h>

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// The result of reading a text: the value, and everything that was found wrong with it.
template<typename T>
struct Parsed
{
    std::optional<T> value; ///< empty if there is any fault
    QList<Fault> faults;    ///< all errors, in order of position
    QList<Fault> warnings;  ///< valid, but probably mistakes
    QString file;           ///< the file of the positions; empty if the text came from elsewhere

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
