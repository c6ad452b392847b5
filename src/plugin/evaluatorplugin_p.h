// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "evaluatorfinder_p.h"
#include "evaluatorthread_p.h"
#include "lazyevaluator_p.h"

#include <memory>
#include <vector>

namespace Rekindle {

/// A plug-in that may be used if the license tier permits it: the thread that runs its
/// code, and the faults that put it in quarantine.
class EvaluatorPlugin
{
public:
    /// A plug-in of the same file takes over the thread of `previous`, which may be null.
    EvaluatorPlugin(FoundEvaluator found, EvaluatorPlugin *previous);

    [[nodiscard]] const EvaluatorInfo &info() const { return m_found.info; }
    [[nodiscard]] const ParameterSchema &schema() const { return m_found.schema; }

    [[nodiscard]] std::shared_ptr<LazyEvaluator> makeEvaluator(const QJsonObject &parameters) const;
    /// Moves the evaluator to the thread and releases it there, because code of the plug-in runs
    /// then. Without a thread, it stays where it is.
    void release(std::shared_ptr<LazyEvaluator> &evaluator);

    /// Runs a job on the thread, which is started by the first one.
    void post(EvaluatorThread::Job job);
    /// The instance whose job runs; nothing while the thread is idle.
    [[nodiscard]] std::optional<QUuid> busyWith() const;
    [[nodiscard]] quint64 startedJobs() const { return m_thread ? m_thread->startedJobs() : 0; }
    /// Abandons the thread, which is stuck in a job of `culprit`. Pending jobs of other instances
    /// continue on a new thread.
    void replaceThread(const QUuid &culprit);

    /// Counts a fault; at `limit` consecutive faults, or `limit` stuck threads, the plug-in is in
    /// quarantine.
    void countFault(int limit);
    void clearFaults() { m_consecutiveFaults = 0; }
    [[nodiscard]] bool isQuarantined() const { return m_quarantined; }

private:
    FoundEvaluator m_found;
    std::unique_ptr<EvaluatorThread> m_thread;
    std::vector<EvaluatorThread::Traces> m_stuckThreads;
    int m_consecutiveFaults = 0;
    bool m_quarantined = false;
};

} // namespace Rekindle
