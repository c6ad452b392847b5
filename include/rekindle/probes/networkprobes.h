// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/probes/export.h>
#include <rekindle/process/healthprobedefinition.h>

#include <QUrl>

namespace Rekindle {

/// Connects to a port, from 1 to 65535, of a host: an address or a name.
[[nodiscard]] REKINDLE_PROBES_EXPORT HealthProbeDefinition
tcpProbe(const QString &host, int port, const HealthSchedule &schedule = {});

/// Gets a URL, http: or https:. A status from 200 to 399 is a success.
[[nodiscard]] REKINDLE_PROBES_EXPORT HealthProbeDefinition
httpProbe(const QUrl &url, const HealthSchedule &schedule = {});

/// The kinds that use the network: tcp and http.
[[nodiscard]] REKINDLE_PROBES_EXPORT ProbeKinds networkProbeKinds();

} // namespace Rekindle
