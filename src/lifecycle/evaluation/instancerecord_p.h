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
    /// While the start timeout runs: the value of StallWatch::lost() when it began.
    std::optional<Duration> lostBefore;
    std::optional<Failure> lastFailure;
    QString requestReason;
    qint64 processId = 0;
    quint64 requestToken = 0; ///< of the pending request to its custom evaluator; 0 if none
    bool attached = false;    ///< to custom evaluators
    ShadowTally shadow;

    [[nodiscard]] bool isActive() const
    {
        return instance.processAlive || instance.deadline || instance.planned != PlannedStart::None;
    }

    /// The detail of a failure that no agent reported and that `input` made the engine detect.
    [[nodiscard]] FailureDetail detectedFailure(InputKind input) const;

    /// The public form of an event of the state table.
    [[nodiscard]] LifecycleEvent toEvent(const InstanceEvent &event,
                                         const EventHeader &header) const;
};

} // namespace Rekindle
