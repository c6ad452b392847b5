// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "guardtable_p.h"

#include <string>
#include <string_view>

namespace Rekindle {

/// Kills processes that have a mark in their environment, also those that have left their group and
/// session. It does not find processes of other users and those that have cleared their
/// environment.
class OrphanSweep
{
public:
    enum class Scope {
        Ended, ///< processes of starts that have ended
        All,   ///< all processes of this host
    };

    OrphanSweep(const GuardTable &table, std::string_view run);

    /// Repeats passes over all processes until a pass finds none.
    void run(Scope scope) const;

    /// Whether an environment, in the format of /proc, has a mark that is in scope.
    [[nodiscard]] bool isOrphan(std::string_view environment, Scope scope) const;

private:
    [[nodiscard]] int killAll(Scope scope) const;
    [[nodiscard]] bool isOrphan(int process, Scope scope) const;
    [[nodiscard]] bool isInScope(std::string_view mark, Scope scope) const;

    const GuardTable &m_table;
    std::string m_run;
};

} // namespace Rekindle
