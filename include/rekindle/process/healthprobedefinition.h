// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/healthschedule.h>
#include <rekindle/process/probekind.h>

#include <QStringList>
#include <QVariantMap>

namespace Rekindle {

/// One health probe of an agent, as it is configured. Functions such as execProbe() and tcpProbe()
/// create one.
struct REKINDLE_PROCESS_EXPORT HealthProbeDefinition
{
    const ProbeKind *kind = nullptr; ///< null: none
    QVariantMap settings{};          ///< the keys of the kind
    HealthSchedule schedule{};

    /// The setting, or the default of its key.
    [[nodiscard]] QVariant value(const QString &key) const;

    bool operator==(const HealthProbeDefinition &) const = default;
};

/// Runs a program with arguments. Exit code 0 is a success.
[[nodiscard]] REKINDLE_PROCESS_EXPORT HealthProbeDefinition
execProbe(const QStringList &command, const HealthSchedule &schedule = {});

/// Expects Agent::heartbeat() at least once per interval and timeout.
[[nodiscard]] REKINDLE_PROCESS_EXPORT HealthProbeDefinition
heartbeatProbe(const HealthSchedule &schedule = {});

/// Returns all faults of a probe. The paths are as in a configuration: "/port".
[[nodiscard]] REKINDLE_PROCESS_EXPORT QList<Fault> validate(const HealthProbeDefinition &probe);

} // namespace Rekindle
