// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "spawnpolicies_p.h"

namespace Rekindle {

SpawnPolicies::SpawnPolicies(const RestartPolicy &spawn)
    : starting(spawn)
    , ready(spawn)
{
    starting.restartOn = RestartOn::Always;
    starting.rearmAfter.reset();
    ready.type = RestartPolicyType::None;
    ready.evaluator.reset();
}

} // namespace Rekindle
