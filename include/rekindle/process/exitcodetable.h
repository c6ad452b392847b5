// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/failure.h>
#include <rekindle/process/export.h>

#include <QHash>

#include <optional>

namespace Rekindle {

/// What the exit codes of a program mean (spec 6, S4's exit-code protocol). 0 is a clean end and
/// 42 asks for a restart; both are fixed. Any code that the table does not name is ProcessCrash.
class REKINDLE_PROCESS_EXPORT ExitCodeTable
{
public:
    static constexpr int clean = 0;
    static constexpr int restartRequested = 42;

    struct Meaning
    {
        FailureReason reason = FailureReason::ProcessCrash;
        bool permanent = false; ///< not retried until the agent has once been ready

        bool operator==(const Meaning &) const = default;
    };

    /// 126 and 127 InitializationFailed; 69 and 75 DependencyFailure; 78 permanent.
    ExitCodeTable();

    /// Adds or replaces one row. False for a code outside 1 to 255 and for 42.
    bool insert(int code, Meaning meaning);

    [[nodiscard]] Meaning meaning(int code) const;

    bool operator==(const ExitCodeTable &) const = default;

private:
    QHash<int, Meaning> m_rows;
};

} // namespace Rekindle
