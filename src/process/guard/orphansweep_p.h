// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "guardtable_p.h"

#include <string>
#include <string_view>
#include <vector>

namespace Rekindle {

/// Kills processes that have a mark in their environment, also those that have left their group and
/// session. It does not find processes of other users and those that have cleared their
/// environment.
///
/// A process may fork and exit before a pass over all processes reaches it. Therefore, each pass
/// ends with the processes that were created since it began, and these are found by the id that the
/// kernel has assigned last: a few microseconds after the creation.
class OrphanSweep
{
public:
    enum class Scope {
        Ended, ///< processes of starts that have ended, or whose kill time has passed
        All,   ///< all processes of this host
    };

    OrphanSweep(const GuardTable &table, std::string_view run);

    /// Repeats passes over all processes until a pass finds none.
    void run(Scope scope);

    /// Whether an environment, in the format of /proc, has a mark that is in scope.
    [[nodiscard]] bool isOrphan(std::string_view environment, Scope scope) const;

private:
    // Each of these returns whether there was an orphan.
    bool killAll(Scope scope);
    bool killNewer(int last, Scope scope);
    bool killOrphan(int process, Scope scope);

    [[nodiscard]] bool isOrphan(int process, Scope scope);
    [[nodiscard]] bool isInScope(std::string_view mark, Scope scope) const;

    const GuardTable &m_table;
    std::string m_run;
    std::string m_environment;
    std::vector<int> m_unclear; // without an environment, to be read again
};

} // namespace Rekindle
