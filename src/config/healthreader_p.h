// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <policy/json/jsonobjectreader_p.h>

#include <rekindle/policy/healthprobedefinition.h>

#include <QDir>
#include <QList>

namespace Rekindle {

/// Whose probes they are.
enum class HealthOf { Process, McpServer };

/// Reads `health`, an array of probes, in the place of what `target` holds.
void readHealth(JsonObjectReader &object, const QDir &folder, HealthOf whose,
                QList<HealthProbeDefinition> &target);

/// Reads the `probe` of ready, of which only target, interval and timeout mean something.
void readReadyProbe(const JsonPlace &place, const QDir &folder, HealthProbeDefinition &target);

} // namespace Rekindle
