// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/failure.h>

namespace Rekindle {

/// Receives the signals of one agent before their slots are called. Each function may destroy the
/// agent and this object.
class AgentWatch
{
public:
    AgentWatch() = default;
    Q_DISABLE_COPY_MOVE(AgentWatch)

    virtual void started() = 0;
    virtual void ready() = 0;
    virtual void failed(FailureReason reason, const FailureDetail &detail) = 0;
    virtual void stopped() = 0;
    virtual void restartRequested(const QString &reason) = 0;
    virtual void stuck() = 0;
    virtual void stopping() = 0;
    virtual void startExtended(Duration time) = 0;
    virtual void limitExceeded(const QString &text) = 0;

    /// The agent is being destroyed.
    virtual void destroyed() = 0;

protected:
    ~AgentWatch() = default;
};

} // namespace Rekindle
