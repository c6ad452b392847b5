// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/export.h>
#include <rekindle/json/parsed.h>
#include <rekindle/policy/restartpolicy.h>

#include <QString>

namespace Rekindle {

/// Parses a policy argument of a command: a JSON object (begins with '{'), a file (contains '/' or
/// ends in ".json"), otherwise the name of a preset. A relative file is relative to the current
/// folder. An unknown name is a fault that lists the presets. `startTimeout` is that of a policy
/// that contains none, and of a preset. Never throws. Thread-safe.
[[nodiscard]] REKINDLE_CONFIG_EXPORT Parsed<RestartPolicy>
policyFromArgument(const QString &argument, Duration startTimeout = RestartPolicy().startTimeout);

} // namespace Rekindle
