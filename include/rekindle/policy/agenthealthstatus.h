// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QMetaType>
#include <QString>

namespace Rekindle {

/// What the health probes of an agent say (spec 6). Unknown until a probe has answered.
struct AgentHealthStatus
{
    enum class State { Unknown, Healthy, Unhealthy };

    State state = State::Unknown;
    int consecutiveMisses = 0;
    QString detail{}; ///< the last probe's answer in words

    bool operator==(const AgentHealthStatus &) const = default;
};

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::AgentHealthStatus)
