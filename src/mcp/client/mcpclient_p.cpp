// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpclient_p.h"

#include "mcp/jsonrpc/messagewriter_p.h"

#include <QJsonDocument>

#include <cmath>
#include <utility>

namespace Rekindle {

namespace {

constexpr QLatin1String versionKey("io.modelcontextprotocol/protocolVersion");
constexpr QLatin1String infoKey("io.modelcontextprotocol/clientInfo");
constexpr QLatin1String capabilitiesKey("io.modelcontextprotocol/clientCapabilities");

constexpr int methodNotFound = -32601;
constexpr qsizetype noiseShown = 1024;

QByteArray compact(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

// Nothing if it is none.
std::optional<QJsonObject> objectAt(QByteArrayView line, JsonSpan span)
{
    const QByteArrayView text = span.of(line);
    const QJsonDocument document =
        QJsonDocument::fromJson(QByteArray::fromRawData(text.data(), text.size()));
    return document.isObject() ? std::optional(document.object()) : std::nullopt;
}

McpError makeFault(McpError::Kind kind, const QString &message, bool wasWritten)
{
    McpError error;
    error.kind = kind;
    error.message = message;
    error.wasWritten = wasWritten;
    return error;
}

McpAnswer refusal(const QJsonObject &json)
{
    McpError error =
        makeFault(McpError::Kind::Refused, json.value(QLatin1String("message")).toString(), true);
    error.code = json.value(QLatin1String("code")).toInt();
    error.data = json.value(QLatin1String("data"));
    return {std::move(error), {}};
}

// Which one it was is known to nobody else.
McpAnswer handshakeAnswer(McpAnswer answer, QLatin1String method, Duration within)
{
    if (answer.error && answer.error->kind == McpError::Kind::Timeout)
        answer.error->message = QStringLiteral("The server has not answered %1 within %2")
                                    .arg(method, durationToString(within));
    return answer;
}

bool isBlank(QByteArrayView line) { return line.trimmed().isEmpty(); }

} // namespace

McpClient::Private::Private(McpClient &client, MessageChannel &channel, Scheduler &scheduler,
                            McpClientOptions options)
    : q(client)
    , m_channel(channel)
    , m_scheduler(scheduler)
    , m_options(std::move(options))
{
    m_link.request = [this](QLatin1String method, const QJsonObject &params,
                            McpLink::Answered answered) {
        Waiting waiting;
        waiting.options.timeout = m_options.handshakeTimeout;
        waiting.options.longest = m_options.handshakeTimeout;
        // The protocol forbids it.
        waiting.cancellable = method != QLatin1String("initialize");
        send(method, params, waiting,
             [answered = std::move(answered), method, within = m_options.handshakeTimeout](
                 const McpAnswer &answer) { answered(handshakeAnswer(answer, method, within)); });
    };
    m_link.notify = [this](QLatin1String method) { notify(method, {}); };
    m_link.useEra = [this](McpEra era) { m_sentEra = era; };
}

void McpClient::Private::open()
{
    m_isReady = false;
    m_isListing = false;
    m_listAgain = false;
    m_opened = m_scheduler.now();
    m_facts.era = McpEra::Auto;
    m_listing.emplace(m_link);
    m_handshake.emplace(m_link, m_options, m_facts);
    m_handshake->start([this](const std::optional<McpError> &error) { handshakeDone(error); });
}

void McpClient::Private::handshakeDone(const std::optional<McpError> &error)
{
    m_opened.reset();
    if (error) {
        Q_EMIT q.failed(*error);
        return;
    }
    m_isReady = true;
    const QPointer<McpClient> alive(&q);
    listen();
    if (alive && std::exchange(m_listAgain, false))
        listToolsAgain();
    if (alive)
        Q_EMIT q.ready();
}

// In the modern era changes are told only to those who listen.
void McpClient::Private::listen()
{
    const QJsonObject tools = m_facts.capabilities.value(QLatin1String("tools")).toObject();
    if (!isModern() || !tools.value(QLatin1String("listChanged")).toBool())
        return;
    Waiting waiting;
    waiting.options.timeout = Duration{0};
    waiting.options.resetByProgress = false;
    waiting.counts = false;
    send(QStringLiteral("subscriptions/listen"),
         {{QLatin1String("notifications"), QJsonObject{{QLatin1String("toolsListChanged"), true}}}},
         waiting, [](const McpAnswer &) {});
}

void McpClient::Private::listToolsAgain()
{
    if (m_isListing || !m_isReady) {
        m_listAgain = true;
        return;
    }
    m_isListing = true;
    m_listing->start([this](const std::optional<McpError> &error, const QList<McpTool> &tools) {
        m_isListing = false;
        if (std::exchange(m_listAgain, false)) {
            listToolsAgain();
            return;
        }
        if (!error && tools != m_facts.tools) {
            m_facts.tools = tools;
            Q_EMIT q.toolsChanged();
        }
    });
}

QJsonObject McpClient::Private::withMeta(QJsonObject params) const
{
    QJsonObject meta = params.value(QLatin1String("_meta")).toObject();
    meta.insert(versionKey, modernVersion);
    meta.insert(infoKey,
                QJsonObject{{QLatin1String("name"), m_options.name},
                            {QLatin1String("version"), m_options.version}});
    meta.insert(capabilitiesKey, m_options.capabilities);
    params.insert(QLatin1String("_meta"), meta);
    return params;
}

qint64 McpClient::Private::send(const QString &method, QJsonObject params, const Waiting &waiting,
                                McpLink::Answered answered)
{
    const qint64 id = ++m_lastId;
    if (waiting.options.onProgress || waiting.options.resetByProgress) {
        QJsonObject meta = params.value(QLatin1String("_meta")).toObject();
        meta.insert(QLatin1String("progressToken"), id);
        if (method == QLatin1String("tools/call"))
            params.insert(QLatin1String("_meta"), meta);
    }
    if (isModern())
        params = withMeta(std::move(params));
    const QByteArray line = makeRequest(QByteArray::number(id), QLatin1String(method.toLatin1()),
                                        params.isEmpty() ? QByteArray() : compact(params));
    const qint64 sentAs = m_channel.send(line);
    if (sentAs < 0) {
        const bool isOpen = m_channel.isOpen();
        const QString why = isOpen ? QStringLiteral("Too much waits to be written")
                                   : QStringLiteral("There is no connection to the server");
        answered(
            {makeFault(isOpen ? McpError::Kind::Busy : McpError::Kind::NotReady, why, false), {}});
        return 0;
    }
    auto pending = std::make_unique<Pending>(m_scheduler, waiting, [this, id] {
        giveUp(id, McpError::Kind::Timeout, QStringLiteral("The server has not answered in time"));
    });
    pending->sentAs = sentAs;
    pending->answered = std::move(answered);
    if (waiting.options.timeout > Duration{0}) {
        pending->end = m_scheduler.now() + waiting.options.longest;
        armDeadline(*pending);
    }
    m_uncounted += waiting.counts ? 0 : 1;
    m_pending.emplace(id, std::move(pending));
    return id;
}

void McpClient::Private::armDeadline(Pending &pending)
{
    pending.deadline.arm(
        std::min(m_scheduler.now() + pending.waiting.options.timeout, pending.end));
}

bool McpClient::Private::notify(const QString &method, const QJsonObject &params)
{
    return m_channel.send(makeNotification(QLatin1String(method.toLatin1()),
                                           params.isEmpty() ? QByteArray() : compact(params)))
        >= 0;
}

std::unique_ptr<McpClient::Private::Pending> McpClient::Private::take(qint64 id)
{
    const auto found = m_pending.find(id);
    if (found == m_pending.end())
        return nullptr;
    std::unique_ptr<Pending> pending = std::move(found->second);
    m_pending.erase(found);
    m_uncounted -= pending->waiting.counts ? 0 : 1;
    pending->deadline.disarm();
    return pending;
}

void McpClient::Private::settle(qint64 id, const McpAnswer &answer)
{
    if (const std::unique_ptr<Pending> pending = take(id))
        pending->answered(answer);
}

void McpClient::Private::cancel(qint64 id)
{
    giveUp(id, McpError::Kind::Cancelled, QStringLiteral("The caller has cancelled it"));
}

void McpClient::Private::giveUp(qint64 id, McpError::Kind kind, const QString &why)
{
    const std::unique_ptr<Pending> pending = take(id);
    if (!pending)
        return;
    if (pending->waiting.cancellable)
        notify(QStringLiteral("notifications/cancelled"),
               {{QLatin1String("requestId"), id}, {QLatin1String("reason"), why}});
    pending->answered({makeFault(kind, why, pending->sentAs <= m_channel.lastWritten()), {}});
}

void McpClient::Private::received(const QByteArray &line)
{
    if (isBlank(line))
        return;
    const MessagePeek peek = MessagePeek::at(line);
    switch (peek.kind) {
    case MessagePeek::Kind::Request:
        takeRequest(line, peek);
        return;
    case MessagePeek::Kind::Notification:
        takeNotification(line, peek);
        return;
    case MessagePeek::Kind::Result:
    case MessagePeek::Kind::Error:
        answer(line, peek);
        return;
    case MessagePeek::Kind::NotMessage:
        // A broken answer is one all the same: nobody should wait for a better one.
        if (peek.id.type() == MessageId::Type::Integer && peek.method.isEmpty()) {
            answer(line, peek);
            return;
        }
        break;
    case MessagePeek::Kind::Batch:
    case MessagePeek::Kind::NotJson:
        break;
    }
    const bool isBatch = peek.kind == MessagePeek::Kind::Batch;
    Q_EMIT q.noise(line.left(noiseShown), isBatch ? QStringLiteral("it is a batch") : peek.fault);
}

void McpClient::Private::receivedTooLong(const QByteArray &first, const QByteArray &last,
                                         qint64 size)
{
    const MessagePeek peek = MessagePeek::atEnds(first, last);
    if (peek.isAnswer() && peek.id.type() == MessageId::Type::Integer) {
        const QString why = QStringLiteral("The answer is too long: %1 bytes").arg(size);
        settle(peek.id.json().toLongLong(),
               {makeFault(McpError::Kind::InvalidAnswer, why, true), {}});
        return;
    }
    Q_EMIT q.noise(first.left(noiseShown), QStringLiteral("it is too long: %1 bytes").arg(size));
}

void McpClient::Private::answer(const QByteArray &line, const MessagePeek &peek)
{
    // The ids of this side are integers; an answer to anything else is to nothing.
    if (peek.id.type() != MessageId::Type::Integer)
        return;
    const qint64 id = peek.id.json().toLongLong();
    if (!m_pending.contains(id))
        return;
    if (peek.kind == MessagePeek::Kind::Error) {
        settle(id, refusal(objectAt(line, peek.error).value_or(QJsonObject())));
        return;
    }
    std::optional<QJsonObject> result;
    if (peek.kind == MessagePeek::Kind::Result)
        result = objectAt(line, peek.result);
    if (result) {
        settle(id, {std::nullopt, *std::move(result)});
        return;
    }
    const QString why = peek.fault.isEmpty()
        ? QStringLiteral("The result is no object")
        : QStringLiteral("The answer is no message: ") + QString(peek.fault);
    settle(id, {makeFault(McpError::Kind::InvalidAnswer, why, true), {}});
}

void McpClient::Private::takeRequest(const QByteArray &line, const MessagePeek &peek)
{
    if (peek.method == "ping") {
        m_channel.send(makeResult(peek.id.json(), "{}"));
        return;
    }
    const RequestHandler handler = m_handlers.value(QString::fromUtf8(peek.method));
    if (!handler) {
        const QString why = QStringLiteral("This client has no ") + QString::fromUtf8(peek.method);
        m_channel.send(makeError(peek.id.json(), methodNotFound, why));
        return;
    }
    const QPointer<McpClient> alive(&q);
    const McpAnswer answer = handler(objectAt(line, peek.params).value_or(QJsonObject()));
    if (!alive)
        return;
    if (!answer.error) {
        m_channel.send(makeResult(peek.id.json(), compact(answer.result)));
        return;
    }
    const QByteArray data =
        answer.error->data.isObject() ? compact(answer.error->data.toObject()) : QByteArray();
    m_channel.send(makeError(peek.id.json(), answer.error->code, answer.error->message, data));
}

void McpClient::Private::takeNotification(const QByteArray &line, const MessagePeek &peek)
{
    const QJsonObject params = objectAt(line, peek.params).value_or(QJsonObject());
    if (peek.method == "notifications/progress")
        takeProgress(params);
    else if (peek.method == "notifications/tools/list_changed")
        listToolsAgain();
    else if (peek.method != "notifications/cancelled") // every request is answered at once
        Q_EMIT q.notified(QString::fromUtf8(peek.method), params);
}

void McpClient::Private::takeProgress(const QJsonObject &params)
{
    const QJsonValue token = params.value(QLatin1String("progressToken"));
    const auto found = token.isDouble() ? m_pending.find(token.toInteger(-1)) : m_pending.end();
    const QJsonValue value = params.value(QLatin1String("progress"));
    if (found == m_pending.end() || !value.isDouble())
        return;
    Pending &pending = *found->second;
    if (pending.hasProgress && value.toDouble() <= pending.progress)
        return; // the protocol wants it to grow: an old one, or one of no worth
    pending.hasProgress = true;
    pending.progress = value.toDouble();
    const CallOptions &options = pending.waiting.options;
    if (options.resetByProgress && pending.deadline.isArmed())
        armDeadline(pending);
    if (!options.onProgress)
        return;
    McpProgress progress{pending.progress, std::nullopt,
                         params.value(QLatin1String("message")).toString()};
    if (const QJsonValue total = params.value(QLatin1String("total")); total.isDouble())
        progress.total = total.toDouble();
    const std::function<void(const McpProgress &)> callback = options.onProgress;
    callback(progress); // it may cancel the call
}

void McpClient::Private::lost(const McpError &error)
{
    m_isReady = false;
    const QPointer<McpClient> alive(&q);
    while (alive && !m_pending.empty()) {
        const std::unique_ptr<Pending> pending = take(m_pending.begin()->first);
        McpError own = error;
        own.wasWritten = pending->sentAs <= m_channel.lastWritten();
        pending->answered({std::move(own), {}});
    }
}

} // namespace Rekindle
