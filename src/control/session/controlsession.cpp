// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/session/controlsession_p.h"

#include "wire/messagewriter_p.h"
#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"
#include "json/jsontext.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr int maxDepth = 16;

// The nesting of objects and arrays in a valid JSON text.
int depthOf(QByteArrayView json)
{
    int depth = 0;
    int greatest = 0;
    bool isInString = false;
    for (qsizetype i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (isInString) {
            i += c == '\\' ? 1 : 0;
            isInString = c != '"';
        } else if (c == '"') {
            isInString = true;
        } else if (c == '{' || c == '[') {
            greatest = std::max(greatest, ++depth);
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return greatest;
}

const ControlMethodRow *rowOf(QByteArrayView method)
{
    for (const ControlMethodRow &row : controlMethods) {
        if (row.name == method)
            return &row;
    }
    return nullptr;
}

struct Hello
{
    QList<int> protocols;
};

// Unknown members are ignored, because newer clients may send them.
Parsed<Hello> readHelloParams(QByteArrayView params)
{
    return readParsed(parseJson(params), [](const JsonPlace &object) {
        Hello hello;
        JsonObjectReader reader(object);
        if (const auto client = reader.member(QStringLiteral("client")))
            static_cast<void>(client->text());
        const auto protocols = reader.required(QStringLiteral("protocols"));
        if (!protocols)
            return hello;
        for (const JsonPlace &each : protocols->items().value_or(std::vector<JsonPlace>())) {
            if (const auto number = each.integer(0, 1'000'000))
                hello.protocols.append(*number);
        }
        return hello;
    });
}

} // namespace

ControlSession::ControlSession(const ControlHost &host)
    : m_host(host)
{
}

void ControlSession::receive(QByteArrayView bytes)
{
    if (m_isClosing)
        return;
    m_received.remove(0, std::exchange(m_next, 0));
    m_received.append(bytes);
    if (!m_line)
        splitLine();
}

// Blank lines are skipped.
void ControlSession::splitLine()
{
    QByteArrayView rest = QByteArrayView(m_received).sliced(m_next);
    do {
        m_line = m_framer.addLine(rest);
    } while (m_line && !m_line->isTooLong && m_line->bytes.isEmpty());
    m_next = m_received.size() - rest.size();
    if (rest.isEmpty()) {
        m_received = {};
        m_next = 0;
    }
}

void ControlSession::stopReading()
{
    m_isClosing = true;
    m_line.reset();
    m_received = {};
    m_next = 0;
}

std::optional<ControlCall> ControlSession::readLine()
{
    if (!m_line)
        return std::nullopt;
    const FramedLine line = *std::exchange(m_line, std::nullopt);
    splitLine();
    if (line.isTooLong)
        return readTooLong(line);
    if (line.bytes.trimmed().isEmpty())
        return std::nullopt;
    if (!line.bytes.isValidUtf8()) { // the response repeats the id
        reject({}, ErrorCode::parseError, QStringLiteral("parse error: expected UTF-8"));
        return std::nullopt;
    }

    using Kind = MessagePeek::Kind;
    const MessagePeek peek = MessagePeek::at(line.bytes);
    switch (peek.kind) {
    case Kind::Request:
        return readRequest(line.bytes, peek);
    case Kind::Notification:
        return readNotification(line.bytes, peek);
    case Kind::NotJson:
        reject({}, ErrorCode::parseError, QLatin1String("parse error: ") + peek.fault);
        break;
    case Kind::Batch:
        reject({}, ErrorCode::invalidRequest,
               QStringLiteral("expected a request, found a batch, which is not supported"));
        break;
    case Kind::NotMessage:
        reject(MessageId::ofJson(peek.idValue.of(line.bytes)), ErrorCode::invalidRequest,
               QLatin1String("invalid request: ") + peek.fault);
        break;
    case Kind::Result:
    case Kind::Error:
        reject({}, ErrorCode::invalidRequest,
               QStringLiteral("expected a request, found a response"));
        break;
    }
    return std::nullopt;
}

std::optional<ControlCall> ControlSession::readTooLong(const FramedLine &line)
{
    const MessagePeek ends = MessagePeek::atEnds(line.bytes, line.lastBytes);
    rejectAndClose(ends.id.json().isValidUtf8() ? ends.id : MessageId(), ErrorCode::tooLarge,
                   QStringLiteral("expected a line of at most %1 bytes, found %2")
                       .arg(longestLine)
                       .arg(line.size),
                   inlineJson({{"limit", longestLine}}));
    return std::nullopt;
}

std::optional<ControlCall> ControlSession::readRequest(const QByteArray &line,
                                                       const MessagePeek &peek)
{
    const ControlMethodRow *const row = rowOf(peek.method);
    if (peek.params.isPresent() && peek.params.of(line).front() != '{')
        reject(peek.id, ErrorCode::invalidParams, QStringLiteral("expected an object as params"));
    else if (depthOf(line) > maxDepth)
        reject(peek.id, ErrorCode::invalidRequest,
               QStringLiteral("expected at most %1 levels of nesting").arg(maxDepth));
    else if (peek.method == "hello")
        readHello(line, peek);
    else if (!m_isOpened)
        reject(peek.id, ErrorCode::helloRequired,
               QStringLiteral("expected hello as the first request"));
    else if (!row)
        reject(peek.id, ErrorCode::methodNotFound,
               QLatin1String("unknown method ") + QString::fromUtf8(peek.method));
    else if (m_inFlight.contains(peek.id))
        reject(peek.id, ErrorCode::invalidRequest,
               QStringLiteral("a request with this id is in flight"));
    else if (m_inFlight.size() >= maxInFlight)
        reject(peek.id, ErrorCode::busy,
               QStringLiteral("at most %1 requests can be in flight").arg(maxInFlight),
               inlineJson({{"limit", maxInFlight}}));
    else {
        m_inFlight.insert(peek.id);
        const QByteArrayView params = peek.params.of(line);
        return ControlCall{peek.id, row->method,
                           params.isEmpty() ? QByteArrayLiteral("{}") : params.toByteArray()};
    }
    return std::nullopt;
}

// Unknown notifications are ignored, as JSON-RPC requires.
std::optional<ControlCall> ControlSession::readNotification(const QByteArray &line,
                                                            const MessagePeek &peek)
{
    if (peek.method != "$/cancel")
        return std::nullopt;
    const MessageId id = MessageId::ofJson(jsonMember(line, peek.params, "id").of(line));
    if (!m_inFlight.contains(id))
        return std::nullopt; // answered already
    return ControlCall{id, std::nullopt, {}};
}

void ControlSession::readHello(const QByteArray &line, const MessagePeek &peek)
{
    if (m_isOpened) {
        reject(peek.id, ErrorCode::invalidRequest, QStringLiteral("hello was sent before"));
        return;
    }
    const QByteArrayView params = peek.params.of(line);
    const Parsed<Hello> hello = readHelloParams(params.isEmpty() ? QByteArrayView("{}") : params);
    if (!hello) {
        reject(peek.id, ErrorCode::invalidParams, hello.messages().join(QLatin1String("; ")));
        return;
    }
    if (!hello.value->protocols.contains(protocol)) {
        rejectAndClose(peek.id, ErrorCode::unsupportedProtocol,
                       QStringLiteral("this host supports protocol %1 only").arg(protocol),
                       inlineJson({{"supported", {protocol}}}));
        return;
    }
    m_isOpened = true;
    Json features = Json::array();
    for (const QString &each : m_host.features)
        features.push_back(each.toStdString());
    send(makeResult(
        peek.id.json(),
        inlineJson({{"protocol", protocol},
                    {"features", std::move(features)},
                    {"host", Json::parse(m_host.json.toStdString())},
                    {"access", "operate"},
                    {"limits",
                     {{"line", longestLine}, {"inFlight", maxInFlight}, {"depth", maxDepth}}}})));
}

void ControlSession::respond(const MessageId &id, QByteArrayView result)
{
    if (!m_inFlight.remove(id))
        return;
    if (result.size() > maxResult)
        reject(id, ErrorCode::tooLarge,
               QStringLiteral("the result is larger than %1 bytes; request fewer agents")
                   .arg(maxResult),
               inlineJson({{"limit", maxResult}}));
    else if (m_outgoing.size() >= maxOutgoing)
        reject(id, ErrorCode::busy,
               QStringLiteral("more than %1 bytes of earlier messages are unread").arg(maxOutgoing),
               inlineJson({{"limit", maxOutgoing}}));
    else
        send(makeResult(id.json(), result));
}

void ControlSession::refuse(const MessageId &id, const ControlError &error)
{
    if (m_inFlight.remove(id))
        send(makeError(id.json(), error.code, error.message, error.data));
}

void ControlSession::answer(const MessageId &id, const ControlResponse &response)
{
    if (const auto *result = std::get_if<QByteArray>(&response))
        respond(id, *result);
    else
        refuse(id, std::get<ControlError>(response));
}

bool ControlSession::notify(const QByteArray &line)
{
    if (m_isClosing || !m_isOpened || m_outgoing.size() + line.size() >= maxOutgoing)
        return false;
    m_outgoing.addLine(line);
    return true;
}

void ControlSession::close(QLatin1String reason)
{
    if (m_isOpened)
        send(makeNotification(QLatin1String("bye"), inlineJson({{"reason", reason.data()}})));
    stopReading();
}

void ControlSession::reject(const MessageId &id, int code, const QString &message,
                            const QByteArray &data)
{
    send(makeError(id.json(), code, message, data));
}

void ControlSession::rejectAndClose(const MessageId &id, int code, const QString &message,
                                    const QByteArray &data)
{
    reject(id, code, message, data);
    stopReading();
}

void ControlSession::send(const QByteArray &line)
{
    if (!m_isClosing)
        m_outgoing.addLine(line);
}

} // namespace Rekindle
