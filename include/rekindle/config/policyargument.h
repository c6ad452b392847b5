// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/export.h>
#include <rekindle/policy/parsed.h>
#include <rekindle/policy/restartpolicy.h>

#include <QString>

namespace Rekindle {

/// A policy as people give it to a command: a JSON object (it begins with '{'), a file (it
/// contains '/' or ends in ".json"), else a preset's name. A relative file counts from the current
/// folder. An unknown name is a fault that lists the presets. Never throws. Thread-safe.
[[nodiscard]] REKINDLE_CONFIG_EXPORT Parsed<RestartPolicy>
policyFromArgument(const QString &argument);

} // namespace Rekindle
