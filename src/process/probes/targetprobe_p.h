// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/process/processdefinition.h>

namespace Rekindle {

class Scheduler;

/// A probe of any kind but Heartbeat. It may be deleted from inside its own signals.
[[nodiscard]] std::unique_ptr<HealthProbe> makeTargetProbe(const HealthProbeDefinition &definition,
                                                           const ProcessDefinition &surroundings,
                                                           Scheduler &scheduler);

} // namespace Rekindle
