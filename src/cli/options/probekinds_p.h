// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcppingprobe.h>
#include <rekindle/probes/networkprobes.h>

namespace Rekindle {

/// All kinds of probes, for configurations.
inline ProbeKinds allProbeKinds()
{
    return processProbeKinds() + networkProbeKinds() + ProbeKinds{&mcpPingProbeKind()};
}

} // namespace Rekindle
