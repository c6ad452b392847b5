// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>

namespace Rekindle {

/// Permits every policy.
inline void grantAll(AgentSupervisor &supervisor)
{
    auto *license = new FixedLicenseProvider(LicenseTier::Enterprise, &supervisor);
    supervisor.featureGate().setProvider(license);
}

} // namespace Rekindle
