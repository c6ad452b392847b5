// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "instanceengine_p.h"

#include <rekindle/lifecycle/commandresult.h>
#include <rekindle/lifecycle/featuregate.h>

#include <QFuture>
#include <QHash>
#include <QPointer>
#include <QPromise>

#include <functional>
#include <memory>

namespace Rekindle {

/// The units of RestartPolicyEvaluator::evaluate(), which the caller starts itself. A unit exists
/// from its first failure until remove(); unknown ids are ignored. Its failures pass through the
/// state table like the failures of an instance. Only the time at which its breaker becomes
/// half-open is scheduled.
class StandaloneUnits
{
public:
    explicit StandaloneUnits(InstanceEngine &engine);
    ~StandaloneUnits();
    Q_DISABLE_COPY_MOVE(StandaloneUnits)

    /// Null if no policy is limited.
    void setFeatureGate(const FeatureGate *gate) { m_gate = gate; }

    /// Decides about a failure of the unit. For an instance of the engine, only returns what would
    /// be decided.
    QFuture<RestartDecision> evaluate(const RestartContext &context);

    CommandResult reset(const QUuid &id);
    void recordSuccess(const QUuid &id);
    void remove(const QUuid &id);
    [[nodiscard]] CircuitBreakerInfo info(const QUuid &id) const;

private:
    struct Unit
    {
        explicit Unit(std::shared_ptr<const RestartPolicy> policy)
            : instance(std::move(policy))
        {
        }

        Instance instance;
        std::unique_ptr<Deadline> halfOpen{}; ///< while the breaker is open
        /// Of the evaluation in flight; destroyed without a result, it cancels the future.
        std::shared_ptr<QPromise<RestartDecision>> promise{};
        /// The last downgrade that was emitted.
        std::optional<PolicyDowngraded> downgraded{};
    };

    [[nodiscard]] RestartPolicy limited(const RestartPolicy &requested) const;
    Unit &adopt(const RestartContext &context);
    QFuture<RestartDecision> request(Unit &unit, const RestartContext &context,
                                     const RestartDecision &builtIn);
    [[nodiscard]] EvaluatorRequest requestFor(const Unit &unit, const RestartContext &context,
                                              const RestartDecision &builtIn) const;
    void answered(const QUuid &id, quint64 generation, const EvaluatorVerdict &verdict,
                  const EvaluatorOpinion &opinion);
    /// Changes the breaker of an id and emits the change of its state.
    void change(const QUuid &id, const std::function<void(Unit &)> &work);
    void watchBreaker(const QUuid &id, Unit &unit);
    [[nodiscard]] EventHeader headerOf(const QUuid &id) const;
    [[nodiscard]] Unit *find(const QUuid &id) const;

    InstanceEngine &m_engine;
    QPointer<const FeatureGate> m_gate;
    QHash<QUuid, std::shared_ptr<Unit>> m_units;
};

} // namespace Rekindle
