// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "policy/internal/texthelpers.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/policy/instancetable.h>

namespace Rekindle {

/// What the evaluator stores about one instance, in addition to the data of the state table.
struct InstanceRecord
{
    /// `onDeadline` is called with this record.
    InstanceRecord(QUuid theId, QString theName, std::shared_ptr<const RestartPolicy> policy,
                   Scheduler &scheduler, auto onDeadline)
        : id(theId)
        , name(std::move(theName))
        , instance(std::move(policy))
        , deadline(scheduler, [this, onDeadline] { onDeadline(*this); })
    {
    }

    QUuid id;
    QString name;
    Instance instance;
    Deadline deadline;
    /// Set while the start timeout runs: StallWatch::lost() at its begin.
    std::optional<Duration> lostAtStart;
    std::unique_ptr<Failure> lastFailure; ///< null before the first failure
    QString restartReason;                ///< of the last requested restart
    QString stopReason;                   ///< of the last stop()
    quint64 stoppedGeneration = 0;        ///< the start that was current at the last stop()
    qint64 processId = 0;
    qint64 fencingToken = 0;     ///< for EventHeader
    quint64 evaluationToken = 0; ///< of the pending evaluation; 0 if none
    bool attached = false;       ///< to custom evaluators
    bool startedByHost = false;  ///< by the last start, restart or resume
    ShadowTally shadow;

    [[nodiscard]] bool isActive() const { return instance.isActive(); }

    void setLastFailure(Failure failure)
    {
        if (lastFailure)
            *lastFailure = std::move(failure);
        else
            lastFailure = std::make_unique<Failure>(std::move(failure));
    }

    void setStopReason(const QString &reason)
    {
        stopReason = reason;
        stoppedGeneration = instance.generation;
    }

    /// See AgentSnapshot::stopReason.
    [[nodiscard]] QString currentStopReason() const
    {
        if (stoppedGeneration == instance.generation)
            return stopReason;
        return instance.state == InstanceState::Stopped ? QString(finishedText) : QString();
    }

    /// The failure that an input without a Failure caused, for example a deadline.
    [[nodiscard]] Failure detectedFailure(InputKind input) const;

    /// The public form of an event of the state table.
    [[nodiscard]] LifecycleEvent toEvent(const InstanceEvent &event,
                                         const EventHeader &header) const;
};

} // namespace Rekindle
