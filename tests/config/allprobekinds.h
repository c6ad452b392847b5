// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/mcppingprobe.h>
#include <rekindle/probes/networkprobes.h>

namespace Rekindle {

/// The kinds of probes that the command has.
inline ProbeKinds allProbeKinds()
{
    return processProbeKinds() + networkProbeKinds() + ProbeKinds{&mcpPingProbeKind()};
}

} // namespace Rekindle
