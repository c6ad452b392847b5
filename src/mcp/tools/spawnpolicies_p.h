// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/restartpolicy.h>

namespace Rekindle {

/// What holds for a server that is started by those who need it (S0), made of the policy for its
/// starts.
struct SpawnPolicies
{
    explicit SpawnPolicies(const RestartPolicy &spawn);

    RestartPolicy starting; ///< one that ends before it is ready is none, whatever its exit code
    RestartPolicy ready;    ///< nothing starts it again but who needs it
};

} // namespace Rekindle
