// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "debounce_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

Debounce::Debounce(Scheduler &scheduler, Duration quiet, Duration longest,
                   std::function<void()> callback)
    : m_quiet(quiet)
    , m_longest(longest)
    , m_scheduler(scheduler)
    , m_deadline(scheduler, std::move(callback))
{
}

void Debounce::trigger()
{
    const Instant now = m_scheduler.now();
    if (!m_deadline.isArmed())
        m_latest = now + m_longest;
    m_deadline.arm(std::min(now + m_quiet, m_latest));
}

} // namespace Rekindle
