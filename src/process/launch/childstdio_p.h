// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/uniquefd_p.h"
#include "launchfault_p.h"

#include <rekindle/process/processdefinition.h>

#include <array>

namespace Rekindle {

/// The standard streams of one start.
class ChildStdio
{
public:
    [[nodiscard]] std::optional<LaunchFault> open(const ProcessDefinition &definition);

    /// The descriptors that become 0, 1 and 2 of the child. Valid during the lifetime of this
    /// object.
    [[nodiscard]] std::array<int, 3> childFds() const { return m_fds; }

    /// The ends of the pipes that the host uses, non-blocking. Closed if there is no pipe.
    UniqueFd input;
    UniqueFd output;
    UniqueFd error;

private:
    std::optional<LaunchFault> openOutput(const OutputTarget &target, unsigned number,
                                          UniqueFd &own);
    std::optional<LaunchFault> useNull(unsigned number);
    std::optional<LaunchFault> makePipe(unsigned number, UniqueFd &own);

    std::array<int, 3> m_fds{-1, -1, -1};
    std::array<UniqueFd, 3> m_theirs;
};

} // namespace Rekindle
