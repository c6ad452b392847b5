// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace Rekindle {

/// The user and the groups of a child.
struct ChildIdentity
{
    uid_t user = 0;
    gid_t group = 0;
    const gid_t *groups = nullptr; ///< the supplementary groups; null: inherited
    std::size_t groupCount = 0;
};

} // namespace Rekindle
