// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/launchgate.h>

namespace Rekindle {

LaunchGate::~LaunchGate() = default;

} // namespace Rekindle
