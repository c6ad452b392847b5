// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/failure.h>
#include <rekindle/process/export.h>

#include <QHash>

#include <optional>

namespace Rekindle {

/// Maps the exit codes of a program to failure reasons (spec 6). 0 is always a clean exit. 42
/// requests a restart, unless the table has a row for it. Any other code without a row is a
/// ProcessCrash.
class REKINDLE_PROCESS_EXPORT ExitCodeTable
{
public:
    static constexpr int clean = 0;
    static constexpr int restartRequested = 42;

    struct Meaning
    {
        FailureReason reason = FailureReason::ProcessCrash;
        bool permanent = false; ///< not retried if the agent has never been ready
        QString dependency{};   ///< FailureDetail::dependency

        /// Sets these members of a failure.
        REKINDLE_PROCESS_EXPORT void addTo(Failure &failure) const;

        bool operator==(const Meaning &) const = default;
    };

    /// The default table: 126 and 127 are InitializationFailed, 69 and 75 are DependencyFailure, 78
    /// is a permanent InitializationFailed.
    ExitCodeTable();

    /// Adds or replaces a row. Returns false for a code outside 1 to 255.
    bool insert(int code, const Meaning &meaning);

    [[nodiscard]] Meaning meaning(int code) const;

    /// Returns whether the code requests a restart: true for 42, unless it has a row.
    [[nodiscard]] bool isRestartRequest(int code) const;

    /// Each Meaning::dependency in the table, sorted.
    [[nodiscard]] QStringList dependencies() const;

    bool operator==(const ExitCodeTable &) const = default;

private:
    QHash<int, Meaning> m_rows;
};

} // namespace Rekindle
