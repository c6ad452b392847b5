// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "policyresolver_p.h"

#include "json/jsonplace.h"

#include <rekindle/config/mcpservers.h>

namespace Rekindle {

/// Reads the entries of an MCP server file.
class McpServerReader
{
public:
    explicit McpServerReader(PolicyResolver &policies)
        : m_policies(policies)
    {
    }

    /// Returns nothing if the entry must not be started or has a fault.
    [[nodiscard]] std::optional<McpServerDefinition> read(const JsonPlace &place);

private:
    PolicyResolver &m_policies;
};

/// The keys of an entry that only the gateway uses.
[[nodiscard]] QStringList gatewayKeys();

} // namespace Rekindle
