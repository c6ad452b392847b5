// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "wire/errorcodes_p.h"

#include <rekindle/json/fault.h>

#include <QByteArray>
#include <QList>
#include <QString>

#include <variant>

namespace Rekindle {

namespace ErrorCode {

inline constexpr int unknownAgent = -32001;
inline constexpr int helloRequired = -32002;
inline constexpr int forbidden = -32003;
inline constexpr int refused = -32004;
inline constexpr int tooLarge = -32005;
inline constexpr int busy = -32006;
inline constexpr int cursorGone = -32007;
inline constexpr int configInvalid = -32008;
inline constexpr int stopping = -32009;
inline constexpr int timedOut = -32010;
inline constexpr int unsupportedProtocol = -32011;
inline constexpr int requestCancelled = -32012;
inline constexpr int unknownSharedBreaker = -32013;

} // namespace ErrorCode

/// An error response of the control protocol.
struct ControlError
{
    int code = ErrorCode::internalError;
    QString message{};
    QByteArray data{}; ///< JSON on one line, or empty
};

/// The result as JSON on one line, or the error.
using ControlResponse = std::variant<QByteArray, ControlError>;

/// The error response for params with faults.
[[nodiscard]] ControlError invalidParams(const QList<Fault> &faults);

/// The error response for an operation that a rule of the host does not permit.
[[nodiscard]] ControlError refused(const char *rule, const QString &message);

/// The error response while the host stops its agents.
[[nodiscard]] ControlError stopping(const QString &message);

} // namespace Rekindle
