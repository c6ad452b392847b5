// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "guardtable_p.h"

#include <string>
#include <string_view>

namespace Rekindle {

/// Finds processes by the mark in their environment and kills them. It reaches those that have
/// left their group and their session; not those of other users, and not those that wiped their
/// environment.
class OrphanSweep
{
public:
    enum class Scope {
        Ended, ///< of starts that are over
        All,   ///< of this host
    };

    OrphanSweep(const GuardTable &table, std::string_view run);

    /// Passes over all processes until one finds nothing more.
    void run(Scope scope) const;

    /// Whether an environment, as the kernel shows it, carries a mark that is in scope.
    [[nodiscard]] bool isOrphan(std::string_view environment, Scope scope) const;

private:
    [[nodiscard]] int killAll(Scope scope) const;
    [[nodiscard]] bool isOrphan(int process, Scope scope) const;
    [[nodiscard]] bool isInScope(std::string_view mark, Scope scope) const;

    const GuardTable &m_table;
    std::string m_run;
};

} // namespace Rekindle
