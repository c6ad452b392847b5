// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "wire/errorcodes_p.h"

namespace Rekindle::ErrorCode {

// MCP up to 2025-11-25
inline constexpr int connectionClosed = -32000;
inline constexpr int requestTimeout = -32001;
inline constexpr int resourceNotFound = -32002;
inline constexpr int urlElicitationRequired = -32042;

// The Language Server Protocol's, which MCP servers use, too.
inline constexpr int requestCancelled = -32800;

// MCP from 2026-07-28
inline constexpr int unsupportedProtocolVersion = -32022;

// Rekindle's own for modern clients: the modern revisions reserve -32000 and -32001 for others.
inline constexpr int modernConnectionClosed = -31000;
inline constexpr int modernRequestTimeout = -31001;

} // namespace Rekindle::ErrorCode
