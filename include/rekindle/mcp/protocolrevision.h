// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

namespace Rekindle {

/// The protocol revisions of MCP, as far as sessions differ (spec 9).
enum class ProtocolRevision {
    Unknown, ///< not determined yet
    Legacy,  ///< up to 2025-11-25: the session opens with initialize
    Modern,  ///< from 2026-07-28: no handshake, every request names the revision
};

} // namespace Rekindle
