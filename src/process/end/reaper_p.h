// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "processguard_p.h"

#include <memory>
#include <vector>

namespace Rekindle {

/// Waits for processes that nobody owns any more, so that no zombie stays while the host lives
/// and nobody has to block. One per thread, on its event loop.
class Reaper final : public FdListener
{
public:
    ~Reaper() override;

    /// The process was killed or will end by itself. `slot` is kept until then.
    static void take(UniqueFd pidFd, GuardSlot slot = {});

    /// How many this thread waits for.
    [[nodiscard]] static std::size_t count();

private:
    struct Entry
    {
        UniqueFd pidFd;
        GuardSlot slot;
    };

    static Reaper &ofThisThread();
    void fdReady(int fd) override;
    static bool reap(Entry &entry);

    std::shared_ptr<FdWatcher> m_watcher;
    std::vector<Entry> m_entries;
};

} // namespace Rekindle
