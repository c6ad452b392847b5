// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/policy/instancetable.h>

namespace Rekindle {

/// What the evaluator stores about one instance, in addition to the data of the state table.
struct InstanceRecord
{
    InstanceRecord(QUuid theId, QString theName, std::shared_ptr<const RestartPolicy> policy,
                   Scheduler &scheduler, Deadline::Callback due)
        : id(theId)
        , name(std::move(theName))
        , instance(std::move(policy))
        , deadline(scheduler, std::move(due))
    {
    }

    QUuid id;
    QString name;
    Instance instance;
    Deadline deadline;
    /// Set while the start timeout runs: StallWatch::lost() at its begin.
    std::optional<Duration> lostAtStart;
    std::optional<Failure> lastFailure;
    QString restartReason; ///< of the last requested restart
    qint64 processId = 0;
    quint64 evaluationToken = 0; ///< of the pending evaluation; 0 if none
    bool attached = false;       ///< to custom evaluators
    ShadowTally shadow;

    [[nodiscard]] bool isActive() const
    {
        return instance.processAlive || instance.deadline || instance.planned != PlannedStart::None;
    }

    /// The failure that an input without a Failure caused, for example a deadline.
    [[nodiscard]] Failure detectedFailure(InputKind input) const;

    /// The public form of an event of the state table.
    [[nodiscard]] LifecycleEvent toEvent(const InstanceEvent &event,
                                         const EventHeader &header) const;
};

} // namespace Rekindle
