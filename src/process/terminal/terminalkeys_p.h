// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/io/fdwatcher_p.h"

#include <rekindle/lifecycle/scheduler.h>

#include <sys/types.h>

#include <functional>
#include <memory>

namespace Rekindle {

/// Hears Ctrl-C and Ctrl-\ of a terminal that a child has: its signals go to the child's group
/// alone. So a second process stands in that group (rekindle-guard keys), which blocks all signals
/// and tells of these two where the kernel has sent them; what a program sends to its own group is
/// no key. It ends with this object and with the host. Without it nothing is heard.
class TerminalKeys final : public FdListener
{
public:
    /// `group` must have a process, dead or alive. `onKey` gets SIGINT or SIGQUIT and may destroy
    /// this object.
    TerminalKeys(pid_t group, Scheduler &scheduler, std::function<void(int)> onKey);
    ~TerminalKeys() override;

    /// Once what was pressed until now has been told, `then` is called, within half a second; it
    /// may destroy this object. False if there is nothing to wait for.
    [[nodiscard]] bool finish(std::function<void()> then);

private:
    void fdReady(int fd) override;
    void start();
    void close();
    void conclude();

    const pid_t m_group;
    const std::function<void(int)> m_onKey;
    std::function<void()> m_then;
    Deadline m_patience; // of finish()
    std::shared_ptr<FdWatcher> m_watcher;
    UniqueFd m_socket;
    UniqueFd m_process;
    int m_starts = 0;
    const std::shared_ptr<int> m_life = std::make_shared<int>(0);
};

} // namespace Rekindle
