// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "toolslookup_p.h"

#include "heldrequests_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

ToolsLookup::ToolsLookup(ProxyContext &context, ListWatch &lists)
    : m_context(context)
    , m_lists(lists)
{
}

void ToolsLookup::schedule(bool canList)
{
    const bool isNeeded = m_context.options.inject || m_context.options.retry == CallRetry::Safe;
    if (isNeeded && canList && !m_isRequested && !m_requestAt)
        m_requestAt = m_context.now + m_context.options.settleTime;
}

void ToolsLookup::request(bool canList)
{
    m_requestAt.reset();
    if (canList && !std::exchange(m_isRequested, true))
        m_lists.request(ListKind::Tools);
}

bool ToolsLookup::hold(const ClientRequest &call)
{
    if (heldCount() >= m_context.options.maximumHeld
        || m_heldBytes + call.line.size() > m_context.options.maximumHeldBytes)
        return false;
    m_heldBytes += call.line.size();
    m_held.push_back(call);
    const Instant until = m_context.now + m_context.options.holdTime;
    m_holdDeadline = earlier(m_holdDeadline, earlier(until, call.deadline));
    return true;
}

bool ToolsLookup::cancel(const MessageId &id)
{
    const auto held = std::find_if(m_held.begin(), m_held.end(),
                                   [&id](const ClientRequest &call) { return call.id == id; });
    if (held == m_held.end())
        return false;
    m_heldBytes -= held->line.size();
    m_held.erase(held);
    return true;
}

void ToolsLookup::serverStarted()
{
    m_isRequested = false;
    m_isSettled = false;
}

std::vector<ClientRequest> ToolsLookup::settle()
{
    m_isSettled = true;
    m_requestAt.reset();
    m_holdDeadline.reset();
    m_heldBytes = 0;
    return std::exchange(m_held, {});
}

std::optional<Instant> ToolsLookup::nextDeadline() const
{
    return earlier(m_requestAt, m_holdDeadline);
}

bool ToolsLookup::timePassed(bool canList)
{
    if (m_requestAt && *m_requestAt <= m_context.now)
        request(canList);
    return m_holdDeadline && *m_holdDeadline <= m_context.now;
}

} // namespace Rekindle
