// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/process/processagent.h>

#include "process/internal/processpipes.h"

#include "base/signalname_p.h"

#include <utility>

namespace Rekindle {

namespace {

// Of ProcessAgent::lastExitStatus().
QString exitText(const std::optional<int> &status)
{
    constexpr int bySignal = 128;
    QString text = QStringLiteral("The server exited");
    if (status)
        text += QStringLiteral(": Process exited with exit code %1").arg(*status);
    if (status && *status > bySignal)
        text += QStringLiteral(" (128 + %1)").arg(signalName(*status - bySignal));
    return text;
}

} // namespace

ProcessPipes::ProcessPipes(ProcessAgent &agent, Scheduler &scheduler)
    : m_agent(agent)
    , m_input(agent, scheduler)
    , m_exitGrace(scheduler, [this] { end(m_closeReason, {}); })
{
    connect(&agent, &ProcessAgent::started, this, &ProcessPipes::begin);
    connect(&agent, &ProcessAgent::outputBytes, this, &ProcessPipes::receive);
    connect(&agent, &ProcessAgent::standardInputDrained, this, &ProcessPipes::flush);
    connect(&agent, &ProcessAgent::outputEnded, this,
            [this] { pipeClosed(QStringLiteral("The server has closed its stdout")); });
    connect(&agent, &ProcessAgent::failed, this,
            [this](FailureReason, const FailureDetail &detail) {
                end(QStringLiteral("The server exited: ") + detail.message, detail);
            });
    connect(&agent, &ProcessAgent::stopped, this, [this] {
        end(exitText(m_agent.lastExitStatus()), {.exitCode = m_agent.lastExitStatus()});
    });
    connect(&agent, &ProcessAgent::restartRequested, this, [this] {
        end(QStringLiteral("The server exited and requested a restart (exit code 42)"),
            {.exitCode = ExitCodeTable::restartRequested});
    });
}

void ProcessPipes::begin()
{
    m_input.clear();
    m_queued = 0;
    m_accepted = 0;
    m_isOpen = true;
    Q_EMIT opened();
}

qint64 ProcessPipes::send(const QByteArray &bytes, const QByteArray &more)
{
    const qsizetype size = bytes.size() + more.size();
    if (!m_isOpen || (m_input.size() > 0 && m_input.size() + size > m_maxQueued))
        return -1;
    const qint64 number = m_queued + 1;
    m_queued += size;
    m_input.add(bytes, more);
    flush();
    return number;
}

void ProcessPipes::flush()
{
    if (!m_input.flush())
        pipeClosed(QStringLiteral("The server has closed its stdin"));
    m_accepted = m_input.accepted();
}

void ProcessPipes::receive(const QByteArray &bytes)
{
    if (m_isOpen)
        Q_EMIT received(bytes);
}

void ProcessPipes::pipeClosed(const QString &reason)
{
    if (!m_isOpen || m_exitGrace.isArmed())
        return;
    m_closeReason = reason;
    m_exitGrace.armIn(exitGrace);
}

void ProcessPipes::end(const QString &message, FailureDetail detail)
{
    m_exitGrace.disarm();
    if (!std::exchange(m_isOpen, false))
        return;
    m_input.clear();
    if (detail.stderrTail.isEmpty())
        detail.stderrTail = m_agent.stderrTail();
    Q_EMIT closed(message, detail);
}

} // namespace Rekindle
