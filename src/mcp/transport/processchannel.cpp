// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "processchannel_p.h"

#include <QPointer>

#include <utility>
#include <vector>

namespace Rekindle {

ProcessChannel::ProcessChannel(ProcessAgent &agent, Scheduler &scheduler)
    : m_agent(agent)
    , m_input(agent, scheduler)
    , m_exitGrace(scheduler, [this] { end(m_closeReason, {}); })
{
    connect(&agent, &ProcessAgent::started, this, &ProcessChannel::begin);
    connect(&agent, &ProcessAgent::outputBytes, this, &ProcessChannel::receive);
    connect(&agent, &ProcessAgent::standardInputDrained, this, &ProcessChannel::flush);
    connect(&agent, &ProcessAgent::outputEnded, this,
            [this] { pipeClosed(QStringLiteral("The server has closed its stdout")); });
    connect(&agent, &ProcessAgent::failed, this,
            [this](FailureReason, const FailureDetail &detail) {
                end(QStringLiteral("The server exited: ") + detail.message, detail);
            });
    connect(&agent, &ProcessAgent::stopped, this, [this] {
        end(QStringLiteral("The server exited"), {.exitCode = m_agent.lastExitStatus()});
    });
    connect(&agent, &ProcessAgent::restartRequested, this, [this] {
        end(QStringLiteral("The server exited and requested a restart (exit code 42)"),
            {.exitCode = ExitCodeTable::restartRequested});
    });
}

void ProcessChannel::begin()
{
    m_framer = LineFramer();
    m_input.clear();
    m_queued = 0;
    m_accepted = 0;
    m_isOpen = true;
}

qint64 ProcessChannel::send(const QByteArray &line)
{
    if (!m_isOpen || (m_input.size() > 0 && m_input.size() + line.size() > maxQueued))
        return -1;
    const qint64 number = m_queued + 1;
    m_queued += line.size() + 1;
    m_input.add(line);
    flush();
    return number;
}

void ProcessChannel::flush()
{
    if (!m_input.flush())
        pipeClosed(QStringLiteral("The server has closed its stdin"));
    m_accepted = m_input.accepted();
}

void ProcessChannel::receive(const QByteArray &bytes)
{
    if (!m_isOpen)
        return;
    std::vector<FramedLine> lines;
    m_framer.add(bytes, lines);
    const QPointer<ProcessChannel> alive(this);
    for (const FramedLine &line : lines) {
        if (line.isTooLong)
            Q_EMIT receivedTooLong(line.bytes, line.lastBytes, line.size);
        else
            Q_EMIT received(line.bytes);
        if (!alive || !m_isOpen)
            return;
    }
}

void ProcessChannel::pipeClosed(const QString &reason)
{
    if (!m_isOpen || m_exitGrace.isArmed())
        return;
    m_closeReason = reason;
    m_exitGrace.armIn(exitGrace);
}

void ProcessChannel::end(const QString &message, const FailureDetail &detail)
{
    m_exitGrace.disarm();
    if (!std::exchange(m_isOpen, false))
        return;
    m_input.clear();
    McpError error{.kind = McpError::Kind::Lost, .message = message, .process = detail};
    if (error.process.stderrTail.isEmpty())
        error.process.stderrTail = m_agent.stderrTail();
    Q_EMIT lost(error);
}

} // namespace Rekindle
