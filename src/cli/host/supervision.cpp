// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "supervision_p.h"

#include "cli/options/evaluatoroptions_p.h"
#include "cli/output/messages_p.h"

#include <rekindle/config/configuredagents.h>
#include <rekindle/lifecycle/agent.h>
#include <rekindle/plugin/evaluatorhost.h>
#include <rekindle/process/processagent.h>

#include <utility>

namespace Rekindle {

Supervision::Supervision(Messages &messages)
    : m_messages(messages)
{
    connect(&m_host, &AgentHost::noted, this,
            [this](const QString &text) { m_messages.say(text); });
    connect(&supervisor(), &AgentSupervisor::agentStuck, this, [this](const QUuid &id) {
        const auto snapshot = supervisor().snapshot(id);
        m_messages.say(
            QStringLiteral("%1: still running after SIGKILL; not started again until it exits")
                .arg(snapshot ? snapshot->name : QString()));
    });
}

Supervision::~Supervision() = default;

Agent *Supervision::add(const AgentDefinition &definition)
{
    const QString &name = definition.name;
    const RestartPolicy &policy = definition.policy;
    needEvaluators(policy);
    const AgentSupervisor::Added added = m_host.agents().add(definition);
    if (!added) {
        for (const Fault &fault : added.faults)
            m_messages.say(name + QLatin1String(": ") + fault.toString());
        return nullptr;
    }
    if (const QString warning = m_host.tierWarning(added.id); !warning.isEmpty())
        m_messages.say(name + QLatin1String(": ") + warning);
    // Other warnings are reported when the policy is read.
    for (const Fault &fault :
         isCustom(policy) ? m_host.evaluators()->check(*policy.evaluator) : QList<Fault>()) {
        if (!fault.isError())
            m_messages.say(name + QLatin1String(": ") + fault.message);
    }
    return supervisor().agent(added.id);
}

void Supervision::prepareFor(const Configuration &configuration)
{
    for (const AgentDefinition &each : configuration.agents)
        needEvaluators(each.policy);
}

ProcessAgent *Supervision::add(const QString &name, const ProcessDefinition &definition,
                               const RestartPolicy &policy)
{
    AgentDefinition agent;
    agent.name = name;
    agent.process = definition;
    agent.policy = policy;
    return qobject_cast<ProcessAgent *>(add(agent));
}

void Supervision::needEvaluators(const RestartPolicy &policy)
{
    if (!isCustom(policy) || m_host.evaluators())
        return;
    auto evaluators = makeEvaluatorHost(m_evaluatorFolders, supervisor().featureGate());
    connect(evaluators.get(), &CustomEvaluators::faulted, this,
            [this](const EvaluatorFault &fault) {
                const auto snapshot = supervisor().snapshot(fault.instanceId);
                m_messages.say(evaluatorFaultText(fault, snapshot ? snapshot->name : QString()));
            });
    m_host.setEvaluators(std::move(evaluators));
}

void Supervision::startAll()
{
    m_host.startAll();
    // Connected after the start: until then, agents that stay given up would look like all agents.
    connect(&policyEvaluator(), &RestartPolicyEvaluator::becameIdle, this, &Supervision::ended);
    connect(&supervisor(), &AgentSupervisor::agentRemoved, this, [this] {
        if (supervisor().isIdle())
            Q_EMIT ended();
    });
    if (m_tally.givenUp() > 0 && supervisor().isIdle())
        QMetaObject::invokeMethod(this, &Supervision::ended, Qt::QueuedConnection);
}

void Supervision::endAll()
{
    switch (m_endsAsked++) {
    case 0:
        m_host.stopAll();
        break;
    case 1:
        supervisor().killAll();
        break;
    default:
        Q_EMIT ended();
        return;
    }
    if (supervisor().isIdle())
        Q_EMIT ended();
}

} // namespace Rekindle
