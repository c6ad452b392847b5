// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "passingcalls_p.h"

#include "injectedtools_p.h"
#include "mcp/jsonrpc/errorcodes_p.h"
#include "wire/messagewriter_p.h"

#include <QJsonDocument>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

using Evidence = ToolCallVerdict::Evidence;
using Reason = ProxyRefusal::Reason;

QJsonObject objectIn(QByteArrayView json)
{
    return QJsonDocument::fromJson(json.toByteArray()).object();
}

// A result is parsed only if it reports a failure, because results can be long.
ToolResult resultOf(const QByteArray &line, const MessagePeek &peek)
{
    ToolResult result;
    if (peek.kind == MessagePeek::Kind::Error) {
        const QJsonObject error = objectIn(peek.error.of(line));
        result.error = McpError{.kind = McpError::Kind::Refused,
                                .message = error.value(QLatin1String("message")).toString(),
                                .code = error.value(QLatin1String("code")).toInt(),
                                .wasWritten = true};
    } else if (jsonMember(line, peek.result, "isError").of(line) == "true") {
        result.result = objectIn(peek.result.of(line));
    }
    return result;
}

Evidence evidenceOf(Reason reason)
{
    return reason == Reason::TimedOut || reason == Reason::AnswerTooLong ? Evidence::Failure
                                                                         : Evidence::None;
}

McpError::Kind kindOf(Reason reason)
{
    switch (reason) {
    case Reason::ServerEnded:
        return McpError::Kind::Lost;
    case Reason::TimedOut:
        return McpError::Kind::Timeout;
    case Reason::AnswerTooLong:
        return McpError::Kind::InvalidAnswer;
    case Reason::TooManyHeld:
    case Reason::TooManyInFlight:
        return McpError::Kind::Busy;
    default:
        return McpError::Kind::NotReady;
    }
}

} // namespace

const MessageId &clientIdOf(const ClientRequest &request)
{
    return request.call && request.call->clientId.isPresent() ? request.call->clientId : request.id;
}

QByteArray responseFor(const ClientRequest &request, const QByteArray &line,
                       const MessagePeek &peek)
{
    const MessageId &id = clientIdOf(request);
    if (id == request.id)
        return line;
    if (!peek.idValue.isPresent()) // a malformed line, read from its ends
        return makeError(id.json(), ErrorCode::internalError,
                         QStringLiteral("The response of the MCP server is malformed"));
    return withId(line, peek, id.json());
}

PassingCalls::PassingCalls(ProxyContext &context, const ListWatch &lists)
    : m_context(context)
    , m_lists(lists)
    , m_breakers(context.options.calls.policy.circuitBreaker)
    , m_waiting(context.options.maximumHeld, context.options.maximumHeldBytes)
{
}

bool PassingCalls::admit(ClientRequest &request)
{
    if (request.role != ClientRequest::Role::ToolCall || !request.id.isPresent()
        || request.origin != RequestOrigin::Client)
        return true;
    request.call = std::make_shared<PassingCall>();
    request.call->number = ++m_count;
    request.call->begun = m_context.now;
    const QString tool = QString::fromUtf8(request.subject);
    const Instant trialEnd = m_context.now + m_context.options.calls.deadline;
    // A trial without a response must not keep the breaker half-open.
    if (const CircuitBreaker &breaker = m_breakers.of(tool);
        breaker.state() == CircuitBreakerState::HalfOpen
        && m_breakers.retryAfter(tool, m_context.now) == Duration{0})
        m_breakers.record(tool, breaker.generation(), Evidence::None, m_context.now);
    const CircuitBreaker::Admission admission = m_breakers.admit(tool, m_context.now, trialEnd);
    request.call->generation = admission.generation;
    if (admission.admitted)
        return true;
    const QString why =
        QStringLiteral(
            "The circuit breaker of this tool is open because too many consecutive calls "
            "failed. The next call is admitted in %1.")
            .arg(durationToString(std::chrono::ceil<std::chrono::milliseconds>(
                m_breakers.retryAfter(tool, m_context.now))));
    m_context.toClient(
        InjectedTools::toolAnswer(request.id, m_context.revision, why, /*isError=*/true));
    end(request, ToolCallEnd::BreakerOpen, Evidence::None, {toText(McpError::Kind::NotReady), why});
    return false;
}

void PassingCalls::sent(const ClientRequest &request) const
{
    if (!request.call)
        return;
    PassingCall &call = *request.call;
    call.attempts.append({.delay = call.delay, .begun = m_context.now - call.begun});
    call.delay = Duration{0};
    call.isAttemptOpen = true;
}

void PassingCalls::lost(const ClientRequest &request) const
{
    if (request.call)
        closeAttempt(*request.call,
                     {toText(McpError::Kind::Lost), QStringLiteral("The server exited")});
}

void PassingCalls::limit(ClientRequest &request) const
{
    if (request.call)
        request.deadline =
            earlier(request.deadline, request.call->begun + m_context.options.calls.deadline);
}

void PassingCalls::closeAttempt(PassingCall &call, const ToolCallFailure &failure) const
{
    if (!std::exchange(call.isAttemptOpen, false))
        return;
    ToolCallAttempt &attempt = call.attempts.last();
    attempt.duration = m_context.now - call.begun - attempt.begun;
    attempt.failure = failure.name;
    attempt.message = failure.message;
    attempt.code = failure.code;
}

bool PassingCalls::retryLater(ClientRequest &request, const QByteArray &line,
                              const MessagePeek &peek)
{
    if (!request.call)
        return false;
    const ToolCallerOptions &options = m_context.options.calls;
    const ToolResult result = resultOf(line, peek);
    const ToolCallFailure failure = failureOf(result);
    const ToolCallVerdict verdict = judge(
        result, options.retry, m_lists.isToolRepeatable(request.subject), options.inputErrors);
    closeAttempt(*request.call, failure);
    ToolCallEnd how = ToolCallEnd::Answered;
    if (verdict.hasFailed) {
        const std::optional<ToolCallEnd> refusal =
            verdict.mayRepeat ? scheduleRetry(request, line, peek) : ToolCallEnd::NotRetryable;
        if (!refusal) {
            m_waiting.add(std::move(request));
            return true;
        }
        how = *refusal;
    }
    end(request, how, verdict.evidence, failure);
    return false;
}

// Returns why there is no other attempt.
std::optional<ToolCallEnd>
PassingCalls::scheduleRetry(ClientRequest &request, const QByteArray &line, const MessagePeek &peek)
{
    PassingCall &call = *request.call;
    const ToolCallerOptions &options = m_context.options.calls;
    const std::optional<Duration> delay =
        retryDelay(options.policy, call.retries, options.random, call.attempts.last().delay);
    if (!delay)
        return ToolCallEnd::AttemptsExhausted;
    limit(request);
    if (m_context.now + *delay + options.shortestAttempt > *request.deadline)
        return ToolCallEnd::DeadlineExceeded;
    request.response = responseFor(request, line, peek);
    if (m_context.isClientClosed || !m_waiting.hasRoomFor(request))
        return ToolCallEnd::NotRetryable;
    request.heldUntil = m_context.now + *delay;
    ++call.retries;
    call.delay = *delay;
    return std::nullopt;
}

std::vector<ClientRequest> PassingCalls::takeDue()
{
    std::vector<ClientRequest> due;
    const auto isDue = [this](const ClientRequest &request) {
        return request.heldUntil <= m_context.now;
    };
    for (ClientRequest &request : m_waiting.takeIf(isDue)) {
        PassingCall &call = *request.call;
        if (!m_breakers.isAdmitted(QString::fromUtf8(request.subject), call.generation)) {
            answer(request, ToolCallEnd::BreakerOpen);
            continue;
        }
        if (!call.clientId.isPresent())
            call.clientId = request.id;
        request.id = m_context.newId();
        request.line = withId(request.line, MessagePeek::at(request.line), request.id.json());
        request.heldUntil = {};
        request.wasSent = true;
        m_currentIds.insert(call.clientId, request.id);
        due.push_back(std::move(request));
    }
    return due;
}

void PassingCalls::clientClosed()
{
    for (const ClientRequest &request : m_waiting.takeAll())
        answer(request, ToolCallEnd::NotRetryable);
}

// The last response remains the result.
void PassingCalls::answer(const ClientRequest &request, ToolCallEnd how)
{
    const ToolCallAttempt &last = request.call->attempts.last();
    m_context.toClient(request.response);
    end(request, how, Evidence::Failure, {last.failure, last.message});
}

bool PassingCalls::refused(const ClientRequest &request, const ProxyRefusal &refusal)
{
    if (!request.call)
        return false;
    const bool isLate = request.isOverdue(m_context.now);
    const ToolCallFailure failure{toText(kindOf(refusal.reason)), refusal.message()};
    closeAttempt(*request.call, failure);
    if (isLate && !request.response.isEmpty()) {
        answer(request, ToolCallEnd::DeadlineExceeded);
        return true;
    }
    end(request, isLate ? ToolCallEnd::DeadlineExceeded : ToolCallEnd::NotRetryable,
        evidenceOf(refusal.reason), failure);
    return false;
}

void PassingCalls::cancelled(const ClientRequest &request)
{
    if (!request.call)
        return;
    const ToolCallFailure failure{toText(McpError::Kind::Cancelled),
                                  QStringLiteral("The client cancelled the call")};
    closeAttempt(*request.call, failure);
    end(request, ToolCallEnd::Cancelled, Evidence::None, failure);
}

void PassingCalls::end(const ClientRequest &request, ToolCallEnd how, Evidence evidence,
                       const ToolCallFailure &failure)
{
    const PassingCall &call = *request.call;
    const QString tool = QString::fromUtf8(request.subject);
    if (call.clientId.isPresent())
        m_currentIds.remove(call.clientId);
    const CircuitBreakerState before = m_breakers.of(tool).state();
    if (how != ToolCallEnd::BreakerOpen)
        m_breakers.record(tool, call.generation, evidence, m_context.now);
    auto finished = std::make_shared<ToolCallFinished>();
    finished->monotonicTime = m_context.now;
    finished->sequence = ++m_endedCount;
    finished->call = call.number;
    finished->tool = tool;
    finished->end = how;
    finished->duration = m_context.now - call.begun;
    finished->attempts = call.attempts;
    finished->traceParent = QString::fromUtf8(request.traceParent);
    finished->failure = failure.name;
    finished->message = failure.message;
    finished->breaker = m_breakers.of(tool).state();
    finished->breakerOpened =
        before != CircuitBreakerState::Open && finished->breaker == CircuitBreakerState::Open;
    m_breakers.removeUnused(tool);
    m_context.finishCall(std::move(finished));
}

} // namespace Rekindle
