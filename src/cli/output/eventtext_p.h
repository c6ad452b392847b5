// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QByteArray>
#include <QJsonObject>
#include <QString>

namespace Rekindle {

/// Describes an event briefly: "restart 2 of 5 in 1.9s". `type` is that of eventType(), and `json`
/// that of eventToJson() or of a stored event.
[[nodiscard]] QString eventText(const QString &type, const QByteArray &json);

/// "ProcessCrash: exit code 1" from the JSON of a failure.
[[nodiscard]] QString failureText(const QString &reason, const QJsonObject &detail);

/// The value of a key as text, or an empty text.
[[nodiscard]] QString textIn(const QJsonObject &object, const char *key);

/// The duration in a key that counts milliseconds.
[[nodiscard]] Duration durationIn(const QJsonObject &object, const char *key);

} // namespace Rekindle
