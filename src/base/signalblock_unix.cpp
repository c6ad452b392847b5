// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "signalblock_p.h"

#include <utility>

namespace Rekindle {

SignalBlock::SignalBlock()
{
    sigset_t all;
    sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        sigdelset(&all, fault);
    ::pthread_sigmask(SIG_BLOCK, &all, &m_before);
}

SignalBlock::~SignalBlock() { ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }

std::thread startThreadWithBlockedSignals(std::function<void()> work)
{
    const SignalBlock block; // a new thread inherits the mask
    return std::thread(std::move(work));
}

} // namespace Rekindle
