// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/internal/agentlines.h"

#include "base/files/filetail_p.h"
#include "base/text/terminaltext_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>

namespace Rekindle {

AgentLines &AgentLines::of(AgentSupervisor &supervisor)
{
    auto *const found = supervisor.findChild<AgentLines *>(QString(), Qt::FindDirectChildrenOnly);
    return found != nullptr ? *found : *new AgentLines(supervisor);
}

AgentLines::AgentLines(AgentSupervisor &supervisor)
    : QObject(&supervisor)
    , m_supervisor(supervisor)
{
    for (const QUuid &id : supervisor.ids())
        watch(id);
    connect(&supervisor, &AgentSupervisor::agentAdded, this, &AgentLines::watch);
    connect(&supervisor, &AgentSupervisor::agentRemoved, this,
            [this](const QUuid &id) { m_rings.remove(id); });
    // This object is destroyed after the agents, which may write while they are destroyed.
    connect(&supervisor, &AgentSupervisor::aboutToBeDestroyed, this, [this] {
        for (const QUuid &id : m_supervisor.ids())
            m_supervisor.agent(id)->disconnect(this);
    });
}

void AgentLines::watch(const QUuid &id)
{
    const Agent *const agent = m_supervisor.agent(id);
    if (!agent)
        return;
    connect(agent, &Agent::output, this,
            [this, id](AgentOutput::Stream stream, const QByteArray &text) {
                const Agent *const writer = m_supervisor.agent(id);
                if (!writer)
                    return; // removed; it is deleted later
                const LogLine line{stream, text, m_supervisor.scheduler().clock().utcNow(),
                                   writer->processId()};
                ringOf(id)->add(line);
                ++m_count;
                Q_EMIT added(id, line);
            });
}

std::shared_ptr<LogRing> AgentLines::ringOf(const QUuid &id)
{
    std::shared_ptr<LogRing> &ring = m_rings[id];
    if (!ring)
        ring = std::make_shared<LogRing>();
    return ring;
}

AgentLines::Tail AgentLines::tailOf(const OutputFile &file)
{
    FileTail tail(file.path);
    QByteArrayList texts = tail.readLines();
    if (const QByteArray rest = tail.takeRest(); !rest.isEmpty())
        texts.append(rest);
    Tail read{.fault = tail.error()};
    for (const QByteArray &text : std::as_const(texts))
        read.lines.add({.stream = file.stream, .text = text});
    return read;
}

OutputLine AgentLines::shown(const LogLine &line)
{
    OutputLine output{.stream = nameOf(streamNames, line.stream),
                      .text = QString::fromUtf8(textOnTerminal(line.text, Colors::Kept)),
                      .time = line.time};
    if (line.processId > 0)
        output.processId = line.processId;
    return output;
}

} // namespace Rekindle
