// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/agentdefinition.h>
#include <rekindle/config/export.h>
#include <rekindle/config/fleetdefinition.h>
#include <rekindle/json/parsed.h>
#include <rekindle/policy/governor.h>
#include <rekindle/policy/groupdefinition.h>
#include <rekindle/policy/sharedbreaker.h>
#include <rekindle/process/healthprobedefinition.h>

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// What decides the trials of a shared breaker instead of an agent.
struct SharedBreakerProbe
{
    HealthProbeDefinition probe{}; ///< its kind allows ProbeKind::Use::Readiness
    QString folder{};              ///< in which a command runs

    bool operator==(const SharedBreakerProbe &) const = default;
};

/// A complete and validated configuration.
struct Configuration
{
    QMap<QString, RestartPolicy> policies; ///< its own policies by name, without presets
    /// At least one agent: the entries of `agents` and then of `mcpServers`, in the order of the
    /// file, then the agents of the included files.
    QList<AgentDefinition> agents;
    QList<GroupDefinition> groups; ///< in the order of the file, then of the included files
    QList<SharedBreakerPolicy> sharedBreakers;             ///< in the same order as groups
    QMap<QString, SharedBreakerProbe> sharedBreakerProbes; ///< of some of them, by name
    std::optional<GovernorLimits> governor; ///< of the configuration itself, not of included files
    std::optional<FleetDefinition> fleet;   ///< likewise; without it, no agent has a placement
    QStringList policyFiles;                ///< absolute paths of its policy files
    QStringList environmentFiles;           ///< absolute paths of its environment files that exist
    QStringList includedFiles;              ///< absolute paths of the included files
    QMap<QString, QString> policyOrigins;   ///< by name, the included file of the policy, if any

    bool operator==(const Configuration &) const = default;
};

/// Reads and validates a configuration file of at most 8 MiB. Relative paths in it are relative to
/// its folder. Its probes may have the given kinds. The probes and mcp components have more:
/// networkProbeKinds() and mcpPingProbeKind().
///
/// Returns all faults together. A file that cannot be read is one fault without a position. A
/// program that is not found is a warning, because it may be installed later. Blocks while it
/// reads. Never throws. Thread-safe.
[[nodiscard]] REKINDLE_CONFIG_EXPORT Parsed<Configuration>
loadConfiguration(const QString &path, const ProbeKinds &kinds = processProbeKinds());

/// Validates the text of a configuration. Relative paths are relative to `baseDirectory`. `file` is
/// the name in faults.
[[nodiscard]] REKINDLE_CONFIG_EXPORT Parsed<Configuration>
parseConfiguration(const QByteArray &json, const QString &baseDirectory, const QString &file = {},
                   const ProbeKinds &kinds = processProbeKinds());

/// Adds line and column to faults whose paths are JSON pointers into the file `path`, or into the
/// included file that they name. If a pointer leads to nothing, the position is the place of its
/// nearest existing parent. For faults that are detected later, for example by a plug-in's schema.
/// Faults stay unchanged if the file cannot be read.
[[nodiscard]] REKINDLE_CONFIG_EXPORT QList<Fault> placedFaults(QList<Fault> faults,
                                                               const QString &path);

/// Returns the JSON schema (draft 2020-12) of a configuration, for editors. It does not cover
/// ranges of durations and rules across several keys; loadConfiguration() checks those, too.
[[nodiscard]] REKINDLE_CONFIG_EXPORT QByteArray configurationSchema();

} // namespace Rekindle
