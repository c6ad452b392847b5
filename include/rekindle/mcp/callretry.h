// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

namespace Rekindle {

/// Which calls are made again when they fail (spec 9). One whose bytes no server has read is always
/// made again.
enum class CallRetry {
    Safe,   ///< what only reads, or whose tool says that it is read-only or idempotent
    Always, ///< all of them, also where the tool itself says that it has failed (S3)
    Never,  ///< none
};

} // namespace Rekindle
