// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "httprequest_p.h"

#include <QList>

#include <algorithm>
#include <cstring>

namespace Rekindle {

namespace {

HttpHead refused(HttpStatus status) { return {true, {}, status}; }

// A character of the name of a method or a header (RFC 9110, 5.6.2).
bool isTokenCharacter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')
        || (c != '\0' && std::strchr("!#$%&'*+-.^_`|~", c) != nullptr);
}

bool isToken(const QByteArray &text)
{
    return !text.isEmpty() && std::ranges::all_of(text, isTokenCharacter);
}

bool isVisible(char c) { return c > ' ' && c < '\x7f'; }

bool isValidInValue(char c)
{
    return c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != '\x7f');
}

bool isHeader(const QByteArray &line)
{
    const qsizetype colon = line.indexOf(':');
    return colon > 0 && isToken(line.left(colon))
        && std::all_of(line.begin() + colon, line.end(), isValidInValue);
}

bool isHost(const QByteArray &line) { return line.left(5).toLower() == "host:"; }

// Returns the path of "/path?query" or "http://host/path?query".
QByteArray pathOf(QByteArray target)
{
    if (target.left(7).toLower() == "http://") {
        const qsizetype slash = target.indexOf('/', 7);
        target = slash < 0 ? QByteArray("/") : target.mid(slash);
    }
    const qsizetype query = target.indexOf('?');
    return query < 0 ? target : target.left(query);
}

HttpHead parse(const QList<QByteArray> &lines)
{
    const QList<QByteArray> parts = lines.first().split(' ');
    if (parts.size() != 3 || !isToken(parts[0]) || parts[1].isEmpty()
        || !std::ranges::all_of(parts[1], isVisible))
        return refused(HttpStatus::BadRequest);
    const QByteArray &version = parts[2];
    if (version.size() != 8 || !version.startsWith("HTTP/") || version[6] != '.')
        return refused(HttpStatus::BadRequest);
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
        return refused(HttpStatus::VersionNotSupported);
    if (!std::all_of(lines.begin() + 1, lines.end(), isHeader))
        return refused(HttpStatus::BadRequest);
    const auto hosts = std::count_if(lines.begin() + 1, lines.end(), isHost);
    if (hosts > 1 || (hosts == 0 && version == "HTTP/1.1"))
        return refused(HttpStatus::BadRequest);
    const QByteArray path = pathOf(parts[1]);
    if (!path.startsWith('/'))
        return refused(HttpStatus::BadRequest);
    return {true, HttpRequest{parts[0], path}};
}

} // namespace

QByteArray statusLineOf(HttpStatus status)
{
    switch (status) {
    case HttpStatus::Ok:
        return "200 OK";
    case HttpStatus::BadRequest:
        return "400 Bad Request";
    case HttpStatus::NotFound:
        return "404 Not Found";
    case HttpStatus::MethodNotAllowed:
        return "405 Method Not Allowed";
    case HttpStatus::HeaderTooLarge:
        return "431 Request Header Fields Too Large";
    case HttpStatus::ServiceUnavailable:
        return "503 Service Unavailable";
    case HttpStatus::VersionNotSupported:
        return "505 HTTP Version Not Supported";
    }
    Q_UNREACHABLE();
}

HttpHead readHead(const QByteArray &bytes, qsizetype maxSize)
{
    QList<QByteArray> lines;
    qsizetype start = 0;
    for (;;) {
        const qsizetype end = bytes.indexOf('\n', start);
        if (end < 0 || end >= maxSize)
            break;
        QByteArray line = bytes.mid(start, end - start);
        if (line.endsWith('\r'))
            line.chop(1);
        start = end + 1;
        if (!line.isEmpty())
            lines.append(line);
        else if (!lines.isEmpty()) // empty lines before the first one are ignored
            return parse(lines);
    }
    if (bytes.size() >= maxSize)
        return refused(HttpStatus::HeaderTooLarge);
    return {};
}

} // namespace Rekindle
