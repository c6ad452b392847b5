// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

namespace Rekindle {

/// Which failed calls are retried (spec 9). A call that no server has read is always retried.
enum class CallRetry {
    Safe,   ///< read-only methods, and tools annotated read-only or idempotent
    Always, ///< all calls, including results with isError (S3)
    Never,  ///< none
};

} // namespace Rekindle
