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

/// Reports from a worker to its supervisor. A context belongs to one start. After the end of the
/// start, or after its thread was abandoned, reports are only counted (WorkerAgent::lateReports()).
///
/// A small value that can be copied and may outlive the agent. Thread-safe.
class REKINDLE_LIFECYCLE_EXPORT WorkerContext
{
public:
    /// Reports that the worker is ready. Required if WorkerOptions::ready is Reported.
    void ready() const;

    /// Reports a failure. The event loop ends, the object is destroyed in its thread, and then the
    /// agent emits failed(). Only the first failure of a start is used.
    void fail(FailureReason reason, const QString &message) const;

    /// Requests a restart that costs no attempt. The worker keeps running until it is stopped.
    /// Further requests are dropped until the agent has read this one.
    void requestRestart(const QString &reason) const;

    /// Returns whether the thread should end. The event loop ends on its own. Long work between two
    /// events should check this regularly.
    [[nodiscard]] bool stopRequested() const noexcept;

private:
    friend class WorkerThread;
    explicit WorkerContext(std::shared_ptr<WorkerRun> run);

    std::shared_ptr<WorkerRun> m_run;
};

/// Creates the worker. It is called in the worker's thread, once per start, and the object is
/// destroyed there. An exception or nullptr is a failure InitializationFailed. The object must have
/// no parent.
using WorkerFactory = std::function<std::unique_ptr<QObject>(const WorkerContext &context)>;

} // namespace Rekindle
