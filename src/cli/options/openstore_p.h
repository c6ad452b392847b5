// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/telemetry/telemetrystore.h>

#include <memory>

namespace Rekindle {

class Messages;

/// Opens the store of --store, or the default one. Reports an error and returns null if the folder
/// does not exist. Later errors of the store are reported only.
[[nodiscard]] std::unique_ptr<TelemetryStore>
openTelemetryStore(const QString &named, const QString &usual, Messages &messages);

/// Writes what is queued, and reports what is lost.
void closeTelemetryStore(TelemetryStore &store, Messages &messages);

} // namespace Rekindle
