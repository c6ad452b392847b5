// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "supervision_p.h"

#include "cli/options/evaluatoroptions_p.h"
#include "cli/output/messages_p.h"
#include "cli/output/texthelpers_p.h"

#include <rekindle/lifecycle/agentmonitor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/mcp/mcpagent.h>
#include <rekindle/plugin/evaluatorhost.h>
#include <rekindle/process/processagent.h>
#include <rekindle/state/statefile.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

Supervision::Supervision(Messages &messages)
    : m_messages(messages)
    , m_supervisor(m_scheduler)
{
}

Supervision::~Supervision() = default;

bool Supervision::setLicense(std::unique_ptr<LicenseProvider> license)
{
    m_supervisor.featureGate().setProvider(license.get());
    m_license = std::move(license);
    return m_license != nullptr;
}

template<typename Added>
Added *Supervision::admit(const QString &name, std::unique_ptr<Added> agent,
                          const RestartPolicy &policy, bool readyAtOnce)
{
    Added *const added = agent.get();
    const bool custom = policy.type == RestartPolicyType::Custom && policy.evaluator;
    if (custom)
        needEvaluators();
    const AgentSupervisor::Added result =
        m_supervisor.add(name, std::move(agent), policy, readyAtOnce);
    if (!result) {
        for (const Fault &fault : result.faults)
            m_messages.say(name + QLatin1String(": ") + fault.toString());
        return nullptr;
    }
    if (const auto inForce = evaluator().policy(result.id).type; inForce != policy.type) {
        const QString tier = toText(m_supervisor.featureGate().tier());
        m_messages.say(name + QLatin1String(": ") + downgradeText(tier, policy.type, inForce));
    }
    // Other warnings are reported when the policy is read.
    for (const Fault &fault : custom ? m_evaluators->check(*policy.evaluator) : QList<Fault>()) {
        if (!fault.isError())
            m_messages.say(name + QLatin1String(": ") + fault.message);
    }
    connect(added, &Added::stuck, this, [this, name] {
        m_messages.say(QStringLiteral("%1: killed, but still running; waiting").arg(name));
    });
    return added;
}

ProcessAgent *Supervision::add(const QString &name, const ProcessDefinition &definition,
                               const RestartPolicy &policy)
{
    return admit(name, std::make_unique<ProcessAgent>(definition, m_scheduler), policy,
                 definition.readiness.kind == Readiness::Kind::Now);
}

McpAgent *Supervision::addServer(const QString &name, const ProcessDefinition &definition,
                                 const RestartPolicy &policy)
{
    // Only the policy's startTimeout applies, because it does not count the time in which this host
    // did not run.
    McpClientOptions options;
    options.handshakeTimeout = std::chrono::hours(24);
    return admit(name, std::make_unique<McpAgent>(definition, m_scheduler, options), policy, false);
}

void Supervision::needEvaluators()
{
    if (m_evaluators)
        return;
    m_evaluators = makeEvaluatorHost(m_evaluatorFolders, m_supervisor.featureGate());
    connect(m_evaluators.get(), &CustomEvaluators::faulted, this,
            [this](const EvaluatorFault &fault) {
                const auto snapshot = m_supervisor.snapshot(fault.instanceId);
                m_messages.say(evaluatorFaultText(fault, snapshot ? snapshot->name : QString()));
            });
    evaluator().setCustomEvaluators(m_evaluators.get());
}

CustomEvaluators *Supervision::customEvaluators() const { return m_evaluators.get(); }

void Supervision::startAll(StateFile *state)
{
    m_tally = std::make_unique<AgentTally>(m_supervisor);
    if (state)
        state->startAll();
    else
        m_supervisor.startAll();
    // Connected after the start: until then, agents that stay given up would look like all agents.
    connect(m_tally.get(), &AgentTally::ended, this, &Supervision::ended);
    if (m_tally->givenUp() > 0 && m_tally->hasEnded())
        QMetaObject::invokeMethod(this, &Supervision::ended, Qt::QueuedConnection);
}

int Supervision::activeCount()
{
    const QList<QUuid> ids = m_supervisor.ids();
    return static_cast<int>(std::count_if(
        ids.begin(), ids.end(), [this](const QUuid &id) { return evaluator().isActive(id); }));
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
