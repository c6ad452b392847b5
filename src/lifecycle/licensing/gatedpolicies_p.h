// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <QHash>

namespace Rekindle {

/// Stands between what an agent's policy asks for and what the evaluator is given: the licence tier
/// may have less (spec 7). What was asked for is kept only where it differs.
class GatedPolicies
{
public:
    GatedPolicies(FeatureGate &gate, RestartPolicyEvaluator &evaluator);

    /// As RestartPolicyEvaluator::add(); tell() follows once everybody knows the agent. With set()
    /// and applyTier() it is told before what the policy leads to.
    QList<Fault> add(const QUuid &id, const QString &name, const RestartPolicy &policy,
                     bool readyAtOnce);
    void tell(const QUuid &id);

    QList<Fault> set(const QUuid &id, const RestartPolicy &policy, bool readyAtOnce);
    void remove(const QUuid &id) { m_asked.remove(id); }

    /// What was asked for, whatever the tier has.
    [[nodiscard]] RestartPolicy asked(const QUuid &id) const;

    /// The tier has changed: gives every agent the best that it has now. What runs goes on.
    /// `ids` stays as it is while slots add and remove agents.
    void applyTier(const QList<QUuid> &ids);

private:
    /// Slots that hear of the change see what was asked for; where it is refused, nobody has heard.
    QList<Fault> give(const QUuid &id, const RestartPolicy &asked, const GatedPolicy &gated,
                      bool readyAtOnce);
    [[nodiscard]] PolicyDowngraded downgrade(const RestartPolicy &asked,
                                             const RestartPolicy &given) const;
    void keep(const QUuid &id, const RestartPolicy &asked, const GatedPolicy &gated);

    FeatureGate &m_gate;
    RestartPolicyEvaluator &m_evaluator;
    QHash<QUuid, RestartPolicy> m_asked; ///< of those that have another one
};

} // namespace Rekindle
