// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "supervision_p.h"

#include "evaluatoroptions_p.h"
#include "fortext_p.h"
#include "messages_p.h"

#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/plugin/evaluatorhost.h>
#include <rekindle/process/processagent.h>

#include <utility>

namespace Rekindle {

Supervision::Supervision(Messages &messages)
    : m_messages(messages)
    , m_supervisor(m_scheduler)
{
}

Supervision::~Supervision() = default;

void Supervision::setLicense(std::unique_ptr<LicenseProvider> license)
{
    m_supervisor.featureGate().setProvider(license.get());
    m_license = std::move(license);
}

ProcessAgent *Supervision::add(const QString &name, const ProcessDefinition &definition,
                               const RestartPolicy &policy)
{
    if (policy.type == RestartPolicyType::Custom)
        needEvaluators();
    auto agent = std::make_unique<ProcessAgent>(definition, m_scheduler);
    ProcessAgent *const added = agent.get();
    const bool readyAtOnce = definition.readiness.kind == Readiness::Kind::Now;
    const AgentSupervisor::Added result =
        m_supervisor.add(name, std::move(agent), policy, readyAtOnce);
    if (!result) {
        for (const Fault &fault : result.faults)
            m_messages.say(name + QLatin1String(": ") + fault.toString());
        return nullptr;
    }
    if (const auto inForce = evaluator().policy(result.id).type; inForce != policy.type) {
        const QString tier = toText(m_supervisor.featureGate().tier());
        m_messages.say(forPeople(PolicyDowngraded{{{}, name}, tier, policy.type, inForce}));
    }
    connect(added, &ProcessAgent::stuck, this, [this, name] {
        m_messages.say(
            QStringLiteral("%1 was killed and does not end; it is waited for").arg(name));
    });
    return added;
}

void Supervision::needEvaluators()
{
    if (m_evaluators)
        return;
    m_evaluators = makeEvaluatorHost(m_evaluatorFolders);
    connect(m_evaluators.get(), &CustomEvaluators::faulted, this,
            [this](const EvaluatorFault &fault) { m_messages.say(evaluatorFaultText(fault)); });
    evaluator().setCustomEvaluators(m_evaluators.get());
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
