// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <algorithm>

namespace Rekindle {

// This header and parsed.h need no library: the JSON reader below all other components returns
// them, and so do public functions.

/// One fault of a configuration: its place, what was found there, and what was expected.
/// Line and column count from 1; they are 0 if the value did not come from a text.
struct Fault
{
    enum class Severity {
        Error,   ///< the value is not used
        Warning, ///< valid, but probably a mistake; the value is used
    };

    QString path{};    ///< JSON pointer, "" for the whole
    QString message{}; ///< "expected 1 to 100, found 0.5"
    Severity severity = Severity::Error;
    int line = 0;
    int column = 0;
    QString file{}; ///< the included file with the fault; empty for the file that was read

    [[nodiscard]] bool isError() const { return severity == Severity::Error; }

    /// "FILE:LINE:COLUMN: POINTER: message", without the parts that are unknown. `mainFile` is the
    /// file that was read.
    [[nodiscard]] QString toString(const QString &mainFile = {}) const
    {
        QStringList place(file.isEmpty() ? mainFile : file);
        if (line > 0)
            place << QString::number(line) << QString::number(column);
        place.removeAll(QString());
        QStringList parts{place.join(QLatin1Char(':')), path};
        if (!isError())
            parts << QStringLiteral("warning");
        parts.removeAll(QString());
        return (parts << message).join(QLatin1String(": "));
    }

    bool operator==(const Fault &) const = default;
};

/// Whether any fault is an error.
[[nodiscard]] inline bool hasErrors(const QList<Fault> &faults)
{
    return std::any_of(faults.begin(), faults.end(),
                       [](const Fault &fault) { return fault.isError(); });
}

} // namespace Rekindle
