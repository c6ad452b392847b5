// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/internal/serverinput.h"

#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/process/processagent.h>

#include <algorithm>

namespace Rekindle {

namespace {
constexpr qsizetype bytesPerWrite = qsizetype{64} * 1024; // the agent copies what it buffers
} // namespace

ServerInput::ServerInput(ProcessAgent &agent, const Scheduler &scheduler)
    : m_agent(agent)
    , m_scheduler(scheduler)
{
}

void ServerInput::add(const QByteArray &bytes, const QByteArray &more)
{
    if (isDone())
        m_progressAt = m_scheduler.now();
    m_waiting.add(bytes);
    m_waiting.add(more);
}

// Writes until the agent buffers something, because the agent then reports when to continue. An
// empty write detects a closed pipe.
bool ServerInput::flush()
{
    qint64 accepted = 0;
    if (m_agent.pendingInput() == 0) {
        do {
            const QByteArrayView all = m_waiting.next();
            const QByteArrayView next = all.first(std::min(all.size(), bytesPerWrite));
            accepted = m_agent.write(QByteArray::fromRawData(next.data(), next.size()));
            if (accepted > 0) {
                m_waiting.drop(accepted);
                m_accepted += accepted;
            }
        } while (accepted > 0 && !m_waiting.isEmpty() && m_agent.pendingInput() == 0);
    }
    if (accepted < 0)
        m_waiting = {};
    updateProgress();
    return accepted >= 0 || !m_agent.isAlive();
}

void ServerInput::clear()
{
    m_waiting = {};
    m_accepted = 0;
    m_written = 0;
}

bool ServerInput::isDone() const { return m_waiting.isEmpty() && m_agent.pendingInput() == 0; }

Duration ServerInput::stalledFor()
{
    updateProgress();
    return m_scheduler.now() - m_progressAt;
}

void ServerInput::updateProgress()
{
    const qint64 written = m_accepted - m_agent.pendingInput();
    if (written > m_written || isDone())
        m_progressAt = m_scheduler.now();
    m_written = written;
}

} // namespace Rekindle
