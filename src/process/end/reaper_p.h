// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "processguard_p.h"

#include <memory>
#include <vector>

namespace Rekindle {

/// Waits for processes without an owner on the event loop, so that no zombies remain and no
/// destructor blocks. One per thread.
class Reaper final : public FdListener
{
public:
    ~Reaper() override;

    /// The process was killed or exits by itself. Holds `slot` until then.
    static void take(UniqueFd pidFd, GuardSlot slot = {});

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
