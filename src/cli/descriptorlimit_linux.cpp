// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "descriptorlimit_p.h"

namespace Rekindle {

DescriptorLimit::DescriptorLimit()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max)
        return;
    const rlimit raised{limit.rlim_max, limit.rlim_max};
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0)
        m_original = limit;
}

void DescriptorLimit::restoreFor(qint64 processId) const
{
    if (m_original && processId > 0)
        ::prlimit(static_cast<pid_t>(processId), RLIMIT_NOFILE, &*m_original, nullptr);
}

} // namespace Rekindle
