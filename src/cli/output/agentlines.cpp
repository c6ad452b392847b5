// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentlines_p.h"

#include "texthelpers_p.h"

#include <rekindle/mcp/mcpagent.h>
#include <rekindle/process/processagent.h>

#include <utility>

namespace Rekindle {

AgentLines::AgentLines(Show show, bool forTerminal)
    : m_show(std::move(show))
    , m_forTerminal(forTerminal)
{
}

void AgentLines::add(const QString &name, ProcessAgent &agent)
{
    const ProcessDefinition &definition = agent.definition();
    if (definition.standardOutput.kind != OutputTarget::Kind::Lines
        && definition.standardError.kind != OutputTarget::Kind::Lines)
        return;
    connect(&agent, &ProcessAgent::outputLine, this,
            [this, name](ProcessAgent::Stream, const QByteArray &line) { show(name, line); });
}

void AgentLines::add(const QString &name, McpAgent &agent)
{
    connect(&agent, &McpAgent::errorLine, this,
            [this, name](const QByteArray &line) { show(name, line); });
}

void AgentLines::show(const QString &name, const QByteArray &line)
{
    m_show(name.toLocal8Bit() + "| " + (m_forTerminal ? forTerminal(line) : line));
}

} // namespace Rekindle
