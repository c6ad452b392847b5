// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "terminalkeys_p.h"

#include "process/end/guardprogram_p.h"
#include "process/end/reaper_p.h"
#include "process/io/nullfile_p.h"
#include "process/launch/launcher_p.h"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <utility>

namespace Rekindle {

namespace {
// The program may kill it.
constexpr int mostStarts = 3;
} // namespace

TerminalKeys::TerminalKeys(pid_t group, Scheduler &scheduler, std::function<void(int)> onKey)
    : m_group(group)
    , m_onKey(std::move(onKey))
    , m_patience(scheduler, [this] { conclude(); })
{
    start();
}

TerminalKeys::~TerminalKeys() { close(); }

void TerminalKeys::start()
{
    const QByteArray program = guardProgram();
    std::array<int, 2> pair{-1, -1};
    if (program.isEmpty() || m_starts++ == mostStarts
        || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
        return;
    UniqueFd own = aboveStandard(UniqueFd(pair[0]));
    const UniqueFd theirs = aboveStandard(UniqueFd(pair[1]));

    QByteArray mode = "keys";
    std::array<char *, 3> arguments{const_cast<char *>(program.constData()), mode.data(), nullptr};
    std::array<char *, 1> environment{nullptr};
    LaunchRequest request;
    request.program = program.constData();
    request.arguments = arguments.data();
    request.environment = environment.data();
    request.standardFds = {theirs.get(), nullFile(), nullFile()};
    request.group = LaunchRequest::Group::Member;
    request.groupToJoin = m_group;
    request.blocksSignals = true; // a key that is pressed now waits until it can be asked for
    m_watcher = FdWatcher::ofThisThread();
    if (!m_watcher || m_watcher->add(own.get(), FdWatcher::Direction::Read, *this) != 0) {
        m_watcher.reset();
        return;
    }
    m_socket = std::move(own);
    LaunchResult result = launch(request);
    m_process = std::move(result.pidFd);
    if (result.pid == 0)
        close();
}

void TerminalKeys::close()
{
    if (m_socket.isOpen())
        m_watcher->remove(m_socket.get());
    m_watcher.reset();
    m_socket.reset();
    if (!m_process.isOpen())
        return;
    ::syscall(SYS_pidfd_send_signal, m_process.get(), SIGKILL, nullptr, 0);
    Reaper::take(std::move(m_process));
}

bool TerminalKeys::finish(std::function<void()> then)
{
    if (!m_socket.isOpen())
        return false;
    m_then = std::move(then);
    m_patience.armIn(std::chrono::milliseconds(500));
    ::shutdown(m_socket.get(), SHUT_WR);
    return true;
}

void TerminalKeys::conclude()
{
    m_patience.disarm();
    close();
    const auto then = std::exchange(m_then, nullptr);
    then();
}

void TerminalKeys::fdReady(int)
{
    std::array<char, 16> keys{};
    const ssize_t got = ::recv(m_socket.get(), keys.data(), keys.size(), MSG_DONTWAIT);
    const std::weak_ptr<int> alive = m_life;
    const auto callback = m_onKey;
    for (ssize_t i = 0; i < got && !alive.expired(); ++i)
        callback(keys.at(static_cast<std::size_t>(i)));
    if (got != 0)
        return;
    // It is gone.
    if (m_then) {
        conclude();
        return;
    }
    close();
    start();
}

} // namespace Rekindle
