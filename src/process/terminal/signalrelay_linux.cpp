// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "signalrelay_p.h"

#include "process/end/reaper_p.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <utility>

namespace Rekindle {

namespace {

UniqueFd openProcess(pid_t process)
{
    return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
}

// Real-time signals are delivered after SIGINT and SIGQUIT, and each one is queued.
int finishSignal() { return SIGRTMAX; }

// Runs in the forked process, which may only make system calls. All signals are blocked since
// before the fork, so Ctrl-Z does not stop it.
[[noreturn]] void forwardKeys(pid_t host, int hostFd, pid_t group)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_NAME, "rekindle-relay");
    if (::getppid() != host || ::setpgid(0, group) != 0 || ::chdir("/") != 0
        || ::dup2(hostFd, STDIN_FILENO) < 0)
        ::_exit(EXIT_FAILURE);
    ::syscall(SYS_close_range, STDIN_FILENO + 1, ~0U, 0);
    sigset_t all;
    ::sigfillset(&all);
    for (;;) {
        siginfo_t info{};
        const int number = ::sigwaitinfo(&all, &info);
        if (number == finishSignal())
            ::_exit(EXIT_SUCCESS);
        if (info.si_code != SI_KERNEL || (number != SIGINT && number != SIGQUIT))
            continue;
        info.si_code = SI_QUEUE;
        ::syscall(SYS_pidfd_send_signal, STDIN_FILENO, number, &info, 0);
    }
}

} // namespace

SignalRelay::SignalRelay(pid_t group, Scheduler &scheduler)
    : m_deadline(scheduler, [this] { conclude(); })
{
    const pid_t host = ::getpid();
    const UniqueFd hostFd = openProcess(host);
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t relay = ::fork();
    if (relay == 0)
        forwardKeys(host, hostFd.get(), group);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (relay > 0)
        m_process = openProcess(relay);
}

SignalRelay::~SignalRelay() { end(); }

bool SignalRelay::finish(std::function<void()> then)
{
    std::shared_ptr<FdWatcher> watcher = FdWatcher::ofThisThread();
    if (!m_process.isOpen() || !watcher
        || watcher->add(m_process.get(), FdWatcher::Direction::Read, *this) != 0)
        return false;
    m_watcher = std::move(watcher);
    m_then = std::move(then);
    m_deadline.armIn(std::chrono::milliseconds(500));
    ::syscall(SYS_pidfd_send_signal, m_process.get(), finishSignal(), nullptr, 0);
    return true;
}

void SignalRelay::conclude()
{
    m_deadline.disarm();
    end();
    const auto then = std::exchange(m_then, nullptr);
    then();
}

void SignalRelay::end()
{
    if (const std::shared_ptr<FdWatcher> watcher = std::move(m_watcher))
        watcher->remove(m_process.get());
    if (!m_process.isOpen())
        return;
    ::syscall(SYS_pidfd_send_signal, m_process.get(), SIGKILL, nullptr, 0);
    Reaper::take(std::move(m_process));
}

} // namespace Rekindle
