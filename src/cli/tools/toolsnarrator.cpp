// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "toolsnarrator_p.h"

#include "cli/output/messages_p.h"
#include "cli/output/texthelpers_p.h"
#include "policy/internal/texthelpers.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/mcp/mcpagent.h>
#include <rekindle/mcp/ondemandserver.h>

namespace Rekindle {

namespace {

// A handshake that takes longer is reported.
constexpr Duration longHandshake = std::chrono::seconds(5);

// A list request has no tool.
QString nameOf(const QString &tool) { return tool.isEmpty() ? QStringLiteral("tools/list") : tool; }

// Text of a server must not contain line breaks or control sequences here.
QString sanitized(const QString &text)
{
    return QString::fromUtf8(forTerminal(text.simplified().toUtf8()));
}

QString attempts(qsizetype count) { return counted(count, "attempt", "attempts"); }

// The server has read the call but not answered it.
bool mayBeExecuted(const std::optional<McpError> &error)
{
    return error && error->wasWritten
        && (error->kind == McpError::Kind::Lost || error->kind == McpError::Kind::Timeout);
}

} // namespace

ToolsNarrator::ToolsNarrator(OnDemandServer &server, RestartPolicyEvaluator &evaluator,
                             const ToolCaller &caller, Messages &messages)
    : m_messages(messages)
    , m_handshakeNotice(evaluator.scheduler(), [this, name = server.name()] {
        report(
            QStringLiteral("%1: not ready after %2; the handshake timeout is %3 per response")
                .arg(name, readable(longHandshake), readable(McpClientOptions().handshakeTimeout)));
    })
{
    const McpAgent &agent = server.agent();
    connect(&agent, &Agent::started, this, [this] { m_handshakeNotice.armIn(longHandshake); });
    for (const auto over : {&Agent::ready, &Agent::stopped})
        connect(&agent, over, this, [this] { m_handshakeNotice.disarm(); });
    connect(&agent, &Agent::failed, this, [this] { m_handshakeNotice.disarm(); });
    connect(&server.agent().client(), &McpClient::noise, this,
            [this, name = server.name()](const QByteArray &line, const QString &why) {
                constexpr qsizetype shown = 200; // bytes
                report(QStringLiteral("%1: invalid line on stdout (%2): %3")
                           .arg(name, why, QString::fromUtf8(line.left(shown))));
            });
    connect(&evaluator, &RestartPolicyEvaluator::decided, this,
            [this](const QUuid &, const RestartDecision &decision) { m_decision = decision; });
    connect(&evaluator, &RestartPolicyEvaluator::agentFailed, this,
            &ToolsNarrator::reportServerFailure);
    connect(&evaluator, &RestartPolicyEvaluator::restartRequested, this,
            [this](const RestartRequested &event) {
                report(QStringLiteral("%1: restarting (%2)").arg(event.agent, event.reason));
            });
    connect(&caller, &ToolCaller::attemptFailed, this,
            [this](quint64, const QString &tool, int attempt, const ToolCallAttempt &how) {
                report(QStringLiteral("%1: attempt %2 failed (%3: %4)")
                           .arg(nameOf(tool), QString::number(attempt), how.failure, how.message));
            });
    connect(&caller, &ToolCaller::retryScheduled, this,
            [this](quint64, const QString &tool, int attempt, Duration delay) {
                report(QStringLiteral("%1: attempt %2 in %3")
                           .arg(nameOf(tool), QString::number(attempt), readable(delay)));
            });
    connect(&caller, &ToolCaller::respawning, this, [this](quint64, const QString &tool) {
        report(QStringLiteral("%1: restarting the server to retry the call").arg(nameOf(tool)));
    });
    connect(&caller, &ToolCaller::breakerStateChanged, this,
            [this](const QString &tool, CircuitBreakerState, CircuitBreakerState state,
                   Duration retryAfter) { reportBreaker(tool, state, retryAfter); });
}

void ToolsNarrator::reportServerFailure(const AgentFailed &event)
{
    QString line =
        QStringLiteral("%1: failed (%2)").arg(event.agent, failureText(event.reason, event.detail));
    // A server that was ready is started again by a call, which has its own message.
    if (m_decision.shouldRestart)
        line += QStringLiteral("; start %1 of %2 in %3")
                    .arg(m_decision.attemptNumber + 1)
                    .arg(m_decision.inputs.maxRetries.value_or(0) + 1)
                    .arg(readable(m_decision.delay));
    report(line);
}

void ToolsNarrator::reportBreaker(const QString &tool, CircuitBreakerState state,
                                  Duration retryAfter)
{
    switch (state) {
    case CircuitBreakerState::Open:
        report(QStringLiteral("%1: circuit breaker open; calls are rejected for %2")
                   .arg(tool, readable(retryAfter)));
        break;
    case CircuitBreakerState::HalfOpen:
        report(QStringLiteral("%1: circuit breaker half-open; one trial call").arg(tool));
        break;
    case CircuitBreakerState::Closed:
        report(QStringLiteral("%1: circuit breaker closed").arg(tool));
        break;
    }
}

// Text of a server must not control the terminal.
void ToolsNarrator::report(const QString &line) { m_messages.say(sanitized(line)); }

QString ToolsNarrator::endText(const QString &tool, const ToolCallOutcome &outcome,
                               bool isReasonReported)
{
    const QString name = sanitized(nameOf(tool));
    const std::optional<McpError> &error = outcome.result.error;
    const QString reason = error && !isReasonReported
        ? QStringLiteral(" (%1: %2)").arg(toText(error->kind), sanitized(error->message))
        : QString();
    switch (outcome.end) {
    case ToolCallEnd::Answered:
        return outcome.result.isError() ? QStringLiteral("%1: the tool reported an error").arg(name)
                                        : QString();
    case ToolCallEnd::AttemptsExhausted:
        return QStringLiteral("%1: given up after %2").arg(name, attempts(outcome.attempts.size()))
            + reason;
    case ToolCallEnd::DeadlineExceeded:
        return QStringLiteral("%1: deadline exceeded after %2 and %3")
                   .arg(name, readable(outcome.duration), attempts(outcome.attempts.size()))
            + reason;
    case ToolCallEnd::NotRetryable:
        return QStringLiteral("%1: not retried").arg(name)
            + (mayBeExecuted(error) ? QStringLiteral(", because it may have been executed")
                                    : QString())
            + reason;
    case ToolCallEnd::BreakerOpen:
        return QStringLiteral("%1: not called: circuit breaker open").arg(name)
            + (outcome.retryAfter ? QLatin1String(" for ") + readable(*outcome.retryAfter)
                                  : QString());
    case ToolCallEnd::Cancelled:
        return QStringLiteral("%1: canceled").arg(name);
    }
    return {};
}

} // namespace Rekindle
