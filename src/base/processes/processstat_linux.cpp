// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "processstat_p.h"

#include "base/uniquefd_p.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string>

namespace Rekindle {

std::optional<ProcessStat> ProcessStat::parse(std::string_view text)
{
    // "PID (NAME) STATE PARENT GROUP ..."; the name may contain any character.
    const std::size_t end = text.rfind(')');
    if (end == std::string_view::npos)
        return {};
    const std::string fields(text.substr(end + 1));
    ProcessStat stat;
    unsigned long long userTicks = 0;
    unsigned long long systemTicks = 0;
    unsigned long long childrenUserTicks = 0;
    unsigned long long childrenSystemTicks = 0;
    unsigned long long startTicks = 0;
    long long residentPages = 0;
    constexpr int expected = 8;
    // proc(5): fields 3, 5, 14 to 17, 22 and 24
    const int count =
        std::sscanf(fields.c_str(),
                    " %c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu %*d "
                    "%*d %*d %*d %llu %*u %lld",
                    &stat.state, &stat.group, &userTicks, &systemTicks, &childrenUserTicks,
                    &childrenSystemTicks, &startTicks, &residentPages);
    if (count != expected)
        return {};
    static const auto ticksPerSecond = static_cast<unsigned long long>(::sysconf(_SC_CLK_TCK));
    static const qint64 pageSize = ::sysconf(_SC_PAGESIZE);
    const auto timeOf = [](unsigned long long ticks) {
        constexpr unsigned long long milliseconds = 1000;
        return std::chrono::milliseconds(ticks * milliseconds / ticksPerSecond);
    };
    stat.cpuTime = timeOf(userTicks + systemTicks);
    stat.childrenCpuTime = timeOf(childrenUserTicks + childrenSystemTicks);
    stat.startTicks = static_cast<qint64>(startTicks);
    stat.residentBytes = residentPages * pageSize;
    return stat;
}

std::optional<ProcessStat> ProcessStat::of(pid_t process)
{
    const std::string path = "/proc/" + std::to_string(process) + "/stat";
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.isOpen())
        return {};
    std::array<char, 1024> text{};
    ssize_t size = 0;
    do {
        size = ::read(file.get(), text.data(), text.size());
    } while (size < 0 && errno == EINTR);
    return size > 0 ? parse({text.data(), static_cast<std::size_t>(size)}) : std::nullopt;
}

} // namespace Rekindle
