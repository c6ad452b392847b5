// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/telemetry/telemetrystore.h>

#include <memory>

namespace Rekindle {

class Messages;

/// The store that --store names, or else the usual one. What cannot be kept is told, and is no
/// reason not to go on; a name that is mistyped is one: null, which is then said.
[[nodiscard]] std::unique_ptr<TelemetryStore>
openTelemetryStore(const QString &named, const QString &usual, Messages &messages);

/// Writes what waits, and tells what is lost.
void closeTelemetryStore(TelemetryStore &store, Messages &messages);

} // namespace Rekindle
