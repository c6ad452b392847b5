// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/failure.h>

#include <functional>
#include <memory>

class QObject;

namespace Rekindle {

class WorkerRun;

/// What a worker says to its supervisor. It belongs to one start: when that is over, or when its
/// thread was set aside, all that is said here changes nothing any more and is only counted
/// (WorkerAgent::lateReports()).
///
/// A small value that can be copied and outlives everything it speaks to. Thread-safe.
class REKINDLE_LIFECYCLE_EXPORT WorkerContext
{
public:
    /// The worker can work. Needed where WorkerOptions::ready is Reported; once is enough.
    void ready() const;

    /// The worker gives up: its event loop ends, the object is destroyed in its thread, and then
    /// the agent has failed. The first failure of a start counts.
    void fail(FailureReason reason, const QString &message) const;

    /// Asks for a restart that costs no attempt. The worker goes on until it is stopped. While a
    /// request has not been heard yet, a further one is none.
    void requestRestart(const QString &reason) const;

    /// Whether the thread is to end. The event loop ends by itself; work that takes long between
    /// two events should look here now and then.
    [[nodiscard]] bool stopRequested() const noexcept;

private:
    friend class WorkerThread;
    explicit WorkerContext(std::shared_ptr<WorkerRun> run);

    std::shared_ptr<WorkerRun> m_run;
};

/// Makes the worker. It is called in the worker's thread, once for each start, and the object is
/// destroyed there. What it throws is a failure InitializationFailed, and so is nullptr. The object
/// must have no parent.
using WorkerFactory = std::function<std::unique_ptr<QObject>(const WorkerContext &context)>;

} // namespace Rekindle
