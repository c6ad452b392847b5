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

/// Tells people in one line each what happens to calls and to the server that they go to: "echo:
/// attempt 1 failed (Timeout: no answer within 2s)", "echo: attempt 2 in 120ms".
class ToolsNarrator : public QObject
{
    Q_OBJECT

public:
    using Say = std::function<void(const QString &)>;

    ToolsNarrator(RestartPolicyEvaluator &evaluator, const ToolCaller &caller, Say say);

    /// What came of a call where that is no answer; empty else. `isReasonTold`: the last attempt's
    /// failure has been said already.
    [[nodiscard]] static QString endText(const QString &tool, const ToolCallOutcome &outcome,
                                         bool isReasonTold);

    /// A line that is no message, and why not.
    void tellNoise(const QString &server, const QByteArray &line, const QString &why);
    /// It has said nothing in the handshake for `time`, and has `within` for each answer.
    void tellSilence(const QString &server, Duration time, Duration within);

private:
    void tellServer(const AgentFailed &event);
    void tellAttempt(const QString &tool, int attempt, const ToolCallAttempt &how);
    void tellBreaker(const QString &tool, CircuitBreakerState state, Duration retryAfter);

    Say m_say;
    RestartDecision m_decision; ///< comes just before the failure's event
};

} // namespace Rekindle
