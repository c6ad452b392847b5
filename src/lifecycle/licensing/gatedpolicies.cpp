// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatedpolicies_p.h"

#include <QLoggingCategory>
#include <QPointer>

#include <optional>

namespace Rekindle {

namespace {

Q_LOGGING_CATEGORY(log, "rekindle.license")

// The evaluator checks only the effective policy. A requested policy with errors must be rejected
// in any tier.
QList<Fault> requestedFaults(const RestartPolicyEvaluator &evaluator, const GatedPolicy &gated,
                             const RestartPolicy &requested, bool readyAtOnce)
{
    return gated.downgraded ? evaluator.check(requested, readyAtOnce) : QList<Fault>();
}

} // namespace

GatedPolicies::GatedPolicies(FeatureGate &gate, RestartPolicyEvaluator &evaluator)
    : m_gate(gate)
    , m_evaluator(evaluator)
{
}

QList<Fault> GatedPolicies::add(const QUuid &id, const QString &name, const RestartPolicy &policy,
                                bool readyAtOnce)
{
    const GatedPolicy gated = m_gate.gate(policy);
    QList<Fault> faults = requestedFaults(m_evaluator, gated, policy, readyAtOnce);
    if (hasErrors(faults))
        return faults;
    QList<Fault> effectiveFaults = m_evaluator.add(id, name, gated.policy, readyAtOnce);
    if (hasErrors(effectiveFaults))
        return effectiveFaults;
    store(id, policy, gated);
    if (gated.gated)
        m_evaluator.setPolicy(id, gated.policy, readyAtOnce, {.gated = true});
    return gated.downgraded ? faults : effectiveFaults;
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
    PolicyDowngraded event;
    event.tier = toText(m_gate.tier());
    event.requestedType = requested.type;
    event.effectiveType = effective.type;
    return event;
}

QList<Fault> GatedPolicies::set(const QUuid &id, const RestartPolicy &policy, bool readyAtOnce)
{
    if (!m_evaluator.contains(id))
        return m_evaluator.check(policy, readyAtOnce);
    const GatedPolicy gated = m_gate.gate(policy);
    QList<Fault> faults = requestedFaults(m_evaluator, gated, policy, readyAtOnce);
    if (hasErrors(faults))
        return faults;
    QList<Fault> effectiveFaults = apply(id, policy, gated, readyAtOnce);
    return gated.downgraded && !hasErrors(effectiveFaults) ? faults : effectiveFaults;
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
        const QList<Fault> effectiveFaults = apply(id, policy, gated, false);
        if (alive.isNull())
            return;
        for (const Fault &fault : effectiveFaults) {
            if (fault.isError())
                qCWarning(log).noquote()
                    << "The policy of" << id.toString(QUuid::WithoutBraces)
                    << "cannot be used in tier" << toText(m_gate.tier()) << ":" << fault.toString();
        }
    }
}

QList<Fault> GatedPolicies::apply(const QUuid &id, const RestartPolicy &requested,
                                  const GatedPolicy &gated, bool readyAtOnce)
{
    const std::optional<RestartPolicy> before =
        m_requested.contains(id) ? std::optional(m_requested.value(id)) : std::nullopt;
    store(id, requested, gated);
    TierLimit limit{.gated = gated.gated};
    if (gated.downgraded)
        limit.downgraded = downgrade(requested, gated.policy);
    const QPointer<RestartPolicyEvaluator> alive(&m_evaluator);
    QList<Fault> effectiveFaults = m_evaluator.setPolicy(id, gated.policy, readyAtOnce, limit);
    if (alive && hasErrors(effectiveFaults)) {
        if (before)
            m_requested.insert(id, *before);
        else
            m_requested.remove(id);
    }
    return effectiveFaults;
}

void GatedPolicies::store(const QUuid &id, const RestartPolicy &requested, const GatedPolicy &gated)
{
    if (gated.downgraded)
        m_requested.insert(id, requested);
    else
        m_requested.remove(id);
}

} // namespace Rekindle
