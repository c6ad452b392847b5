// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/mcp/toolcaller.h>
#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/restartdecision.h>

#include <QObject>

namespace Rekindle {

class Messages;
class OnDemandServer;
class RestartPolicyEvaluator;

/// Reports what happens to calls and to their server, one line each: "echo: attempt 1 failed
/// (Timeout: no answer within 2s)", "echo: attempt 2 in 120ms".
class ToolsNarrator : public QObject
{
    Q_OBJECT

public:
    ToolsNarrator(OnDemandServer &server, RestartPolicyEvaluator &evaluator,
                  const ToolCaller &caller, Messages &messages);

    /// The message about a call that did not succeed, otherwise empty. `isReasonReported`: the
    /// failure of the last attempt was already reported.
    [[nodiscard]] static QString endText(const QString &tool, const ToolCallOutcome &outcome,
                                         bool isReasonReported);

private:
    void reportServerFailure(const AgentFailed &event);
    void reportBreaker(const QString &tool, CircuitBreakerState state, Duration retryAfter);
    void report(const QString &line);

    Messages &m_messages;
    Deadline m_handshakeNotice;
    RestartDecision m_decision; ///< precedes the event of the failure
};

} // namespace Rekindle
