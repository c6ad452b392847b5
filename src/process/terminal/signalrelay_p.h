// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/io/fdwatcher_p.h"

#include <rekindle/lifecycle/scheduler.h>

#include <sys/types.h>

#include <functional>
#include <memory>

namespace Rekindle {

/// Sends Ctrl-C and Ctrl-\ of a shared terminal to this process too. The terminal signals only the
/// group of the child, so a forked process joins that group, blocks all signals and forwards these
/// two. It ignores signals that a program sends to its own group. It exits with this object or with
/// the host.
class SignalRelay final : public FdListener
{
public:
    /// `group` must have a process, dead or alive. If no process can be forked, nothing is
    /// forwarded.
    SignalRelay(pid_t group, Scheduler &scheduler);
    ~SignalRelay() override;

    /// Calls `then` when all signals that have arrived so far are forwarded, after at most half a
    /// second. `then` may destroy this object. Returns false if nothing has to be waited for.
    [[nodiscard]] bool finish(std::function<void()> then);

private:
    void fdReady(int) override { conclude(); }
    void conclude();
    void end();

    std::function<void()> m_then;
    Deadline m_deadline;                  // of finish()
    std::shared_ptr<FdWatcher> m_watcher; // during finish()
    UniqueFd m_process;
};

} // namespace Rekindle
