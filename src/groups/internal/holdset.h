// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "lifecycle/internal/evaluatorport.h"

#include <rekindle/lifecycle/agentsupervisor.h>

#include <utility>

namespace Rekindle {

/// The agents that one object holds back for one reason. They are those whose instance has the
/// hold, so that the set never differs from the evaluator. Declare it as the last member, because
/// the destructor calls slots.
class HoldSet
{
public:
    using CauseSource = RestartPolicyEvaluator::HoldCauseSource;

    /// `causeOf` returns the cause of the hold of an agent. `supervisor` must outlive the object.
    HoldSet(AgentSupervisor &supervisor, Hold hold, CauseSource causeOf)
        : m_supervisor(supervisor)
        , m_hold(hold)
    {
        supervisor.policyEvaluator().setHoldCauseSource(hold, std::move(causeOf));
    }
    Q_DISABLE_COPY_MOVE(HoldSet)
    /// Lifts all holds.
    ~HoldSet() // NOLINT(bugprone-exception-escape): as in any destructor, slots must not throw here
    {
        m_supervisor.policyEvaluator().setHoldCauseSource(m_hold, {});
        clear();
    }

    [[nodiscard]] bool contains(const QUuid &id) const
    {
        const Instance *const agent = EvaluatorPort(m_supervisor.policyEvaluator()).instance(id);
        return agent != nullptr && agent->holds.testFlag(m_hold);
    }

    /// Holds the agent or lifts its hold. Without a difference, nothing happens, because an input
    /// without an effect would still be recorded in the journal.
    void set(const QUuid &id, bool isHeld)
    {
        if (isHeld == contains(id))
            return;
        if (isHeld)
            m_supervisor.policyEvaluator().addHolds(id, m_hold);
        else
            m_supervisor.policyEvaluator().liftHolds(id, m_hold);
    }

    /// Lifts all holds, in the order of the agents.
    void clear()
    {
        const DeferredEmission deferred(m_supervisor.policyEvaluator());
        for (const QUuid &id : m_supervisor.ids())
            set(id, false);
    }

private:
    AgentSupervisor &m_supervisor;
    const Hold m_hold;
};

} // namespace Rekindle
