// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// rekindle-guard HOST RUN, with a socket to the host as descriptor 0 and the table as descriptor 1.
// The library starts it. It sleeps until its host has exited for whatever reason, kills what the
// host has left behind, and exits.

#include "guardtable_p.h"
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

using Rekindle::GuardTable;
using Rekindle::OrphanSweep;

namespace {

// Processes that exit together are handled by one sweep; at most one sweep per second.
constexpr int gatherFor = 100;       // ms
constexpr int pauseAfterSweep = 900; // ms

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
    {
    }

    void watch()
    {
        while (hostLives(POLLIN, -1)) {
            drain();
            if (m_hostGone || !hostLives(0, gatherFor))
                break;
            m_table.notified = 0;
            m_sweep.run(OrphanSweep::Scope::Ended);
            if (!hostLives(0, pauseAfterSweep))
                break;
        }
        killGroups();
        m_sweep.run(OrphanSweep::Scope::All);
        killGroups();
    }

private:
    // Waits until the host has exited, the time has elapsed, or the socket has `events`.
    [[nodiscard]] bool hostLives(short events, int wait) const
    {
        std::array<pollfd, 2> fds{{{m_socket, events, 0}, {m_hostFd, POLLIN, 0}}};
        while (::poll(fds.data(), fds.size(), wait) < 0 && errno == EINTR) {
        }
        return fds[1].revents == 0 && (fds[0].revents & (POLLHUP | POLLERR)) == 0;
    }

    void drain()
    {
        char message = 0;
        ssize_t got = 0;
        do {
            got = ::recv(m_socket, &message, sizeof message, MSG_DONTWAIT);
        } while (got > 0);
        m_hostGone = got == 0;
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
    bool m_hostGone = false;
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
    Guard(hostSocket, hostFd, *static_cast<GuardTable *>(memory), argv[2]).watch();
    return EXIT_SUCCESS;
}
