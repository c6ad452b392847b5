// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluatorticket_p.h"

namespace Rekindle {

void EvaluatorTicket::withdraw()
{
    QFuture<EvaluatorAnswer> future;
    {
        const std::lock_guard lock(m_mutex);
        m_withdrawn = true;
        if (m_progress != Progress::Pending)
            return;
        future = m_future;
    }
    future.cancel();
}

EvaluatorTicket::Progress EvaluatorTicket::progress() const
{
    const std::lock_guard lock(m_mutex);
    return m_progress;
}

bool EvaluatorTicket::begin()
{
    const std::lock_guard lock(m_mutex);
    if (!m_withdrawn)
        m_progress = Progress::Running;
    return !m_withdrawn;
}

void EvaluatorTicket::setFuture(const QFuture<EvaluatorAnswer> &future)
{
    {
        const std::lock_guard lock(m_mutex);
        m_future = future;
        m_progress = Progress::Pending;
        if (!m_withdrawn)
            return;
    }
    QFuture<EvaluatorAnswer>(future).cancel();
}

void EvaluatorTicket::setReported()
{
    const std::lock_guard lock(m_mutex);
    m_progress = Progress::Reported;
}

} // namespace Rekindle
