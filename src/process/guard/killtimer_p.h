// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "guardtable_p.h"

namespace Rekindle {

/// Kills the groups of the bound slots at the kill time of the table, in a thread of its own. That
/// thread never waits for another process, whereas a sweep can hang in /proc because of a hung file
/// system. Without a kill time, there is neither a timer nor a thread. If they cannot be created,
/// the guard exits, and the host starts another one.
class KillTimer
{
public:
    /// `table` and this object must exist until the guard exits.
    explicit KillTimer(GuardTable &table)
        : m_table(table)
    {
    }
    KillTimer(const KillTimer &) = delete;
    KillTimer &operator=(const KillTimer &) = delete;

    /// To be called when the guard starts, and when the host may have set the kill time.
    void update();

    /// A descriptor that is readable after groups were killed; -1 if there was no kill time yet.
    [[nodiscard]] int killedFd() const { return m_killed; }
    /// Makes killedFd() unreadable.
    void acceptKilled() const;

private:
    void start();
    void arm();
    void watch();
    void killGroups() const;

    GuardTable &m_table;
    int m_timer = -1;
    int m_killed = -1;
};

} // namespace Rekindle
