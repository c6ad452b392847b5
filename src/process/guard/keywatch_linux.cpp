// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "keywatch_p.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace Rekindle {

namespace {
void tellAll(int signals, int hostSocket)
{
    signalfd_siginfo info{};
    while (::read(signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        // What a program has sent, to its own group perhaps, is no key.
        if (info.ssi_code != SI_KERNEL)
            continue;
        const char key = static_cast<char>(info.ssi_signo);
        ::send(hostSocket, &key, sizeof key, MSG_NOSIGNAL);
    }
}
} // namespace

int watchKeys(int hostSocket)
{
    // Its signals are blocked since before it is in that group: it is neither stopped by Ctrl-Z nor
    // ended by what is meant for the program.
    ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0);
    sigset_t keys;
    ::sigemptyset(&keys);
    ::sigaddset(&keys, SIGINT);
    ::sigaddset(&keys, SIGQUIT);
    const int signals = ::signalfd(-1, &keys, SFD_NONBLOCK | SFD_CLOEXEC);
    if (signals < 0 || ::chdir("/") != 0)
        return EXIT_FAILURE;
    for (;;) {
        std::array<pollfd, 2> fds{{{hostSocket, POLLIN, 0}, {signals, POLLIN, 0}}};
        if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR)
            return EXIT_FAILURE;
        // First: the host asks because the program has ended, perhaps by that key.
        tellAll(signals, hostSocket);
        if (fds[0].revents != 0)
            return EXIT_SUCCESS;
    }
}

} // namespace Rekindle
