// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "childprocess_p.h"

#include "process/io/processlog_p.h"

#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <utility>

namespace Rekindle {

namespace {

// Since Linux 6.9, so older headers do not have it.
constexpr unsigned toProcessGroup = 1U << 2;

// Since Linux 6.15: the exit status of a process that was reaped elsewhere.
struct PidFdInfo
{
    std::uint64_t mask;
    std::uint64_t controlGroup;
    std::uint32_t ids[11];
    std::int32_t exitCode;
};
static_assert(sizeof(PidFdInfo) == 64);
constexpr std::uint64_t infoOfExit = 1U << 3;
constexpr unsigned long getInfo = _IOWR(0xFF, 11, PidFdInfo);

ExitStatus statusFromKernel(int pidFd)
{
    PidFdInfo info{};
    info.mask = infoOfExit;
    if (::ioctl(pidFd, getInfo, &info) != 0 || (info.mask & infoOfExit) == 0)
        return {};
    if (WIFEXITED(info.exitCode))
        return {ExitStatus::Kind::Exited, WEXITSTATUS(info.exitCode)};
    return {ExitStatus::Kind::Killed, WTERMSIG(info.exitCode)};
}

} // namespace

ChildProcess::ChildProcess(pid_t pid, UniqueFd pidFd)
    : m_pid(pid)
    , m_pidFd(std::move(pidFd))
{
}

bool ChildProcess::signalGroup(int number)
{
    if (m_pid <= 1)
        return false;
    if (::syscall(SYS_pidfd_send_signal, m_pidFd.get(), number, nullptr, toProcessGroup) == 0)
        return true;
    // ENOSYS is an answer of Valgrind. The process group exists until reap().
    return (errno == EINVAL || errno == ENOSYS) && ::kill(-m_pid, number) == 0;
}

std::optional<ExitStatus> ChildProcess::reap() const
{
    siginfo_t info{};
    if (::waitid(P_PIDFD, static_cast<id_t>(m_pidFd.get()), &info, WEXITED | WNOHANG) != 0)
        return errno == ECHILD ? std::optional(statusFromKernel(m_pidFd.get())) : std::nullopt;
    if (info.si_pid == 0)
        return std::nullopt;
    if (info.si_code == CLD_EXITED)
        return ExitStatus{ExitStatus::Kind::Exited, info.si_status};
    return ExitStatus{ExitStatus::Kind::Killed, info.si_status};
}

bool ChildProcess::takeStopped() const
{
    siginfo_t info{};
    return ::waitid(P_PIDFD, static_cast<id_t>(m_pidFd.get()), &info, WSTOPPED | WNOHANG) == 0
        && info.si_pid != 0 && info.si_code == CLD_STOPPED;
}

void warnIfSigchldIgnored()
{
    static std::atomic<bool> checked = false;
    if (checked.exchange(true))
        return;
    struct sigaction action = {};
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
