// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "lifecycle/health/stallwatch_p.h"

#include <rekindle/lifecycle/workeragent.h>

#include <functional>

namespace Rekindle {

/// When a worker is asked whether its event loop runs, and when it is called hung. Pure timing: it
/// knows no thread.
///
/// A ping goes out every interval, one at a time. Not answered within the timeout it is a miss; an
/// answer, however late, ends the misses. After the last miss there is one longer wait, and then
/// the verdict. A host that was itself held up, and the worker perhaps with it (SIGSTOP), blames
/// nobody: where a StallWatch has seen that at any moment of a wait, the wait begins anew.
class WorkerHeartbeat
{
public:
    /// How a wait ended.
    struct Finding
    {
        bool ok = false;
        Duration took{}; ///< since the ping; an answer is seen at most StallWatch::tick late
        int misses = 0;  ///< in a row
        bool isHung = false;
    };

    struct Calls
    {
        std::function<void()> ping;
        std::function<bool()> isAnswered;
        std::function<void(const Finding &)> found; ///< may destroy the heartbeat
    };

    /// Uses the heartbeat's part of the options.
    WorkerHeartbeat(Scheduler &scheduler, const WorkerOptions &options, Calls calls);
    Q_DISABLE_COPY_MOVE(WorkerHeartbeat)
    ~WorkerHeartbeat() = default;

    void begin();
    void end();

private:
    enum class Phase { Resting, Waiting, LastChance };

    void onDue();
    void rest(Instant until);
    void wait(Phase phase);
    void step();
    void missed(Instant now);

    Scheduler &m_scheduler;
    const WorkerOptions &m_options;
    const Calls m_calls;
    StallWatch m_stalls; ///< ticks while a wait goes on
    Deadline m_deadline;
    Phase m_phase = Phase::Resting;
    Instant m_due{};     // of the deadline
    Instant m_waitEnd{}; // of the current wait
    quint64 m_stallMark = 0;
    Instant m_pingedAt{};
    Instant m_nextPing{};
    int m_misses = 0;
};

} // namespace Rekindle
