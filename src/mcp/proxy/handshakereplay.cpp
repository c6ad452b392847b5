// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "handshakereplay_p.h"

#include "mcp/jsonrpc/mcpmembers_p.h"
#include "policy/internal/startdeadline.h"
#include "wire/messagewriter_p.h"

#include <utility>

namespace Rekindle {

namespace {

QByteArray capabilitiesOf(const QByteArray &line, const MessagePeek &peek)
{
    const QByteArrayView value = jsonMember(line, peek.result, "capabilities").of(line);
    return value.startsWith('{') ? value.toByteArray() : QByteArrayLiteral("{}");
}

} // namespace

HandshakeReplay::HandshakeReplay(ProxyContext &context)
    : m_context(context)
{
}

void HandshakeReplay::setPending(const ClientRequest &initialize)
{
    m_pending = {.line = initialize.line};
    m_pendingId = initialize.id;
}

void HandshakeReplay::pendingSent()
{
    m_deadline = m_context.now + m_context.options.handshakeTimeout;
}

void HandshakeReplay::dropPending()
{
    m_pending = {};
    m_pendingId = {};
    m_deadline.reset();
}

void HandshakeReplay::accept(const QByteArray &line, const MessagePeek &peek)
{
    m_recorded = m_pending;
    dropPending();
    m_recorded->protocolVersion = protocolVersionOf(line, peek).value_or(QByteArray());
    m_capabilities = capabilitiesOf(line, peek);
}

bool HandshakeReplay::offers(ListKind kind) const
{
    return m_capabilities.isEmpty() || declared(listName(kind)).isPresent();
}

JsonSpan HandshakeReplay::declared(QByteArrayView capability) const
{
    return jsonMember(m_capabilities, {0, m_capabilities.size()}, capability);
}

// What the client sets belongs to its last handshake, answered or not.
HandshakeReplay::Recording &HandshakeReplay::current()
{
    return isPending() || !m_recorded ? m_pending : *m_recorded;
}

void HandshakeReplay::setInitialized(const QByteArray &line)
{
    current().initialized = line;
    if (m_context.phase != ProxyContext::Phase::Live)
        return; // sent with the replay
    m_context.toServer(line);
    m_isInitializedSent = true;
}

void HandshakeReplay::setState(const ClientRequest &answered)
{
    if (answered.role == ClientRequest::Role::SetLevel)
        current().logLevel = answered.line;
    else if (answered.role == ClientRequest::Role::Subscribe)
        current().subscriptions.insert(answered.subject, answered.line);
    else if (answered.role == ClientRequest::Role::Unsubscribe)
        current().subscriptions.remove(answered.subject);
}

void HandshakeReplay::serverStarted()
{
    cancel();
    m_startedAt = m_context.now;
    m_isInitializedSent = false;
}

void HandshakeReplay::serverProgressed()
{
    const Duration timeout = m_context.options.handshakeTimeout;
    if (m_deadline)
        m_deadline =
            StartDeadline{m_startedAt, timeout}.extended(*m_deadline, m_context.now + timeout);
}

HandshakeReplay::Step HandshakeReplay::replay()
{
    if (!m_recorded)
        return Step::Done;
    m_deadline = m_context.now + m_context.options.handshakeTimeout;
    m_replayId = m_context.newId();
    sendOwn(m_recorded->line, m_replayId);
    return Step::Waiting;
}

void HandshakeReplay::sendOwn(const QByteArray &line, const MessageId &id)
{
    m_context.toServer(withId(line, MessagePeek::at(line), id.json()));
}

bool HandshakeReplay::awaits(const MessageId &id) const
{
    return id.isPresent() && (id == m_replayId || m_stateIds.contains(id));
}

HandshakeReplay::Step HandshakeReplay::answered(const QByteArray &line, const MessagePeek &peek)
{
    if (m_stateIds.remove(peek.id))
        return m_stateIds.isEmpty() ? Step::Done : Step::Waiting;
    m_replayId = {};
    m_deadline.reset();
    if (peek.kind == MessagePeek::Kind::Error) {
        const auto message = jsonStringText(jsonMember(line, peek.error, "message").of(line));
        return refuse(message ? QString::fromUtf8(*message) : QString(peek.fault));
    }
    const QByteArray version = protocolVersionOf(line, peek).value_or(QByteArray());
    if (version != m_recorded->protocolVersion)
        return refuse(
            QStringLiteral("its protocol version is %1, that of the session is %2")
                .arg(QString::fromUtf8(version), QString::fromUtf8(m_recorded->protocolVersion)));
    m_capabilities = capabilitiesOf(line, peek);
    m_isReplayed = true;
    return replayState();
}

// Held calls are sent after the responses, so that they find the session as it was.
HandshakeReplay::Step HandshakeReplay::replayState()
{
    const Recording &recorded = *m_recorded;
    if (recorded.initialized.isEmpty())
        return Step::Done;
    m_context.toServer(recorded.initialized);
    m_isInitializedSent = true;
    // Some servers exit if they receive a method that they have not declared.
    QList<QByteArray> lines;
    if (!recorded.logLevel.isEmpty() && declared("logging").isPresent())
        lines.append(recorded.logLevel);
    if (jsonMember(m_capabilities, declared("resources"), "subscribe").of(m_capabilities) == "true")
        lines.append(recorded.subscriptions.values());
    if (lines.isEmpty())
        return Step::Done;
    for (const QByteArray &line : lines) {
        const MessageId id = m_context.newId();
        m_stateIds.insert(id);
        sendOwn(line, id);
    }
    m_deadline = m_context.now + m_context.options.handshakeTimeout;
    return Step::Waiting;
}

// The server is not restarted: the next one would most likely respond the same.
HandshakeReplay::Step HandshakeReplay::refuse(const QString &why)
{
    m_refusedWhy = why;
    return Step::Refused;
}

void HandshakeReplay::finish()
{
    m_deadline.reset();
    if (m_recorded && !m_recorded->initialized.isEmpty() && !m_isInitializedSent) {
        m_context.toServer(m_recorded->initialized); // the client sent it during the replay
        m_isInitializedSent = true;
    }
    if (std::exchange(m_isReplayed, false))
        m_context.add({ProxyAction::Kind::HandshakeReplayed, m_capabilities, {}, {}, {}});
}

void HandshakeReplay::cancel()
{
    m_isReplayed = false;
    m_replayId = {};
    m_stateIds.clear();
    m_deadline.reset();
}

} // namespace Rekindle
