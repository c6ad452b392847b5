// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "serverrecycling_p.h"

namespace Rekindle {

namespace {

// A request may be refused, because there were too many.
constexpr Duration betweenRequests = std::chrono::minutes(1);

} // namespace

void ServerRecycling::serverStarted()
{
    m_calls = 0;
    m_deadline.reset();
    m_nextRequest = Instant::min();
}

void ServerRecycling::callAnswered(Instant now)
{
    if (m_maximumCalls == 0 || ++m_calls < m_maximumCalls || now < m_nextRequest)
        return;
    m_nextRequest = now + betweenRequests;
    request(QStringLiteral("recycling: it has answered %1 calls").arg(m_calls), now);
}

void ServerRecycling::request(const QString &reason, Instant now)
{
    if (m_deadline)
        return;
    m_reason = reason;
    m_deadline = now + longestWait;
}

std::optional<QString> ServerRecycling::take(bool isIdle, Instant now)
{
    if (!m_deadline || (!isIdle && now < *m_deadline))
        return std::nullopt;
    m_deadline.reset();
    return m_reason;
}

} // namespace Rekindle
