// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatedpolicies_p.h"

#include <QPointer>

namespace Rekindle {

GatedPolicies::GatedPolicies(FeatureGate &gate, RestartPolicyEvaluator &evaluator)
    : m_gate(gate)
    , m_evaluator(evaluator)
{
}

QList<Fault> GatedPolicies::add(const QUuid &id, const QString &name, const RestartPolicy &policy,
                                bool readyAtOnce)
{
    QList<Fault> faults = validate(policy, readyAtOnce);
    if (hasErrors(faults))
        return faults;
    const GatedPolicy gated = m_gate.gate(policy);
    QList<Fault> refused = m_evaluator.add(id, name, gated.policy, readyAtOnce);
    if (hasErrors(refused))
        return refused;
    keep(id, policy, gated);
    if (gated.gated)
        m_evaluator.setPolicy(id, gated.policy, true, readyAtOnce);
    return faults;
}

void GatedPolicies::tell(const QUuid &id)
{
    const auto asked = m_asked.constFind(id);
    if (asked == m_asked.cend())
        return;
    PolicyDowngraded event;
    event.tier = toText(m_gate.tier());
    event.requestedType = asked->type;
    event.effectiveType = m_evaluator.policy(id).type;
    m_evaluator.announce(id, event);
}

QList<Fault> GatedPolicies::set(const QUuid &id, const RestartPolicy &policy, bool readyAtOnce)
{
    QList<Fault> faults = validate(policy, readyAtOnce);
    if (hasErrors(faults) || !m_evaluator.contains(id))
        return faults;
    const GatedPolicy gated = m_gate.gate(policy);
    keep(id, policy, gated);
    const QPointer<RestartPolicyEvaluator> alive(&m_evaluator);
    m_evaluator.setPolicy(id, gated.policy, gated.gated, readyAtOnce);
    if (alive)
        tell(id);
    return faults;
}

RestartPolicy GatedPolicies::asked(const QUuid &id) const
{
    const auto asked = m_asked.constFind(id);
    return asked == m_asked.cend() ? m_evaluator.policy(id) : *asked;
}

void GatedPolicies::applyTier(const QList<QUuid> &ids)
{
    const QPointer<RestartPolicyEvaluator> alive(&m_evaluator);
    for (const QUuid &id : ids) {
        if (!m_evaluator.contains(id)) // removed in a slot
            continue;
        const RestartPolicy policy = asked(id);
        const GatedPolicy gated = m_gate.gate(policy);
        if (gated.policy == m_evaluator.policy(id))
            continue;
        keep(id, policy, gated);
        m_evaluator.setPolicy(id, gated.policy, gated.gated);
        if (alive)
            tell(id);
        if (alive.isNull())
            return;
    }
}

void GatedPolicies::keep(const QUuid &id, const RestartPolicy &asked, const GatedPolicy &gated)
{
    if (gated.downgraded)
        m_asked.insert(id, asked);
    else
        m_asked.remove(id);
}

} // namespace Rekindle
