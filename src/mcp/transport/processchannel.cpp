// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "processchannel_p.h"

#include <QPointer>

#include <utility>
#include <vector>

namespace Rekindle {

ProcessChannel::ProcessChannel(ProcessAgent &agent, Scheduler &scheduler)
    : m_agent(agent)
    , m_patience(scheduler, [this] { end(m_suspicion, {}); })
{
    connect(&agent, &ProcessAgent::started, this, &ProcessChannel::begin);
    connect(&agent, &ProcessAgent::outputBytes, this, &ProcessChannel::take);
    connect(&agent, &ProcessAgent::standardInputDrained, this, &ProcessChannel::drained);
    connect(&agent, &ProcessAgent::outputEnded, this,
            [this] { silent(QStringLiteral("The server has closed its stdout")); });
    connect(&agent, &ProcessAgent::failed, this,
            [this](FailureReason, const FailureDetail &detail) {
                end(QStringLiteral("The server is gone: ") + detail.message, detail);
            });
    connect(&agent, &ProcessAgent::stopped, this, [this] {
        FailureDetail detail;
        detail.exitCode = m_agent.lastExitStatus();
        end(QStringLiteral("The server has ended"), detail);
    });
    connect(&agent, &ProcessAgent::restartRequested, this, [this] {
        FailureDetail detail;
        detail.exitCode = ExitCodeTable::restartRequested;
        end(QStringLiteral("The server has ended and asks to be restarted (exit code 42)"), detail);
    });
}

void ProcessChannel::begin()
{
    m_framer.emplace();
    m_queue.clear();
    m_queuedBytes = 0;
    m_mustWait = false;
    m_isOpen = true;
}

qint64 ProcessChannel::send(const QByteArray &line)
{
    if (!m_isOpen || (!m_queue.empty() && m_queuedBytes + line.size() > mostQueued))
        return -1;
    Message message{++m_lastNumber, line, 0};
    message.bytes.append('\n');
    m_queuedBytes += message.bytes.size();
    m_queue.push_back(std::move(message));
    flush();
    return m_lastNumber;
}

void ProcessChannel::flush()
{
    while (!m_mustWait && !m_queue.empty()) {
        Message &first = m_queue.front();
        const qint64 taken =
            m_agent.write(first.done == 0 ? first.bytes : first.bytes.sliced(first.done));
        if (taken < 0) {
            silent(QStringLiteral("The server has closed its stdin"));
            return;
        }
        first.done += taken;
        m_lastWritten = first.number;
        m_mustWait = m_agent.pendingInput() > 0;
        if (first.done == first.bytes.size()) {
            m_queuedBytes -= first.bytes.size();
            m_queue.pop_front();
        }
    }
}

void ProcessChannel::drained()
{
    m_mustWait = false;
    if (m_agent.write({}) < 0)
        silent(QStringLiteral("The server has closed its stdin"));
    else
        flush();
}

void ProcessChannel::take(const QByteArray &bytes)
{
    if (!m_isOpen)
        return;
    std::vector<FramedLine> lines;
    m_framer->add(bytes, lines);
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

void ProcessChannel::silent(const QString &what)
{
    if (!m_isOpen || m_patience.isArmed())
        return;
    m_suspicion = what;
    m_patience.armIn(patience);
}

void ProcessChannel::end(const QString &message, const FailureDetail &detail)
{
    m_patience.disarm();
    if (!std::exchange(m_isOpen, false))
        return;
    m_queue.clear();
    McpError error;
    error.kind = McpError::Kind::Lost;
    error.message = message;
    error.process = detail;
    if (error.process.stderrTail.isEmpty())
        error.process.stderrTail = m_agent.stderrTail();
    Q_EMIT lost(error);
}

} // namespace Rekindle
