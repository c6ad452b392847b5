// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gatedpolicies_p.h"

#include <QLoggingCategory>
#include <QPointer>

#include <optional>

namespace Rekindle {

namespace {

Q_LOGGING_CATEGORY(log, "rekindle.license")

// The evaluator looks at what it is given. Where that is not what was asked for, this is looked at
// here: a policy with a fault, or with an evaluator that nobody knows, is refused in any tier.
QList<Fault> faultsBeside(const RestartPolicyEvaluator &evaluator, const GatedPolicy &gated,
                          const RestartPolicy &askedFor, bool readyAtOnce)
{
    return gated.downgraded ? evaluator.check(askedFor, readyAtOnce) : QList<Fault>();
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
    QList<Fault> askedFor = faultsBeside(m_evaluator, gated, policy, readyAtOnce);
    if (hasErrors(askedFor))
        return askedFor;
    QList<Fault> given = m_evaluator.add(id, name, gated.policy, readyAtOnce);
    if (hasErrors(given))
        return given;
    keep(id, policy, gated);
    if (gated.gated)
        m_evaluator.setPolicy(id, gated.policy, readyAtOnce, {.gated = true});
    return gated.downgraded ? askedFor : given;
}

void GatedPolicies::tell(const QUuid &id)
{
    const auto asked = m_asked.constFind(id);
    if (asked != m_asked.cend())
        m_evaluator.announce(id, downgrade(*asked, m_evaluator.policy(id)));
}

PolicyDowngraded GatedPolicies::downgrade(const RestartPolicy &asked,
                                          const RestartPolicy &given) const
{
    PolicyDowngraded event;
    event.tier = toText(m_gate.tier());
    event.requestedType = asked.type;
    event.effectiveType = given.type;
    return event;
}

QList<Fault> GatedPolicies::set(const QUuid &id, const RestartPolicy &policy, bool readyAtOnce)
{
    if (!m_evaluator.contains(id))
        return m_evaluator.check(policy, readyAtOnce);
    const GatedPolicy gated = m_gate.gate(policy);
    QList<Fault> askedFor = faultsBeside(m_evaluator, gated, policy, readyAtOnce);
    if (hasErrors(askedFor))
        return askedFor;
    QList<Fault> given = give(id, policy, gated, readyAtOnce);
    return gated.downgraded && !hasErrors(given) ? askedFor : given;
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
        if (!m_evaluator.contains(id))
            continue;
        const RestartPolicy policy = asked(id);
        const GatedPolicy gated = m_gate.gate(policy);
        if (gated.policy == m_evaluator.policy(id))
            continue;
        const QList<Fault> given = give(id, policy, gated, false);
        if (alive.isNull())
            return;
        for (const Fault &fault : given) {
            if (fault.isError())
                qCWarning(log).noquote() << "tier" << toText(m_gate.tier()) << "has the policy of"
                                         << id.toString(QUuid::WithoutBraces)
                                         << "and it cannot be used:" << fault.toString();
        }
    }
}

QList<Fault> GatedPolicies::give(const QUuid &id, const RestartPolicy &asked,
                                 const GatedPolicy &gated, bool readyAtOnce)
{
    const std::optional<RestartPolicy> before =
        m_asked.contains(id) ? std::optional(m_asked.value(id)) : std::nullopt;
    keep(id, asked, gated);
    TierLimit limit{.gated = gated.gated};
    if (gated.downgraded)
        limit.downgraded = downgrade(asked, gated.policy);
    const QPointer<RestartPolicyEvaluator> alive(&m_evaluator);
    QList<Fault> given = m_evaluator.setPolicy(id, gated.policy, readyAtOnce, limit);
    if (alive && hasErrors(given)) {
        if (before)
            m_asked.insert(id, *before);
        else
            m_asked.remove(id);
    }
    return given;
}

void GatedPolicies::keep(const QUuid &id, const RestartPolicy &asked, const GatedPolicy &gated)
{
    if (gated.downgraded)
        m_asked.insert(id, asked);
    else
        m_asked.remove(id);
}

} // namespace Rekindle
