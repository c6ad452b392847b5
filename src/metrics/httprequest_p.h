// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

#include <optional>

namespace Rekindle {

/// The status codes that are answered.
enum class HttpStatus {
    Ok = 200,
    BadRequest = 400,
    NotFound = 404,
    MethodNotAllowed = 405,
    HeaderTooLarge = 431,
    ServiceUnavailable = 503,
    VersionNotSupported = 505,
};

/// "404 Not Found"
[[nodiscard]] QByteArray statusLineOf(HttpStatus status);

/// The head of a request, as far as this server cares: no body is ever of interest.
struct HttpRequest
{
    QByteArray method{};
    QByteArray path{}; ///< without what follows a question mark
    bool operator==(const HttpRequest &) const = default;
};

/// What is known of a request by its first bytes.
struct HttpHead
{
    bool isComplete = false; ///< false: more bytes are needed
    std::optional<HttpRequest> request{};
    HttpStatus refusal = HttpStatus::BadRequest; ///< where it is complete and there is no request

    bool operator==(const HttpHead &) const = default;
};

/// Reads a request's head, at most `maxSize` bytes up to its empty line (RFC 9112, 2 to 5). Lines
/// may end with LF alone. Pure.
[[nodiscard]] HttpHead readHead(const QByteArray &bytes, qsizetype maxSize);

} // namespace Rekindle
