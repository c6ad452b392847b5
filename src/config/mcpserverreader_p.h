// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "policyresolver_p.h"

#include "json/jsonplace.h"

#include <rekindle/config/mcpservers.h>

namespace Rekindle {

/// Reads an entry of an MCP server file. Returns nothing if the entry must not be started or has a
/// fault.
[[nodiscard]] std::optional<McpServerDefinition> readGatewayServer(const JsonPlace &place,
                                                                   PolicyResolver &policies);

/// The keys of an entry that only the gateway uses.
[[nodiscard]] QStringList gatewayKeys();

} // namespace Rekindle
