// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// rekindle-guard HOST RUN, with a socket to the host as descriptor 0 and the table as descriptor 1.
// Descriptor 2 may have a lock (GuardLock), which ends when the guard exits.
// The library starts it. It sleeps until its host has exited for whatever reason, kills what the
// host has left behind, and exits. If the table contains a kill time, it kills the processes of the
// bound slots when that time has passed.

#include "guardtable_p.h"
#include "killtimer_p.h"
#include "orphansweep_p.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using Rekindle::GuardTable;
using Rekindle::KillTimer;
using Rekindle::OrphanSweep;

namespace {

// Processes that exit together are handled by one sweep; at most one sweep per second.
constexpr int gatherFor = 100;       // ms
constexpr int pauseAfterSweep = 900; // ms

constexpr int untilNotified = -1;

std::int64_t milliseconds()
{
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

constexpr int hostSocket = STDIN_FILENO;
constexpr int tableFd = STDOUT_FILENO;

class Guard
{
public:
    Guard(int socket, int hostFd, GuardTable &table, std::string_view run)
        : m_socket(socket)
        , m_hostFd(hostFd)
        , m_table(table)
        , m_sweep(table, run)
        , m_killTimer(table)
    {
    }

    void watch()
    {
        m_killTimer.update();
        while (hostLives(untilNotified) && hostLives(gatherFor)) {
            m_isNotified = false;
            m_table.notified = 0;
            m_sweep.run(OrphanSweep::Scope::Ended);
            if (!hostLives(pauseAfterSweep))
                break;
        }
        killGroups();
        m_sweep.run(OrphanSweep::Scope::All);
        killGroups();
    }

private:
    // Waits until the host has exited, or the time in milliseconds has elapsed.
    [[nodiscard]] bool hostLives(int wait)
    {
        const std::int64_t end = milliseconds() + wait;
        int left = wait;
        while (wait == untilNotified ? !m_isNotified : left > 0) {
            std::array<pollfd, 3> fds{{{m_socket, POLLIN, 0},
                                       {m_hostFd, POLLIN, 0},
                                       {m_killTimer.killedFd(), POLLIN, 0}}};
            ::poll(fds.data(), fds.size(), left);
            if (fds[1].revents != 0 || (fds[0].revents & (POLLHUP | POLLERR)) != 0)
                return false;
            if (fds[0].revents != 0 && !drain())
                return false;
            if (fds[2].revents != 0) {
                m_killTimer.acceptKilled();
                m_sweep.run(OrphanSweep::Scope::Ended); // processes outside the groups
            }
            if (wait != untilNotified)
                left = static_cast<int>(end - milliseconds());
        }
        return true;
    }

    // Returns false if the host has closed its socket.
    bool drain()
    {
        char message = 0;
        ssize_t got = 0;
        while ((got = ::recv(m_socket, &message, sizeof message, MSG_DONTWAIT)) > 0)
            m_isNotified = true;
        m_killTimer.update();
        return got != 0;
    }

    void killGroups() const
    {
        for (std::uint32_t i = 0; i < m_table.used && i < GuardTable::capacity; ++i) {
            const std::int32_t group = m_table.slots[i].group;
            if (group > 1)
                ::kill(-group, SIGKILL);
        }
    }

    int m_socket;
    int m_hostFd;
    GuardTable &m_table;
    OrphanSweep m_sweep;
    KillTimer m_killTimer;
    bool m_isNotified = false;
};

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3 || std::string_view(argv[2]).size() != Rekindle::runDigits) {
        std::fputs("rekindle-guard is started by programs that use Rekindle.\n", stderr);
        return 64;
    }
    for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU})
        ::signal(number, SIG_IGN);

    // Not a child of the host, because a host that waits for all of its children must not wait for
    // it.
    const pid_t second = ::fork();
    if (second != 0)
        return second < 0 ? EXIT_FAILURE : EXIT_SUCCESS;

    void *memory =
        ::mmap(nullptr, sizeof(GuardTable), PROT_READ | PROT_WRITE, MAP_SHARED, tableFd, 0);
    if (memory == MAP_FAILED || ::chdir("/") != 0)
        return EXIT_FAILURE;
    // Closes descriptors that the host has opened for its children.
    ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0);
    const int hostFd = static_cast<int>(::syscall(SYS_pidfd_open, std::atoi(argv[1]), 0));
    Guard guard(hostSocket, hostFd, *static_cast<GuardTable *>(memory), argv[2]);
    guard.watch();
    ::_exit(EXIT_SUCCESS); // the thread of the kill timer uses the guard
}
