// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// The status codes of the server's responses.
enum class HttpStatus {
    Ok = 200,
    BadRequest = 400,
    NotFound = 404,
    MethodNotAllowed = 405,
    MisdirectedRequest = 421,
    HeaderTooLarge = 431,
    ServiceUnavailable = 503,
    VersionNotSupported = 505,
};

/// Returns "404 Not Found" and the like.
[[nodiscard]] QByteArray statusLineOf(HttpStatus status);

/// The head of a request. Other headers and the body are ignored.
struct HttpRequest
{
    QByteArray method{};
    QByteArray path{}; ///< without the query
    QByteArray host{}; ///< the header `Host`, with its port
};

/// Whether the header `Host` is an IP address, localhost or one of these names. A page in a browser
/// can give its own name the address of this server (DNS rebinding), but cannot change the header.
/// HTTP/1.0 permits that it is missing.
[[nodiscard]] bool isAcceptedHost(const QByteArray &host, const QStringList &names);

/// The result of reading the first bytes of a request.
struct HttpHead
{
    bool isComplete = false; ///< false: more bytes are needed
    std::optional<HttpRequest> request{};
    HttpStatus refusal = HttpStatus::BadRequest; ///< if isComplete and there is no request
};

/// Reads the head of a request, at most `maxSize` bytes up to its empty line (RFC 9112, 2 to 5).
/// Lines may end with only LF.
[[nodiscard]] HttpHead readHead(const QByteArray &bytes, qsizetype maxSize);

} // namespace Rekindle
