// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/failure.h>
#include <rekindle/policy/lifecycleevent.h>

#include <QByteArray>
#include <QString>

namespace Rekindle {

/// Describes an event for people: "restart 2 of 5 in 1.9s". Texts of agents are included unchanged;
/// they can contain control characters. Thread-safe.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString eventText(const LifecycleEvent &event);

/// Describes a stored event in the same way. `type` is the result of eventType(), "tool.finished"
/// or "events.gap". `json` is the result of eventToJson() or toJson(ToolCallFinished), or a stored
/// event. For an unknown type, returns the type and the JSON. Thread-safe.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString eventText(const QString &type, const QByteArray &json);

/// Describes a failure for people: "ProcessCrash: exit code 1", "ProcessCrash: SIGSEGV", "Timeout:
/// not ready within 30s". Thread-safe.
[[nodiscard]] REKINDLE_POLICY_EXPORT QString failureText(FailureReason reason,
                                                         const FailureDetail &detail);

} // namespace Rekindle
