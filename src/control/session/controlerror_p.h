// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/control/controlerror.h>
#include <rekindle/json/fault.h>

#include <QByteArray>

#include <variant>

namespace Rekindle {

/// The result of a request as JSON on one line, or the error.
using ControlResponse = std::variant<QByteArray, ControlError>;

/// An error response. An empty id is that of a request that could not be read.
[[nodiscard]] QByteArray errorLine(QByteArrayView id, const ControlError &error);

/// The error response for params with faults.
[[nodiscard]] ControlError invalidParams(const QList<Fault> &faults);

/// The error response for an operation that a rule of the host does not permit.
[[nodiscard]] ControlError refused(const char *rule, const QString &message);

/// The error response while the host stops its agents.
[[nodiscard]] ControlError stopping(const QString &message);

/// The same if a slot has destroyed the host.
[[nodiscard]] inline ControlError hostExits() { return stopping(QStringLiteral("the host exits")); }

} // namespace Rekindle
