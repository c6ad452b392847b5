// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>

#include <QUuid>

namespace Rekindle {

/// Decides whether an agent may be launched now. Set it with AgentSupervisor::setLaunchGate().
class REKINDLE_LIFECYCLE_EXPORT LaunchGate
{
public:
    virtual ~LaunchGate();

    /// The start of an agent is due, and no hold is left. If it returns false, the start is held
    /// with Hold::Governor. The gate must lift this hold later, and admit() is then called again.
    /// Called in the thread of the supervisor. It must not call the supervisor.
    virtual bool admit(const QUuid &instanceId) = 0;
};

} // namespace Rekindle
