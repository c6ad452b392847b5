// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "agentnames_p.h"
#include "policyresolver_p.h"
#include "probereader_p.h"

#include <rekindle/config/agentdefinition.h>

#include <QDir>

namespace Rekindle {

/// Reads an entry of `mcpServers` of a configuration. The server is started in `folder`, and its
/// paths count from it. `defaults` do not apply, because they are for programs whose stdout is not
/// a protocol. Returns nothing if the entry must not be started or has a fault.
[[nodiscard]] std::optional<AgentDefinition> readMcpAgent(const JsonPlace &place,
                                                          PolicyResolver &policies,
                                                          AgentNames &names, const QDir &folder,
                                                          const ProbeReader &probes);

} // namespace Rekindle
