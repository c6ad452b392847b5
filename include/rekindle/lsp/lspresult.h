// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lsp/export.h>
#include <rekindle/policy/failure.h>

#include <QJsonValue>
#include <QObject>
#include <QString>

#include <optional>

namespace Rekindle {

/// Why a request to a language server has no result.
struct REKINDLE_LSP_EXPORT LspError
{
    Q_GADGET

public:
    enum class Kind {
        Refused,       ///< the server responded with an error: `code`, `message`, `data`
        Lost,          ///< the server exited: `process` contains how
        Timeout,       ///< no response in time; a cancellation was sent to the server
        Cancelled,     ///< canceled by the caller; a cancellation was sent to the server
        InvalidAnswer, ///< the response is malformed
        NotReady,      ///< the server does not run, initializes or stops; nothing was sent
        Busy,          ///< too many bytes are waiting to be written; nothing was sent
    };
    Q_ENUM(Kind)

    Kind kind = Kind::Lost;
    QString message{};                      ///< one sentence for people
    int code = 0;                           ///< JSON-RPC error code, if Refused
    QJsonValue data{QJsonValue::Undefined}; ///< data of the error, if Refused and present

    /// If Lost: exit code or signal, and the last lines of stderr.
    FailureDetail process{};

    bool operator==(const LspError &) const = default;
};

/// The response to a request.
struct LspResult
{
    std::optional<LspError> error{};
    QJsonValue result{}; ///< of any type, also null; null if there is an error

    bool operator==(const LspResult &) const = default;
};

} // namespace Rekindle
