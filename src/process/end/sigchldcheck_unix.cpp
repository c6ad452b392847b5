// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "sigchldcheck_p.h"

#include "process/io/processlog_p.h"

#include <atomic>
#include <csignal>

namespace Rekindle {

void warnIfSigchldIgnored()
{
    static std::atomic<bool> checked = false;
    if (checked.exchange(true))
        return;
    struct sigaction action
    {
    };
    if (::sigaction(SIGCHLD, nullptr, &action) != 0)
        return;
    if (action.sa_handler == SIG_IGN || (action.sa_flags & SA_NOCLDWAIT) != 0) {
        qCWarning(
            processLog,
            "This program ignores SIGCHLD or has set SA_NOCLDWAIT, so the kernel discards the "
            "exit status of its children. Failures of agents may have the reason Unknown. Use "
            "SIG_DFL or a handler.");
    }
}

} // namespace Rekindle
