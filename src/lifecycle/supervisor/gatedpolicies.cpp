// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatedpolicies_p.h"

#include <QLoggingCategory>
#include <QPointer>

namespace Rekindle {

namespace {
Q_LOGGING_CATEGORY(log, "rekindle.license")
} // namespace

GatedPolicies::GatedPolicies(FeatureGate &gate, RestartPolicyEvaluator &evaluator)
    : m_gate(gate)
    , m_evaluator(evaluator)
{
}

// A requested policy with errors must be rejected in any tier.
QList<Fault> GatedPolicies::check(const RestartPolicy &requested, const GatedPolicy &gated,
                                  bool readyAtOnce) const
{
    QList<Fault> faults = m_evaluator.check(requested, readyAtOnce);
    if (!gated.downgraded || hasErrors(faults))
        return faults;
    const QList<Fault> effectiveFaults = m_evaluator.check(gated.policy, readyAtOnce);
    return hasErrors(effectiveFaults) ? effectiveFaults : faults;
}

QList<Fault> GatedPolicies::add(const QUuid &id, const QString &name, const RestartPolicy &policy,
                                bool readyAtOnce)
{
    const GatedPolicy gated = m_gate.gate(policy);
    QList<Fault> faults = check(policy, gated, readyAtOnce);
    if (hasErrors(faults))
        return faults;
    m_evaluator.add(id, name, gated.policy, readyAtOnce);
    store(id, policy, gated);
    if (gated.gated)
        m_evaluator.setPolicy(id, gated.policy, readyAtOnce, {.gated = true});
    return faults;
}

void GatedPolicies::announce(const QUuid &id)
{
    const auto requested = m_requested.constFind(id);
    if (requested != m_requested.cend())
        m_evaluator.announce(id, downgrade(*requested, m_evaluator.policy(id)));
}

PolicyDowngraded GatedPolicies::downgrade(const RestartPolicy &requested,
                                          const RestartPolicy &effective) const
{
    return {{}, toText(m_gate.tier()), requested.type, effective.type};
}

QList<Fault> GatedPolicies::set(const QUuid &id, const RestartPolicy &policy, bool readyAtOnce)
{
    const GatedPolicy gated = m_gate.gate(policy);
    QList<Fault> faults = check(policy, gated, readyAtOnce);
    if (m_evaluator.contains(id) && !hasErrors(faults))
        apply(id, policy, gated, readyAtOnce);
    return faults;
}

RestartPolicy GatedPolicies::requested(const QUuid &id) const
{
    const auto requested = m_requested.constFind(id);
    return requested == m_requested.cend() ? m_evaluator.policy(id) : *requested;
}

void GatedPolicies::applyTier(const QList<QUuid> &ids)
{
    const QPointer<RestartPolicyEvaluator> alive(&m_evaluator);
    for (const QUuid &id : ids) {
        if (!m_evaluator.contains(id))
            continue;
        const RestartPolicy policy = requested(id);
        const GatedPolicy gated = m_gate.gate(policy);
        if (gated.policy == m_evaluator.policy(id))
            continue;
        const QList<Fault> faults = m_evaluator.check(gated.policy);
        for (const Fault &fault : faults) {
            if (fault.isError())
                qCWarning(log).noquote()
                    << "The policy of" << id.toString(QUuid::WithoutBraces)
                    << "cannot be used in tier" << toText(m_gate.tier()) << ":" << fault.toString();
        }
        if (!hasErrors(faults))
            apply(id, policy, gated, false);
        if (alive.isNull())
            return;
    }
}

void GatedPolicies::apply(const QUuid &id, const RestartPolicy &requested, const GatedPolicy &gated,
                          bool readyAtOnce)
{
    store(id, requested, gated);
    TierLimit limit{.gated = gated.gated};
    if (gated.downgraded)
        limit.downgraded = downgrade(requested, gated.policy);
    m_evaluator.setPolicy(id, gated.policy, readyAtOnce, limit);
}

void GatedPolicies::store(const QUuid &id, const RestartPolicy &requested, const GatedPolicy &gated)
{
    if (gated.downgraded)
        m_requested.insert(id, requested);
    else
        m_requested.remove(id);
}

} // namespace Rekindle
