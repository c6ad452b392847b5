// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/enums.h>

#include <QString>

#include <optional>

namespace Rekindle {

/// Returns the command of an operator that causes this input; empty if it is another input.
[[nodiscard]] constexpr std::optional<OperatorCommand> commandOf(InputKind input)
{
    switch (input) {
    case InputKind::Start:
        return OperatorCommand::Start;
    case InputKind::Stop:
        return OperatorCommand::Stop;
    case InputKind::Restart:
        return OperatorCommand::Restart;
    case InputKind::ResetBreaker:
        return OperatorCommand::ResetBreaker;
    case InputKind::IsolateBreaker:
        return OperatorCommand::IsolateBreaker;
    case InputKind::ReleaseBreaker:
        return OperatorCommand::ReleaseBreaker;
    default:
        return {};
    }
}

/// Returns why a command for a circuit breaker changes nothing.
[[nodiscard]] inline QString noEffectText(OperatorCommand command)
{
    switch (command) {
    case OperatorCommand::IsolateBreaker:
        return QStringLiteral("the circuit breaker is already isolated");
    case OperatorCommand::ReleaseBreaker:
        return QStringLiteral("the circuit breaker is not isolated");
    default:
        return QStringLiteral("the circuit breaker is closed");
    }
}

} // namespace Rekindle
