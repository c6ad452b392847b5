// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "orphanreaper_p.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace Rekindle {

namespace {

bool getsOrphans()
{
    int isSubreaper = 0;
    return ::getpid() == 1
        || (::prctl(PR_GET_CHILD_SUBREAPER, &isSubreaper) == 0 && isSubreaper != 0);
}

// Except those that report a fault of this process, and those of job control.
sigset_t forwardedSignals()
{
    sigset_t signals;
    sigfillset(&signals);
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGTSTP,
                             SIGTTIN, SIGTTOU, SIGCONT})
        sigdelset(&signals, number);
    return signals;
}

// As a shell reports the end of the process.
int codeOfShell(int status)
{
    constexpr int signaled = 128;
    return WIFSIGNALED(status) ? signaled + WTERMSIG(status) : WEXITSTATUS(status);
}

// Returns the exit code of the command if it has exited.
std::optional<int> reapAll(pid_t command)
{
    std::optional<int> code;
    int status = 0;
    for (pid_t id = ::waitpid(-1, &status, WNOHANG); id > 0; id = ::waitpid(-1, &status, WNOHANG)) {
        if (id == command)
            code = codeOfShell(status);
    }
    return code;
}

} // namespace

std::optional<int> reapOrphans()
{
    if (!getsOrphans())
        return std::nullopt;
    const sigset_t signals = forwardedSignals();
    sigset_t before;
    ::pthread_sigmask(SIG_BLOCK, &signals, &before); // none is lost in between
    const pid_t command = ::fork();
    if (command <= 0) {
        if (command == 0)
            ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        return std::nullopt;
    }
    for (;;) {
        siginfo_t info{};
        const int number = ::sigwaitinfo(&signals, &info);
        if (number == SIGCHLD) {
            if (const std::optional<int> code = reapAll(command))
                return code;
        } else if (number > 0 && info.si_code != SI_KERNEL) { // a terminal signals both processes
            ::kill(command, number);
        }
    }
}

} // namespace Rekindle
