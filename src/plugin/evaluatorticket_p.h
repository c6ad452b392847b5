// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/evaluator/restartevaluator.h>

#include <mutex>

namespace Rekindle {

/// The state of one request, shared by host and thread. Thread-safe.
class EvaluatorTicket
{
public:
    /// Host: the answer is no longer needed.
    void withdraw();

    enum class Progress {
        Queued,   ///< other jobs run first
        Running,  ///< the plug-in's code runs
        Pending,  ///< the plug-in returned a future
        Reported, ///< an answer or a fault was posted
    };
    [[nodiscard]] Progress progress() const;

    /// Thread: the request starts. False if it was withdrawn.
    [[nodiscard]] bool begin();
    /// Thread: the plug-in returned a future.
    void setFuture(const QFuture<EvaluatorAnswer> &future);
    /// Thread: the result was posted.
    void setReported();

private:
    mutable std::mutex m_mutex;
    bool m_withdrawn = false;
    Progress m_progress = Progress::Queued;
    QFuture<EvaluatorAnswer> m_future;
};

} // namespace Rekindle
