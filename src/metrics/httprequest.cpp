// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "httprequest_p.h"

#include <QHash>
#include <QHostAddress>
#include <QList>
#include <QRegularExpression>

#include <algorithm>

namespace Rekindle {

namespace {

HttpHead refused(HttpStatus status) { return {true, {}, status}; }

// The name of a method or a header (RFC 9110, 5.6.2).
constexpr QLatin1String token("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

QRegularExpressionMatch match(const QString &pattern, const QByteArray &line)
{
    const QRegularExpression whole(QRegularExpression::anchoredPattern(pattern));
    return whole.match(QString::fromLatin1(line));
}

bool isHeader(const QByteArray &line)
{
    return match(token + QStringLiteral(":[\\t -~\\x80-\\xff]*"), line).hasMatch();
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
    const auto parts =
        match(QStringLiteral("(%1) ([!-~]+) (HTTP/.\\..)").arg(token), lines.first());
    if (!parts.hasMatch())
        return refused(HttpStatus::BadRequest);
    const QString version = parts.captured(3);
    if (version != QLatin1String("HTTP/1.1") && version != QLatin1String("HTTP/1.0"))
        return refused(HttpStatus::VersionNotSupported);
    if (!std::all_of(lines.begin() + 1, lines.end(), isHeader))
        return refused(HttpStatus::BadRequest);
    const auto hosts = std::count_if(lines.begin() + 1, lines.end(), isHost);
    const auto host = std::find_if(lines.begin() + 1, lines.end(), isHost);
    if (hosts > 1 || (hosts == 0 && version == QLatin1String("HTTP/1.1")))
        return refused(HttpStatus::BadRequest);
    const QByteArray path = pathOf(parts.captured(2).toLatin1());
    if (!path.startsWith('/'))
        return refused(HttpStatus::BadRequest);
    return {true,
            HttpRequest{parts.captured(1).toLatin1(), path,
                        host == lines.end() ? QByteArray()
                                            : host->mid(host->indexOf(':') + 1).trimmed()}};
}

} // namespace

QByteArray statusLineOf(HttpStatus status)
{
    static const QHash<HttpStatus, QByteArray> reasons = {
        {HttpStatus::Ok, "OK"},
        {HttpStatus::BadRequest, "Bad Request"},
        {HttpStatus::NotFound, "Not Found"},
        {HttpStatus::MethodNotAllowed, "Method Not Allowed"},
        {HttpStatus::MisdirectedRequest, "Misdirected Request"},
        {HttpStatus::HeaderTooLarge, "Request Header Fields Too Large"},
        {HttpStatus::ServiceUnavailable, "Service Unavailable"},
        {HttpStatus::VersionNotSupported, "HTTP Version Not Supported"},
    };
    return QByteArray::number(static_cast<int>(status)) + ' ' + reasons.value(status);
}

bool isAcceptedHost(const QByteArray &host, const QStringList &names)
{
    if (host.isEmpty())
        return true;
    const bool isV6 = host.startsWith('[');
    const QByteArray name =
        isV6 ? host.mid(1, host.indexOf(']') - 1) : host.split(':').constFirst().toLower();
    const QString text = QString::fromLatin1(name);
    return !QHostAddress(text).isNull() || name == "localhost"
        || names.contains(text, Qt::CaseInsensitive);
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
