// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/mcpclient.h>

#include "handshake_p.h"
#include "mcp/jsonrpc/errorcodes_p.h"
#include "wire/messagepeek_p.h"
#include "wire/messagewriter_p.h"

#include <QJsonDocument>
#include <QPointer>

#include <functional>
#include <utility>

namespace Rekindle {

namespace {

constexpr qsizetype noiseShown = 1024;

std::optional<QJsonObject> objectAt(QByteArrayView line, JsonSpan span)
{
    const QByteArrayView text = span.of(line);
    const QJsonDocument document =
        QJsonDocument::fromJson(QByteArray::fromRawData(text.data(), text.size()));
    return document.isObject() ? std::optional(document.object()) : std::nullopt;
}

McpAnswer refusal(const QJsonObject &json)
{
    return {McpError{.kind = McpError::Kind::Refused,
                     .message = json.value(QLatin1String("message")).toString(),
                     .code = json.value(QLatin1String("code")).toInt(),
                     .data = json.value(QLatin1String("data")),
                     .wasWritten = true},
            {}};
}

} // namespace

/// The state of the session, and the dispatch of what the server sends.
class McpClient::Private
{
public:
    Private(McpClient &client, MessageChannel &messageChannel, Scheduler &clientScheduler,
            McpClientOptions clientOptions);

    void open();
    template<typename Answer>
    QFuture<Answer> request(const QString &method, const QJsonObject &params,
                            const CallOptions &callOptions);

    void received(const QByteArray &line);
    void receivedTooLong(const QByteArray &first, const QByteArray &last, qint64 size);
    void lost(const McpError &error);

    McpClient &q;
    MessageChannel &channel;
    Scheduler &scheduler;
    const McpClientOptions options;
    OutgoingRequests requests;
    ServerFacts facts;
    bool isReady = false;
    std::optional<Instant> handshakeStarted; // while it is in progress

private:
    void receivedAnswer(const QByteArray &line, const MessagePeek &peek);
    void receivedRequest(const MessagePeek &peek);
    void receivedNotification(const QByteArray &line, const MessagePeek &peek);
    void handshakeDone(const std::optional<McpError> &error);
    void listen();
    void updateTools();

    std::optional<Handshake> m_handshake;
    std::optional<ToolListing> m_listing;
    bool m_isListing = false;
    bool m_listAgain = false;
};

McpClient::Private::Private(McpClient &client, MessageChannel &messageChannel,
                            Scheduler &clientScheduler, McpClientOptions clientOptions)
    : q(client)
    , channel(messageChannel)
    , scheduler(clientScheduler)
    , options(std::move(clientOptions))
    , requests(channel, scheduler, options)
{
}

template<typename Answer>
QFuture<Answer> McpClient::Private::request(const QString &method, const QJsonObject &params,
                                            const CallOptions &callOptions)
{
    const auto send = [&](const OutgoingRequests::Answered &answered) -> qint64 {
        if (isReady)
            return requests.send(method, params, callOptions, answered);
        answered({McpError{.kind = McpError::Kind::NotReady,
                           .message = QStringLiteral("The server is not ready")},
                  {}});
        return 0;
    };
    return futureAnswer<Answer, McpAnswer>(q, send, [this](qint64 id) { requests.cancel(id); });
}

void McpClient::Private::open()
{
    isReady = false;
    m_isListing = false;
    m_listAgain = false;
    handshakeStarted = scheduler.now();
    facts.revision = McpProtocol::Revision::Unknown;
    m_listing.emplace(std::bind_front(&OutgoingRequests::sendForHandshake, &requests));
    m_handshake.emplace(requests, options, facts);
    m_handshake->start([this](const std::optional<McpError> &error) { handshakeDone(error); });
}

void McpClient::Private::handshakeDone(const std::optional<McpError> &error)
{
    handshakeStarted.reset();
    if (error) {
        Q_EMIT q.failed(*error);
        return;
    }
    isReady = true;
    const QPointer<McpClient> alive(&q);
    listen();
    if (!alive)
        return;
    if (std::exchange(m_listAgain, false))
        updateTools();
    if (alive)
        Q_EMIT q.ready();
}

// Modern servers send list changes only to subscribers.
void McpClient::Private::listen()
{
    const QJsonObject tools = facts.capabilities.value(QLatin1String("tools")).toObject();
    if (!requests.isModern() || !tools.value(QLatin1String("listChanged")).toBool())
        return;
    requests.send(
        QStringLiteral("subscriptions/listen"),
        {{QLatin1String("notifications"), QJsonObject{{QLatin1String("toolsListChanged"), true}}}},
        {.timeout = Duration{0}}, [](const McpAnswer &) {});
}

void McpClient::Private::updateTools()
{
    if (m_isListing || !isReady) {
        m_listAgain = true;
        return;
    }
    m_isListing = true;
    m_listing->start([this](const std::optional<McpError> &error, const QList<McpTool> &tools) {
        m_isListing = false;
        if (std::exchange(m_listAgain, false)) {
            updateTools();
            return;
        }
        if (!error && tools != facts.tools) {
            facts.tools = tools;
            Q_EMIT q.toolsChanged();
        }
    });
}

void McpClient::Private::received(const QByteArray &line)
{
    if (QByteArrayView(line).trimmed().isEmpty())
        return;
    const MessagePeek peek = MessagePeek::at(line);
    // A malformed response ends its request, because no other response follows.
    const bool isMalformedResponse = peek.kind == MessagePeek::Kind::NotMessage
        && peek.id.type() == MessageId::Type::Integer && peek.method.isEmpty();
    if (peek.kind == MessagePeek::Kind::Request)
        receivedRequest(peek);
    else if (peek.kind == MessagePeek::Kind::Notification)
        receivedNotification(line, peek);
    else if (peek.isResponse() || isMalformedResponse)
        receivedAnswer(line, peek);
    else
        Q_EMIT q.noise(line.left(noiseShown),
                       peek.kind == MessagePeek::Kind::Batch ? QStringLiteral("it is a batch")
                                                             : QString(peek.fault));
}

void McpClient::Private::receivedTooLong(const QByteArray &first, const QByteArray &last,
                                         qint64 size)
{
    const MessagePeek peek = MessagePeek::atEnds(first, last);
    if (peek.isResponse() && peek.id.type() == MessageId::Type::Integer)
        requests.answer(
            peek.id.json().toLongLong(),
            {malformedAnswer(QStringLiteral("The response is too long: %1 bytes").arg(size)), {}});
    else
        Q_EMIT q.noise(first.left(noiseShown),
                       QStringLiteral("it is too long: %1 bytes").arg(size));
}

void McpClient::Private::receivedAnswer(const QByteArray &line, const MessagePeek &peek)
{
    // This client uses only integers as ids.
    if (peek.id.type() != MessageId::Type::Integer)
        return;
    const qint64 id = peek.id.json().toLongLong();
    if (!requests.contains(id))
        return;
    if (peek.kind == MessagePeek::Kind::Error) {
        requests.answer(id, refusal(objectAt(line, peek.error).value_or(QJsonObject())));
        return;
    }
    std::optional<QJsonObject> result;
    if (peek.kind == MessagePeek::Kind::Result)
        result = objectAt(line, peek.result);
    if (result)
        requests.answer(id, {std::nullopt, *std::move(result), peek.result.of(line).toByteArray()});
    else if (peek.fault.isEmpty())
        requests.answer(id, {malformedAnswer(QStringLiteral("The result is not an object")), {}});
    else
        requests.answer(
            id, {malformedAnswer(QStringLiteral("The response is malformed: ") + peek.fault), {}});
}

void McpClient::Private::receivedRequest(const MessagePeek &peek)
{
    const QString fault =
        QStringLiteral("This client does not support ") + QString::fromUtf8(peek.method);
    channel.send(peek.method == "ping"
                     ? makeResult(peek.id.json(), "{}")
                     : makeError(peek.id.json(), ErrorCode::methodNotFound, fault));
}

void McpClient::Private::receivedNotification(const QByteArray &line, const MessagePeek &peek)
{
    const QJsonObject params = objectAt(line, peek.params).value_or(QJsonObject());
    if (peek.method == "notifications/progress")
        requests.progress(params);
    else if (peek.method == "notifications/tools/list_changed")
        updateTools();
    else if (peek.method != "notifications/cancelled") // every request is answered at once
        Q_EMIT q.notified(QString::fromUtf8(peek.method), params);
}

void McpClient::Private::lost(const McpError &error)
{
    isReady = false;
    const QPointer<McpClient> alive(&q);
    while (alive && !requests.isEmpty())
        requests.failOldest(error);
}

McpClient::McpClient(MessageChannel &channel, Scheduler &scheduler, McpClientOptions options,
                     QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(*this, channel, scheduler, std::move(options)))
{
    connect(&channel, &MessageChannel::received, this,
            [this](const QByteArray &line) { d->received(line); });
    connect(&channel, &MessageChannel::receivedTooLong, this,
            [this](const QByteArray &first, const QByteArray &last, qint64 size) {
                d->receivedTooLong(first, last, size);
            });
    connect(&channel, &MessageChannel::lost, this,
            [this](const McpError &error) { d->lost(error); });
}

McpClient::~McpClient() = default;

void McpClient::open() { d->open(); }

bool McpClient::isReady() const { return d->isReady; }

std::optional<Duration> McpClient::handshakeTime() const
{
    return d->handshakeStarted ? std::optional(d->scheduler.now() - *d->handshakeStarted)
                               : std::nullopt;
}

McpProtocol::Revision McpClient::revision() const { return d->facts.revision; }

QString McpClient::protocolVersion() const { return d->facts.protocolVersion; }

QJsonObject McpClient::serverInfo() const { return d->facts.info; }

QList<McpTool> McpClient::tools() const { return d->facts.tools; }

QFuture<ToolResult> McpClient::call(const QString &tool, const QJsonObject &arguments,
                                    const CallOptions &options)
{
    return d->request<ToolResult>(
        QStringLiteral("tools/call"),
        {{QLatin1String("name"), tool}, {QLatin1String("arguments"), arguments}}, options);
}

QFuture<McpAnswer> McpClient::request(const QString &method, const QJsonObject &params,
                                      const CallOptions &options)
{
    return d->request<McpAnswer>(method, params, options);
}

QFuture<McpAnswer> McpClient::probe(Duration timeout)
{
    return request(d->requests.isModern() ? QStringLiteral("server/discover")
                                          : QStringLiteral("ping"),
                   {}, {.timeout = timeout, .longest = timeout});
}

} // namespace Rekindle
