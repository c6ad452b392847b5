// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <QHash>

namespace Rekindle {

/// Passes the policies of agents to the evaluator, limited by the license tier. A requested policy
/// is stored only if it differs from the effective one.
class GatedPolicies
{
public:
    GatedPolicies(FeatureGate &gate, RestartPolicyEvaluator &evaluator);

    /// As RestartPolicyEvaluator::add(). Call announce() after agentAdded(), to emit the downgrade.
    QList<Fault> add(const QUuid &id, const QString &name, const RestartPolicy &policy,
                     bool readyAtOnce);
    void announce(const QUuid &id);

    /// Replaces the policy. The downgrade is emitted before the effects of the policy.
    QList<Fault> set(const QUuid &id, const RestartPolicy &policy, bool readyAtOnce);
    void remove(const QUuid &id) { m_requested.remove(id); }

    /// Returns the policy without the limit of the tier.
    [[nodiscard]] RestartPolicy requested(const QUuid &id) const;

    /// The tier changed: limits the policies of these agents again. They keep running. Slots may
    /// add and remove agents, so `ids` must be a copy.
    void applyTier(const QList<QUuid> &ids);

private:
    [[nodiscard]] QList<Fault> check(const RestartPolicy &requested, const GatedPolicy &gated,
                                     bool readyAtOnce) const;
    /// Stores the requested policy before the effective one is set, so that slots can read it. Both
    /// are valid.
    void apply(const QUuid &id, const RestartPolicy &requested, const GatedPolicy &gated,
               bool readyAtOnce);
    [[nodiscard]] PolicyDowngraded downgrade(const RestartPolicy &requested,
                                             const RestartPolicy &effective) const;
    void store(const QUuid &id, const RestartPolicy &requested, const GatedPolicy &gated);

    FeatureGate &m_gate;
    RestartPolicyEvaluator &m_evaluator;
    QHash<QUuid, RestartPolicy> m_requested; ///< of agents with another effective policy
};

} // namespace Rekindle
