// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "signalblock_p.h"

namespace Rekindle {

SignalBlock::SignalBlock()
{
    sigset_t all;
    sigfillset(&all);
    // A fault in this thread must still terminate the process with a core dump.
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        sigdelset(&all, own);
    pthread_sigmask(SIG_BLOCK, &all, &m_before);
}

SignalBlock::~SignalBlock() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }

} // namespace Rekindle
