// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "policyresolver_p.h"

#include <policy/json/jsonplace_p.h>

#include <rekindle/config/mcpservers.h>

namespace Rekindle {

/// Reads one entry of a file of MCP servers after the other.
class McpServerReader
{
public:
    explicit McpServerReader(PolicyResolver &policies)
        : m_policies(policies)
    {
    }

    /// Nothing where the entry is not to be started, or has a fault.
    [[nodiscard]] std::optional<McpServerDefinition> read(const JsonPlace &place);

private:
    PolicyResolver &m_policies;
};

/// The text with its variables replaced; a fault at the place for one that cannot be.
[[nodiscard]] QString withVariables(const JsonPlace &place, const QString &text);

/// Says of the keys of others, which are all but `known`, that they are ignored.
void noteOthers(const JsonPlace &object, const QStringList &known);

} // namespace Rekindle
