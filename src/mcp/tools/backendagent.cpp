// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "backendagent_p.h"

#include <utility>

namespace Rekindle {

BackendAgent::BackendAgent(AgentSupervisor &supervisor, QString name,
                           const ProcessDefinition &definition, const RestartPolicy &policy,
                           const McpClientOptions &options)
    : m_supervisor(&supervisor)
    , m_name(std::move(name))
    , m_makeAgent([definition, &scheduler = supervisor.scheduler(), options] {
        return std::make_unique<McpAgent>(definition, scheduler, options);
    })
{
    std::unique_ptr<McpAgent> owned = m_makeAgent();
    m_agent = owned.get();
    const AgentSupervisor::Added added = supervisor.add(m_name, std::move(owned), policy);
    m_id = added.id;
    m_faults = added.faults;
    if (!added)
        removed();
}

BackendAgent::~BackendAgent()
{
    // Cleared first, so that the signal of this removal is not processed.
    if (const QUuid id = std::exchange(m_id, {}); m_supervisor)
        m_supervisor->remove(id);
}

void BackendAgent::removed()
{
    m_id = QUuid();
    m_standIn = m_makeAgent();
    m_agent = m_standIn.get();
}

InstanceState BackendAgent::state() const
{
    const auto known = m_supervisor ? m_supervisor->evaluator().state(m_id) : std::nullopt;
    return known.value_or(InstanceState::Stopped);
}

bool BackendAgent::isAtRest(InstanceState state)
{
    return state == InstanceState::Stopped || state == InstanceState::Exhausted
        || state == InstanceState::Failed || state == InstanceState::Gated;
}

McpError BackendAgent::notManaged() const
{
    if (!hasErrors(m_faults))
        return unavailable(QStringLiteral("%1 was removed from its supervisor").arg(m_name));
    McpError error = unavailable(QStringLiteral("%1 was rejected: ").arg(m_name));
    error.message += m_faults.front().toString();
    return error;
}

McpError BackendAgent::unavailable(const QString &what) const
{
    McpError error{.kind = McpError::Kind::NotReady, .message = what};
    // A supervisor that is the parent of the caller is destroyed first.
    const auto snapshot = m_supervisor ? m_supervisor->snapshot(m_id) : std::nullopt;
    if (snapshot && snapshot->lastFailure) {
        error.process = snapshot->lastFailure->detail;
        if (!error.process.message.isEmpty())
            error.message += QLatin1String(": ") + error.process.message;
    }
    return error;
}

} // namespace Rekindle
