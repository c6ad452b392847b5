// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "orphansweep_p.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <optional>
#include <utility>

namespace Rekindle {

namespace {

constexpr int maxPasses = 50;
constexpr int pauseBetweenPasses = 20; // ms

// A limit for systems that start processes all the time. A round without an orphan takes about
// 20 microseconds.
constexpr int maxRounds = 1000;

// A process that executes a program has no environment for a moment.
constexpr int pauseForExecution = 1; // ms

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

// Returns false if there is no such file, or if it may not be read.
bool readFile(const char *path, std::string &text)
{
    const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    text.clear();
    std::array<char, 16384> block{};
    while (text.size() < largestEnvironment) {
        const ssize_t got = ::read(fd, block.data(), block.size());
        if (got <= 0)
            break;
        text.append(block.data(), static_cast<std::size_t>(got));
    }
    ::close(fd);
    return true;
}

// The id that the kernel has assigned last, which may be the id of a thread; 0 if it is unknown.
// Containers may hide /proc/sys.
int newestId()
{
    static std::string text;
    if (!readFile("/proc/sys/kernel/ns_last_pid", text) && !readFile("/proc/loadavg", text))
        return 0;
    // The last word of both files.
    const std::size_t start = text.find_last_of(' ') + 1;
    int id = 0;
    std::from_chars(text.data() + start, text.data() + text.size(), id);
    return id;
}

} // namespace

OrphanSweep::OrphanSweep(const GuardTable &table, std::string_view run)
    : m_table(table)
    , m_run(run)
{
}

void OrphanSweep::run(Scope scope)
{
    for (int pass = 0; pass < maxPasses && killAll(scope); ++pass)
        ::poll(nullptr, 0, pauseBetweenPasses);
}

bool OrphanSweep::killAll(Scope scope)
{
    m_unclear.clear();
    const int newest = newestId();
    DIR *folder = ::opendir("/proc");
    if (!folder)
        return false;
    bool found = false;
    while (const dirent *entry = ::readdir(folder)) {
        int process = 0;
        const std::string_view name = entry->d_name;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (error == std::errc{} && end == name.data() + name.size())
            found = killOrphan(process, scope) || found;
    }
    ::closedir(folder);
    return killNewer(newest, scope) || found;
}

// Does not end before a round in which no process was created, so that no process can have forked
// and exited between two rounds.
bool OrphanSweep::killNewer(int last, Scope scope)
{
    bool found = false;
    for (int round = 0; round < maxRounds; ++round) {
        const int newest = newestId();
        if (newest < last)
            return true; // the kernel assigns low ids again
        if (newest == last) {
            if (m_unclear.empty())
                break;
            ::poll(nullptr, 0, pauseForExecution);
            for (const int process : std::exchange(m_unclear, {}))
                found = killOrphan(process, scope) || found;
            m_unclear.clear();
        }
        while (last < newest)
            found = killOrphan(++last, scope) || found;
    }
    return found;
}

bool OrphanSweep::killOrphan(int process, Scope scope)
{
    if (!isOrphan(process, scope))
        return false;
    // The id may have been reused since: open a pidfd, check again, then kill.
    const int held = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
    if (held < 0)
        return errno == ESRCH; // exited; it may have forked
    const bool killed = isOrphan(process, scope)
        && ::syscall(SYS_pidfd_send_signal, held, SIGKILL, nullptr, 0) == 0;
    ::close(held);
    return killed;
}

bool OrphanSweep::isOrphan(int process, Scope scope)
{
    std::array<char, 40> path{};
    std::snprintf(path.data(), path.size(), "/proc/%d/environ", process);
    if (!readFile(path.data(), m_environment))
        return false;
    if (m_environment.empty())
        m_unclear.push_back(process);
    return isOrphan(std::string_view(m_environment), scope);
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
    if (!slot || !start || *slot >= GuardTable::capacity)
        return false;
    const GuardTable::Slot &found = m_table.slots[*slot];
    return *start <= found.ended
        || (found.bound != 0 && m_table.killTime == GuardTable::killTimePassed);
}

} // namespace Rekindle
