// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/agenthealthstatus.h>

#include "json/enumnames.h"

namespace Rekindle {

namespace {
using State = AgentHealthStatus::State;
constexpr std::array<EnumName<State>, 3> names = {{
    {State::Unknown, QLatin1String("Unknown")},
    {State::Healthy, QLatin1String("Healthy")},
    {State::Unhealthy, QLatin1String("Unhealthy")},
}};
} // namespace

QString toText(AgentHealthStatus::State state) { return nameOf(names, state); }

} // namespace Rekindle
