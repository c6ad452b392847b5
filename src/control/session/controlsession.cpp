// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/session/controlsession_p.h"

#include "control/internal/messagejson.h"
#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

using Code = ControlError::Code;

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

// The protocols of the client. Unknown members are ignored, because newer clients may send them.
Parsed<QList<int>> readHelloParams(QByteArrayView params)
{
    return readParsed(parseJson(params), [](const JsonPlace &object) {
        QList<int> numbers;
        JsonObjectReader reader(object);
        if (const auto client = reader.member(QStringLiteral("client")))
            static_cast<void>(client->text());
        static_cast<void>(reader.required(QStringLiteral("protocols")));
        for (const JsonPlace &each : reader.items(QStringLiteral("protocols"))) {
            if (const auto number = each.integer(0, 1'000'000))
                numbers.append(*number);
        }
        return numbers;
    });
}

} // namespace

ControlSession::ControlSession(const HostInfo &host)
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
        reject({}, Code::ParseError, QStringLiteral("parse error: expected UTF-8"));
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
        reject({}, Code::ParseError, QLatin1String("parse error: ") + peek.fault);
        break;
    case Kind::Batch:
        reject({}, Code::InvalidRequest,
               QStringLiteral("expected a request, found a batch, which is not supported"));
        break;
    case Kind::NotMessage:
        reject(MessageId::ofJson(peek.idValue.of(line.bytes)), Code::InvalidRequest,
               QLatin1String("invalid request: ") + peek.fault);
        break;
    case Kind::Result:
    case Kind::Error:
        reject({}, Code::InvalidRequest, QStringLiteral("expected a request, found a response"));
        break;
    }
    return std::nullopt;
}

std::optional<ControlCall> ControlSession::readTooLong(const FramedLine &line)
{
    const MessagePeek ends = MessagePeek::atEnds(line.bytes, line.lastBytes);
    rejectAndClose(ends.id.json().isValidUtf8() ? ends.id : MessageId(),
                   {Code::TooLarge,
                    QStringLiteral("expected a line of at most %1 bytes, found %2")
                        .arg(longestLine)
                        .arg(line.size),
                    objectJson("limit", longestLine)});
    return std::nullopt;
}

std::optional<ControlCall> ControlSession::readRequest(const QByteArray &line,
                                                       const MessagePeek &peek)
{
    if (peek.params.isPresent() && peek.params.of(line).front() != '{')
        reject(peek.id, Code::InvalidParams, QStringLiteral("expected an object as params"));
    else if (depthOf(line) > maxDepth)
        reject(peek.id, Code::InvalidRequest,
               QStringLiteral("expected at most %1 levels of nesting").arg(maxDepth));
    else if (peek.method == "hello")
        readHello(line, peek);
    else if (!m_isOpened)
        reject(peek.id, Code::HelloRequired, QStringLiteral("expected hello as the first request"));
    else if (m_inFlight.contains(peek.id))
        reject(peek.id, Code::InvalidRequest,
               QStringLiteral("a request with this id is in flight"));
    else if (m_inFlight.size() >= maxInFlight)
        reject(peek.id, Code::Busy,
               QStringLiteral("at most %1 requests can be in flight").arg(maxInFlight),
               objectJson("limit", maxInFlight));
    else {
        m_inFlight.insert(peek.id);
        const QByteArrayView params = peek.params.of(line);
        return ControlCall{peek.id, peek.method,
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
        reject(peek.id, Code::InvalidRequest, QStringLiteral("hello was sent before"));
        return;
    }
    const QByteArrayView params = peek.params.of(line);
    const auto protocols = readHelloParams(params.isEmpty() ? QByteArrayView("{}") : params);
    if (!protocols) {
        reject(peek.id, Code::InvalidParams, protocols.messages().join(QLatin1String("; ")));
        return;
    }
    if (!protocols.value->contains(protocol)) {
        rejectAndClose(peek.id,
                       {Code::UnsupportedProtocol,
                        QStringLiteral("this host supports protocol %1 only").arg(protocol),
                        objectJson("supported", QList{protocol})});
        return;
    }
    m_isOpened = true;
    const QByteArray limits =
        objectJson("line", longestLine, "inFlight", maxInFlight, "depth", maxDepth);
    send(makeResult(peek.id.json(),
                    objectJson("protocol", protocol, "features", m_host.features, "host", m_host,
                               "access", QLatin1String("operate"), "limits", limits)));
}

void ControlSession::answer(const MessageId &id, const ControlResponse &response)
{
    if (!m_inFlight.remove(id))
        return;
    const auto *const result = std::get_if<QByteArray>(&response);
    if (!result)
        send(errorLine(id.json(), std::get<ControlError>(response)));
    else if (result->size() > maxResult)
        reject(id, Code::TooLarge,
               QStringLiteral("the result is larger than %1 bytes; request fewer agents")
                   .arg(maxResult),
               objectJson("limit", maxResult));
    else if (m_outgoing.size() >= maxOutgoing)
        reject(id, Code::Busy,
               QStringLiteral("more than %1 bytes of earlier messages are unread").arg(maxOutgoing),
               objectJson("limit", maxOutgoing));
    else
        send(makeResult(id.json(), *result));
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
        send(makeNotification(QLatin1String("bye"), objectJson("reason", reason)));
    stopReading();
}

void ControlSession::reject(const MessageId &id, Code code, const QString &message,
                            const QByteArray &data)
{
    send(errorLine(id.json(), {code, message, data}));
}

void ControlSession::rejectAndClose(const MessageId &id, const ControlError &error)
{
    send(errorLine(id.json(), error));
    stopReading();
}

void ControlSession::send(const QByteArray &line)
{
    if (!m_isClosing)
        m_outgoing.addLine(line);
}

} // namespace Rekindle
