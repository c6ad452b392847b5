// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "toolslookup_p.h"

#include <utility>

namespace Rekindle {

ToolsLookup::ToolsLookup(ProxyContext &context, ListWatch &lists)
    : m_context(context)
    , m_lists(lists)
    , m_held(context.options.maximumHeld, context.options.maximumHeldBytes)
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

bool ToolsLookup::hold(ClientRequest call)
{
    if (!m_held.hasRoomFor(call))
        return false;
    call.heldUntil = m_context.now + m_context.options.holdTime;
    m_held.add(std::move(call));
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
    std::vector<ClientRequest> calls = m_held.takeAll();
    for (ClientRequest &call : calls)
        call.heldUntil = {}; // it has not waited for a server
    return calls;
}

std::optional<Instant> ToolsLookup::nextDeadline() const
{
    return earlier(m_requestAt, m_held.nextDeadline());
}

bool ToolsLookup::timePassed(bool canList)
{
    if (m_requestAt && *m_requestAt <= m_context.now)
        request(canList);
    return m_held.nextDeadline().value_or(Instant::max()) <= m_context.now;
}

} // namespace Rekindle
