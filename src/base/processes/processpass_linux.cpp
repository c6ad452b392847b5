// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "processpass_p.h"

#include <cstdlib>

namespace Rekindle {

bool ProcessPass::begin()
{
    m_folder.reset(::opendir("/proc"));
    return isRunning();
}

std::optional<ProcessStat> ProcessPass::statOf(const char *name)
{
    if (name[0] < '1' || name[0] > '9')
        return {};
    std::optional<ProcessStat> stat = ProcessStat::of(std::atoi(name));
    if (stat && stat->hasExited())
        stat.reset();
    return stat;
}

} // namespace Rekindle
