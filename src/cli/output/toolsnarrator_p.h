// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/toolcaller.h>
#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/restartdecision.h>

#include <QObject>

#include <functional>

namespace Rekindle {

class RestartPolicyEvaluator;

/// Reports what happens to calls and to their server, one line each: "echo: attempt 1 failed
/// (Timeout: no answer within 2s)", "echo: attempt 2 in 120ms".
class ToolsNarrator : public QObject
{
    Q_OBJECT

public:
    using Say = std::function<void(const QString &)>;

    ToolsNarrator(RestartPolicyEvaluator &evaluator, const ToolCaller &caller, Say say);

    /// The message about a call that did not succeed, otherwise empty. `isReasonReported`: the
    /// failure of the last attempt was already reported.
    [[nodiscard]] static QString endText(const QString &tool, const ToolCallOutcome &outcome,
                                         bool isReasonReported);

    /// Reports a line that is not a message, and why.
    void reportInvalidLine(const QString &server, const QByteArray &line, const QString &why);
    /// Reports that the server is not ready after `time`; it has `within` for each response.
    void reportSlowHandshake(const QString &server, Duration time, Duration within);

private:
    void reportServerFailure(const AgentFailed &event);
    void reportAttempt(const QString &tool, int attempt, const ToolCallAttempt &how);
    void reportBreaker(const QString &tool, CircuitBreakerState state, Duration retryAfter);

    Say m_say;
    RestartDecision m_decision; ///< precedes the event of the failure
};

} // namespace Rekindle
