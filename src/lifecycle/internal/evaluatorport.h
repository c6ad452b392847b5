// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <functional>

namespace Rekindle {

/// What only the components of Rekindle use of a RestartPolicyEvaluator.
class REKINDLE_LIFECYCLE_EXPORT EvaluatorPort
{
public:
    explicit EvaluatorPort(RestartPolicyEvaluator &evaluator)
        : m_evaluator(evaluator)
    {
    }

    /// Sets who emits the same signals after all receivers of the evaluator's own signals. It must
    /// outlive the evaluator or be replaced; null: none.
    void setForward(LifecycleSignals *forward);

    /// The evaluator emits this signal of its own from now on, as if it were connected.
    void addReceiver(const QMetaMethod &signal);

    /// Calls `emission` after the signals that are queued now, and never inside another change.
    void post(std::function<void()> emission);

    /// Nothing is emitted until release() has been called as often.
    void defer();
    void release();

private:
    RestartPolicyEvaluator &m_evaluator;
};

/// A change of several agents: as long as the object exists, signals are only queued, so that no
/// slot runs inside the change. The destructor emits them, and a slot may then delete the
/// evaluator.
class DeferredEmission
{
public:
    explicit DeferredEmission(RestartPolicyEvaluator &evaluator)
        : m_port(evaluator)
    {
        m_port.defer();
    }
    Q_DISABLE_COPY_MOVE(DeferredEmission)
    // NOLINTNEXTLINE(bugprone-exception-escape): as in any destructor, slots must not throw here
    ~DeferredEmission() { m_port.release(); }

private:
    EvaluatorPort m_port;
};

} // namespace Rekindle
