// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "backendagent_p.h"

#include <utility>

namespace Rekindle {

BackendAgent::BackendAgent(AgentSupervisor &supervisor, QString name,
                           const ProcessDefinition &definition, const RestartPolicy &policy,
                           const McpClientOptions &options, const Callbacks &callbacks)
    : waiters(
        supervisor.scheduler(),
        [this](Duration within) {
            return unavailable(
                QStringLiteral("%1 was not ready within %2").arg(m_name, durationToString(within)));
        },
        callbacks.fewerWaiters)
    , m_supervisor(&supervisor)
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
        replaceAgent();

    const RestartPolicyEvaluator &evaluator = supervisor.evaluator();
    QObject::connect(&evaluator, &RestartPolicyEvaluator::agentReady, &m_receiver,
                     [this, ready = callbacks.ready](const AgentReady &event) {
                         if (event.instanceId != m_id)
                             return;
                         isStarting = false;
                         ready();
                     });
    QObject::connect(&evaluator, &RestartPolicyEvaluator::stateChanged, &m_receiver,
                     [this, changed = callbacks.stateChanged](const QUuid &id, InstanceState to) {
                         if (id == m_id)
                             changed(to);
                     });
    QObject::connect(&supervisor, &AgentSupervisor::agentRemoved, &m_receiver,
                     [this](const QUuid &id) {
                         if (!isManaged() || id != m_id)
                             return;
                         isStarting = false;
                         replaceAgent();
                         waiters.answerAll(notManaged());
                     });
}

BackendAgent::~BackendAgent()
{
    // Cleared first, so that the signal of this removal is not processed.
    if (const QUuid id = std::exchange(m_id, {}); m_supervisor)
        m_supervisor->remove(id);
}

// The supervisor deletes the removed agent soon. The replacement is never started.
void BackendAgent::replaceAgent()
{
    m_id = QUuid();
    m_standIn = m_makeAgent();
    m_agent = m_standIn.get();
}

bool BackendAgent::isReady() const
{
    return !isStarting && m_agent->client().isReady() && state() != InstanceState::Stopping;
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
