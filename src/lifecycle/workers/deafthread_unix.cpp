// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "deafthread_p.h"

#include <QScopeGuard>

#include <csignal>
#include <utility>

namespace Rekindle {

std::thread startDeafThread(std::function<void()> work)
{
    // A new thread begins with the mask of the one that starts it.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    // Also where no thread can begin, which throws.
    const auto restore = qScopeGuard([&] { ::pthread_sigmask(SIG_SETMASK, &before, nullptr); });
    return std::thread(std::move(work));
}

} // namespace Rekindle
