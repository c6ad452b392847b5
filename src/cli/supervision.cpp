// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "supervision_p.h"

#include "messages_p.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/process/healthchecks.h>
#include <rekindle/process/processagent.h>

#include <utility>

namespace Rekindle {

Supervision::Supervision(Messages &messages)
    : m_messages(messages)
    , m_supervisor(m_scheduler)
{
}

Supervision::~Supervision() = default;

ProcessAgent *Supervision::add(const QString &name, const ProcessDefinition &definition,
                               const RestartPolicy &policy)
{
    auto agent = std::make_unique<ProcessAgent>(definition, m_scheduler);
    ProcessAgent *const added = agent.get();
    const bool readyAtOnce = definition.readiness.kind == Readiness::Kind::Now;
    AgentSupervisor::Added result = m_supervisor.add(name, std::move(agent), policy, readyAtOnce);
    if (result) {
        result.faults = m_supervisor.monitor().setHealth(
            result.id,
            makeHealthChecks(definition.health, *added, added->definition(), m_scheduler));
    }
    if (!result || hasErrors(result.faults)) {
        for (const Fault &fault : result.faults)
            m_messages.say(name + QLatin1String(": ") + fault.toString());
        return nullptr;
    }
    connect(added, &ProcessAgent::stuck, this, [this, name] {
        m_messages.say(
            QStringLiteral("%1 was killed and does not end; it is waited for").arg(name));
    });
    return added;
}

void Supervision::startAll()
{
    m_tally = std::make_unique<AgentTally>(m_supervisor);
    connect(m_tally.get(), &AgentTally::ended, this, &Supervision::ended);
    m_supervisor.startAll();
}

void Supervision::endAll()
{
    switch (m_endsAsked++) {
    case 0:
        m_supervisor.stopAll();
        break;
    case 1:
        m_supervisor.killAll();
        break;
    default:
        Q_EMIT ended();
        return;
    }
    if (m_tally->hasEnded())
        Q_EMIT ended();
}

} // namespace Rekindle
