// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/restartpolicy.h>

namespace Rekindle {

/// The restart policies of a server that is started on demand (S0).
struct SpawnPolicies
{
    /// `spawn` is the policy of one start with all its attempts.
    explicit SpawnPolicies(const RestartPolicy &spawn)
        : starting(spawn)
        , ready(spawn)
    {
        starting.restartOn = RestartOn::Always;
        starting.rearmAfter.reset();
        ready.type = RestartPolicyType::None;
        ready.evaluator.reset();
    }

    RestartPolicy starting; ///< an exit before the server is ready is a failure, even with 0
    RestartPolicy ready;    ///< never restarts
};

} // namespace Rekindle
