// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/lifecycle/scheduler.h>

#include <functional>
#include <optional>

namespace Rekindle {

/// Decides the trial of a shared breaker without an agent: repeats a probe until it has failed
/// once, or has succeeded for some time.
class TrialProbe
{
public:
    /// `onEnd` may destroy the object.
    TrialProbe(HealthCheck check, QObject &owner, Scheduler &scheduler,
               std::function<void(bool succeeded)> onEnd);
    Q_DISABLE_COPY_MOVE(TrialProbe)
    /// The probe may be emitting a signal. It is deleted later, or with `owner`.
    ~TrialProbe();

    /// Succeeds if all runs succeed for `provenAfter`, which is counted from the first success.
    /// `onEnd` may be called within this call.
    void begin(Duration provenAfter);
    void cancel();

private:
    enum class Step { Idle, Waiting, Running };

    void run();
    void wait(Duration time);
    void onDeadline();
    void answered(bool succeeded);
    void end(bool succeeded);

    HealthCheck m_check;
    QObject &m_owner;
    Scheduler &m_scheduler;
    const std::function<void(bool)> m_onEnd;
    Deadline m_deadline; ///< of the wait, or the timeout of a run
    Duration m_provenAfter{0};
    std::optional<Instant> m_firstSuccess;
    Step m_step = Step::Idle;
};

} // namespace Rekindle
