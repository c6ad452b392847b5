// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "serverinput_p.h"

#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/process/processagent.h>

#include <algorithm>

namespace Rekindle {

namespace {
constexpr qsizetype mostAtOnce = qsizetype{64} * 1024;
} // namespace

ServerInput::ServerInput(ProcessAgent &agent, const Scheduler &scheduler)
    : m_agent(agent)
    , m_scheduler(scheduler)
{
}

void ServerInput::add(const QByteArray &line)
{
    if (isDone())
        m_progressAt = m_scheduler.now();
    m_waiting.addLine(line);
}

bool ServerInput::flush()
{
    // Until the agent keeps something: only then does a drained input tell when to go on. It is
    // given little at a time, for what it keeps is a copy. Even nothing is written, as that tells
    // whether there is an open pipe.
    qint64 taken = 0;
    do {
        const QByteArrayView all = m_waiting.next();
        const QByteArrayView next = all.first(std::min(all.size(), mostAtOnce));
        taken = m_agent.write(QByteArray::fromRawData(next.data(), next.size()));
        if (taken > 0) {
            m_waiting.drop(taken);
            m_given += taken;
        }
    } while (taken > 0 && !m_waiting.isEmpty() && m_agent.pendingInput() == 0);
    if (taken < 0)
        m_waiting = {};
    lookForProgress();
    return taken >= 0 || !m_agent.isAlive();
}

void ServerInput::clear()
{
    m_waiting = {};
    m_given = 0;
    m_inPipe = 0;
}

bool ServerInput::isDone() const { return m_waiting.isEmpty() && m_agent.pendingInput() == 0; }

Duration ServerInput::stalledFor()
{
    lookForProgress();
    return m_scheduler.now() - m_progressAt;
}

void ServerInput::lookForProgress()
{
    const qint64 inPipe = m_given - m_agent.pendingInput();
    if (inPipe > m_inPipe || isDone())
        m_progressAt = m_scheduler.now();
    m_inPipe = inPipe;
}

} // namespace Rekindle
