// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "orphansweep_p.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <optional>

namespace Rekindle {

namespace {

// The next pass finds processes that were forked during this one.
constexpr int maxPasses = 50;
constexpr int pauseBetweenPasses = 20; // ms

// The kernel's limit for arguments and environment together is 6 MiB.
constexpr std::size_t largestEnvironment = std::size_t{6} * 1024 * 1024;

std::optional<std::uint32_t> hexNumber(std::string_view text)
{
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

// Returns false for a zombie, a kernel thread, and a process that may not be read.
bool readEnvironment(int process, std::string &environment)
{
    std::array<char, 40> path{};
    std::snprintf(path.data(), path.size(), "/proc/%d/environ", process);
    const int fd = ::open(path.data(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    environment.clear();
    std::array<char, 16384> block{};
    while (environment.size() < largestEnvironment) {
        const ssize_t got = ::read(fd, block.data(), block.size());
        if (got <= 0)
            break;
        environment.append(block.data(), static_cast<std::size_t>(got));
    }
    ::close(fd);
    return !environment.empty();
}

} // namespace

OrphanSweep::OrphanSweep(const GuardTable &table, std::string_view run)
    : m_table(table)
    , m_run(run)
{
}

void OrphanSweep::run(Scope scope) const
{
    for (int pass = 0; pass < maxPasses && killAll(scope) > 0; ++pass)
        ::poll(nullptr, 0, pauseBetweenPasses);
}

int OrphanSweep::killAll(Scope scope) const
{
    DIR *folder = ::opendir("/proc");
    if (!folder)
        return 0;
    int killed = 0;
    while (const dirent *entry = ::readdir(folder)) {
        int process = 0;
        const std::string_view name = entry->d_name;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (error != std::errc{} || end != name.data() + name.size() || !isOrphan(process, scope))
            continue;
        // The id may have been reused since: open a pidfd, check again, then kill.
        const int held = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
        if (held < 0)
            continue;
        if (isOrphan(process, scope)
            && ::syscall(SYS_pidfd_send_signal, held, SIGKILL, nullptr, 0) == 0)
            ++killed;
        ::close(held);
    }
    ::closedir(folder);
    return killed;
}

bool OrphanSweep::isOrphan(int process, Scope scope) const
{
    static std::string environment;
    return readEnvironment(process, environment) && isOrphan(std::string_view(environment), scope);
}

bool OrphanSweep::isOrphan(std::string_view environment, Scope scope) const
{
    const std::string name = std::string(1, '\0') + markName + '=';
    const std::string_view first = std::string_view(name).substr(1);
    std::size_t start = environment.starts_with(first) ? 0 : environment.find(name);
    if (start == std::string_view::npos)
        return false;
    start += start == 0 ? first.size() : name.size();
    std::string_view marks = environment.substr(start, environment.find('\0', start) - start);
    for (; marks.size() >= markLength; marks.remove_prefix(markLength + 1)) {
        if (isInScope(marks.substr(0, markLength), scope))
            return true;
        if (marks.size() == markLength)
            break;
    }
    return false;
}

bool OrphanSweep::isInScope(std::string_view mark, Scope scope) const
{
    if (!mark.starts_with(m_run) || mark[runDigits] != ':')
        return false;
    if (scope == Scope::All)
        return true;
    const auto slot = hexNumber(mark.substr(runDigits + 1, slotDigits));
    const auto start = hexNumber(mark.substr(markLength - startDigits));
    return slot && start && *slot < GuardTable::capacity && *start <= m_table.slots[*slot].ended;
}

} // namespace Rekindle
