// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "processelement_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/policy/policyjson.h>
#include <rekindle/process/processagent.h>

#include <QJsonDocument>
#include <QQmlInfo>

#include <utility>

namespace Rekindle {

ProcessElement::ProcessElement()
{
    connect(this, &ProcessElement::changed, this, &ProcessElement::apply);
    connect(this, &ProcessElement::agentChanged, this, [this] {
        retire(QStringLiteral("its QML object has another name or host"));
        apply();
    });
}

ProcessElement::~ProcessElement() { retire(QStringLiteral("its QML object was destroyed")); }

void ProcessElement::componentComplete()
{
    m_isComplete = true;
    apply();
}

void ProcessElement::apply()
{
    if (!m_isComplete || !m_host)
        return;
    Parsed<RestartPolicy> policy = restartPolicyFromJson(QJsonDocument(m_policy).toJson());
    for (Fault &fault : policy.faults)
        fault.line = 0; // the text is not that of the file
    for (auto each = m_environment.cbegin(); each != m_environment.cend(); ++each) {
        if (!each->isNull() && !each->canConvert<QString>())
            policy.faults.append({QLatin1String("/environment/") + each.key(),
                                  QStringLiteral("expected a text, a number or null")});
    }
    report(policy.faults);
    if (!policy.faults.isEmpty())
        return;
    if (m_id.isNull()) {
        add(*policy.value);
    } else if (auto *const agent = m_supervisor
                   ? qobject_cast<ProcessAgent *>(m_supervisor->agent(m_id))
                   : nullptr) {
        report(m_supervisor->setPolicy(m_id, *policy.value));
        m_supervisor->setManualStart(m_id, !m_autoStart);
        agent->setDefinition(definition());
        report(agent->faults());
    }
}

void ProcessElement::add(const RestartPolicy &policy)
{
    m_supervisor = m_host->supervisor();
    if (m_supervisor->isRetired(m_supervisor->idOf(m_name))) {
        // The process of the last object with this name has not exited yet.
        connect(m_supervisor, &AgentSupervisor::agentRemoved, this, &ProcessElement::apply,
                static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
        return;
    }
    const AgentSupervisor::Added added = m_supervisor->add(
        m_name, std::make_unique<ProcessAgent>(definition(), m_supervisor->scheduler()), policy);
    m_id = added.id;
    report(added.faults);
    if (!added)
        return;
    m_supervisor->setManualStart(m_id, !m_autoStart);
    if (m_autoStart)
        m_supervisor->start(m_id, true);
}

void ProcessElement::retire(const QString &reason)
{
    const QUuid id = std::exchange(m_id, QUuid());
    if (m_supervisor && !id.isNull())
        m_supervisor->retire(id, reason);
}

void ProcessElement::report(const QList<Fault> &faults) const
{
    for (const Fault &fault : faults)
        qmlWarning(this) << qUtf8Printable(fault.toString());
}

ProcessDefinition ProcessElement::definition() const
{
    ProcessDefinition process;
    process.program = m_program;
    process.arguments = m_arguments;
    process.workingDirectory = m_workingDirectory;
    for (auto each = m_environment.cbegin(); each != m_environment.cend(); ++each)
        process.environment.insert(each.key(),
                                   each->isNull() ? std::nullopt : std::optional(each->toString()));
    return process;
}

} // namespace Rekindle
