// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxysession_p.h"

#include "mcp/jsonrpc/messagewriter_p.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {
constexpr qsizetype mostFinishedTokens = 1024;
} // namespace

ProxySession::ProxySession(ProxyOptions options)
    : m_options(std::move(options))
{
}

std::vector<ProxyAction> ProxySession::takeActions() { return std::exchange(m_actions, {}); }

qsizetype ProxySession::unansweredCount() const
{
    const auto waiting = std::count_if(m_held.begin(), m_held.end(),
                                       [](const auto &held) { return held.second.id.isPresent(); });
    const std::size_t ofOurTools = m_waitingCalls.size() + m_verifyCalls.size()
        + (m_restartAsk ? m_restartAsk->calls.size() : 0);
    return m_inFlight.size() + waiting + (m_initialize ? 1 : 0)
        + static_cast<qsizetype>(ofOurTools);
}

bool ProxySession::wantsServer(bool withUntimed) const
{
    return m_initialize || std::any_of(m_held.begin(), m_held.end(), [&](const auto &held) {
               const MessageId &id = held.second.id;
               return id.isPresent() && (withUntimed || !isUntimed(id));
           });
}

void ProxySession::toClient(QByteArray line)
{
    m_actions.push_back({ProxyAction::Kind::ToClient, std::move(line), {}, {}});
}

void ProxySession::toServer(const QByteArray &line)
{
    m_sentBytes += static_cast<quint64>(line.size()) + 1; // with its end
    m_actions.push_back({ProxyAction::Kind::ToServer, line, {}, {}});
}

void ProxySession::note(const QString &text)
{
    m_actions.push_back({ProxyAction::Kind::Note, {}, text, {}});
}

QByteArray ProxySession::cancellation(const MessageId &id, const char *why)
{
    const QByteArray params = R"({"requestId":)" + id.json() + R"(,"reason":")" + why + R"("})";
    return makeNotification(QLatin1String("notifications/cancelled"), params);
}

void ProxySession::failServer(const QString &why)
{
    m_actions.push_back({ProxyAction::Kind::FailServer, {}, why, {}});
    leave();
    m_failedWhy = why;
}

void ProxySession::failServer(const QString &why, Instant now)
{
    m_now = now;
    if (isServerThere())
        failServer(why);
}

MessageId ProxySession::newId()
{
    for (;;) {
        const MessageId id = MessageId::ofJson(
            QByteArray('"' + m_options.nonce + '-' + QByteArray::number(++m_ownIds) + '"'));
        if (!m_inFlight.find(id) && !m_cancelled.contains(id))
            return id;
    }
}

bool ProxySession::isServerThere() const
{
    return m_phase == Phase::Live || m_phase == Phase::Replaying || m_phase == Phase::Refused;
}

// What the client sets belongs to its last handshake, answered or not.
ProxySession::Handshake &ProxySession::session()
{
    return m_initialize || !m_handshake ? m_pendingHandshake : *m_handshake;
}

void ProxySession::send(ClientRequest request)
{
    // What a server has had already was let in once.
    if (request.id.isPresent() && !request.isAgain
        && (m_inFlight.size() >= m_options.mostInFlight
            || m_inFlight.bytes() >= m_options.mostInFlightBytes)) {
        refuse(request, Reason::TooManyInFlight);
        return;
    }
    toServer(request.line);
    // Many a reader needs no newline after the last line.
    request.endsAt = m_sentBytes - 1;
    if (request.id.isPresent())
        m_inFlight.add(std::move(request));
}

void ProxySession::dispatch(ClientRequest request)
{
    if (m_phase == Phase::Live)
        send(std::move(request));
    else
        hold(std::move(request));
}

// Why it makes no sense to let it wait.
std::optional<ProxySession::Reason> ProxySession::refusal(const ClientRequest &request) const
{
    if (m_phase == Phase::Refused)
        return Reason::HandshakeRefused;
    if (m_phase == Phase::Away) {
        if (m_clientClosed || m_outlook.kind != ServerOutlook::Kind::Restart)
            return Reason::ServerUnavailable;
        const Instant due = m_outlookSince + m_outlook.in;
        if (due > request.heldUntil)
            return Reason::ServerUnavailable;
        const bool hasFailed = m_lastEnd && m_lastEnd->kind == ServerEnd::Kind::Crash;
        if (m_options.failFast && hasFailed && due > m_now && !request.isAgain)
            return Reason::ServerUnavailable;
    }
    if (m_clientClosed)
        return Reason::ServerUnavailable;
    return std::nullopt;
}

void ProxySession::hold(ClientRequest request)
{
    request.heldUntil = m_now + m_options.holdTime;
    std::optional<Reason> reason = refusal(request);
    if (!reason
        && (static_cast<qsizetype>(m_held.size()) >= m_options.mostHeld
            || m_heldBytes + request.line.size() > m_options.mostHeldBytes))
        reason = Reason::TooManyHeld;
    if (reason) {
        refuse(request, *reason);
        return;
    }
    m_heldBytes += request.line.size();
    m_held.emplace(request.order, std::move(request));
}

// A notification nobody answers.
void ProxySession::refuse(const ClientRequest &request, Reason reason)
{
    if (!request.id.isPresent())
        return;
    ProxyErrors::Circumstances now = circumstances();
    now.mayBeDone = request.mayBeDone;
    toClient(ProxyErrors::make(request.id, m_era, reason, now));
}

ProxyErrors::Circumstances ProxySession::circumstances() const
{
    ProxyErrors::Circumstances circumstances;
    if (m_phase == Phase::Away || m_phase == Phase::Replaying)
        circumstances.lastEnd = m_lastEnd;
    if (m_phase == Phase::Refused)
        circumstances.detail = m_refusedWhy;
    if (m_phase != Phase::Away)
        return circumstances;
    if (m_outlook.kind == ServerOutlook::Kind::Restart)
        circumstances.restartIn = std::max(Duration{0}, m_outlookSince + m_outlook.in - m_now);
    else
        circumstances.detail = m_outlook.reason;
    return circumstances;
}

void ProxySession::dropHeld(std::map<quint64, ClientRequest>::iterator held)
{
    m_heldBytes -= held->second.line.size();
    m_held.erase(held);
}

// Those that need not wait any longer, now that something else is to be expected.
void ProxySession::refuseHeld()
{
    for (auto held = m_held.begin(); held != m_held.end();) {
        const auto next = std::next(held);
        if (const auto reason = refusal(held->second)) {
            refuse(held->second, *reason);
            dropHeld(held);
        }
        held = next;
    }
    if (!m_initialize || m_phase != Phase::Away)
        return;
    if (const auto reason = refusal(*m_initialize))
        refuseInitialize(*reason);
}

// What came right after it makes no sense to a server that has not seen it.
void ProxySession::refuseInitialize(Reason reason)
{
    refuse(*m_initialize, reason);
    m_initialize.reset();
    if (m_handshake)
        return;
    for (const auto &[order, request] : std::exchange(m_held, {}))
        refuse(request, reason);
    m_heldBytes = 0;
}

void ProxySession::outlookChanged(const ServerOutlook &outlook, Instant now)
{
    m_now = now;
    m_outlook = outlook;
    m_outlookSince = now;
    refuseHeld();
}

void ProxySession::expireHeld()
{
    for (auto held = m_held.begin(); held != m_held.end();) {
        const auto next = std::next(held);
        const ClientRequest &request = held->second;
        const bool timedOut = request.deadline && *request.deadline <= m_now;
        if (timedOut || request.heldUntil <= m_now) {
            refuse(request, timedOut ? Reason::HeldTimedOut : Reason::HeldTooLong);
            dropHeld(held);
        }
        held = next;
    }
    // While a server works on it, it is as with any other call.
    if (m_initialize && m_phase == Phase::Away && m_initialize->heldUntil <= m_now)
        refuseInitialize(Reason::HeldTooLong);
}

void ProxySession::expireInFlight()
{
    if (!m_options.callTimeout)
        return;
    std::vector<MessageId> late;
    for (const auto &[order, request] : m_inFlight.all()) {
        if (request.deadline && *request.deadline <= m_now)
            late.push_back(request.id);
    }
    for (const MessageId &id : late) {
        const ClientRequest request = *m_inFlight.take(id);
        if (m_phase == Phase::Live) {
            toServer(cancellation(id, "timed out"));
        }
        refuse(request, Reason::TimedOut); // a late answer is one to nothing
        forgetProgress(request);
    }
}

// The client has its answer: no progress may follow it.
void ProxySession::forgetProgress(const ClientRequest &request)
{
    if (!request.progressToken.isPresent())
        return;
    if (m_finishedTokens.size() >= mostFinishedTokens)
        m_finishedTokens.clear();
    m_finishedTokens.insert(request.progressToken);
}

void ProxySession::timePassed(Instant now)
{
    m_now = now;
    expireHeld();
    expireInFlight();
    if (m_handshakeDeadline && *m_handshakeDeadline <= m_now) {
        m_handshakeDeadline.reset();
        failServer(QStringLiteral("it did not answer the client's handshake in time"));
    }
    if (m_listCheckAt && *m_listCheckAt <= m_now) {
        m_listCheckAt.reset();
        beginListChecks();
    }
    if (m_askForToolsAt && *m_askForToolsAt <= m_now)
        askForTools();
    if (m_toolsDeadline && *m_toolsDeadline <= m_now)
        settleTools(); // a server that does not answer is restarted with our tool
}

std::optional<Instant> ProxySession::nextDeadline() const
{
    std::optional<Instant> next;
    const auto consider = [&next](std::optional<Instant> when) {
        if (when && *when != Instant::max())
            next = std::min(next.value_or(*when), *when);
    };
    consider(m_handshakeDeadline);
    consider(m_listCheckAt);
    consider(m_askForToolsAt);
    consider(m_toolsDeadline);
    for (const auto &[order, request] : m_held) {
        consider(request.heldUntil);
        consider(request.deadline);
    }
    if (m_initialize && m_phase == Phase::Away)
        consider(m_initialize->heldUntil);
    if (m_options.callTimeout) {
        for (const auto &[order, request] : m_inFlight.all())
            consider(request.deadline);
    }
    return next;
}

} // namespace Rekindle
