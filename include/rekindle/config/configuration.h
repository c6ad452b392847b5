// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/agentdefinition.h>
#include <rekindle/config/export.h>
#include <rekindle/policy/parsed.h>

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace Rekindle {

/// A configuration that can be supervised as it stands: nothing in it is left to be checked.
struct Configuration
{
    QMap<QString, RestartPolicy> policies; ///< its own, by name; presets are not among them
    /// At least one: those of `agents` and then those of `mcpServers`, each in the order of the
    /// file.
    QList<AgentDefinition> agents;
    QStringList policyFiles; ///< the files of policies that it names, absolute

    bool operator==(const Configuration &) const = default;
};

/// Reads and checks a configuration file of at most 8 MiB. Relative paths in it count from its
/// folder. A file that cannot be read is one fault without a position.
///
/// All faults come at once. A program that is not found is a warning, for it may be there later.
/// Blocks for as long as reading the files takes. Never throws. Thread-safe.
[[nodiscard]] REKINDLE_CONFIG_EXPORT Parsed<Configuration> loadConfiguration(const QString &path);

/// The same for a text at hand. `baseDirectory` is the folder that relative paths count from,
/// `file` the name for its faults.
[[nodiscard]] REKINDLE_CONFIG_EXPORT Parsed<Configuration>
parseConfiguration(const QByteArray &json, const QString &baseDirectory, const QString &file = {});

/// Gives faults whose paths are JSON pointers into this file their places there: line and column of
/// what the pointer leads to, or of the last thing on the way that exists. For faults that are
/// found later, for example by a plug-in's schema. Unchanged where the file cannot be read any
/// more.
[[nodiscard]] REKINDLE_CONFIG_EXPORT QList<Fault> placedFaults(QList<Fault> faults,
                                                               const QString &path);

/// The JSON schema (draft 2020-12) of a configuration, for editors. Ranges of durations and rules
/// that join several keys are beyond it; loadConfiguration() checks those too.
[[nodiscard]] REKINDLE_CONFIG_EXPORT QByteArray configurationSchema();

} // namespace Rekindle
