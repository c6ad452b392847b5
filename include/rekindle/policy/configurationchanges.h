// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QFlags>
#include <QList>
#include <QString>
#include <QStringList>

namespace Rekindle {

/// A part of the definition of an agent. A reload treats each part differently.
enum class DefinitionPart {
    Process = 1, ///< what is started, and how it becomes ready and stops: needs a restart
    Policy = 2,  ///< when it is restarted; no process is touched
    Health = 4,  ///< its probes, which begin again; no process is touched
    /// Its tags, its start with the host, what it depends on, its output events, and its limits of
    /// memory, CPU and processes; no process is touched.
    Options = 8,
};
Q_DECLARE_FLAGS(DefinitionParts, DefinitionPart)
Q_DECLARE_OPERATORS_FOR_FLAGS(DefinitionParts)

/// The names of the parts in JSON: "process", "policy", "health", "options".
[[nodiscard]] inline QStringList toTexts(DefinitionParts parts)
{
    QStringList texts;
    if (parts.testFlag(DefinitionPart::Process))
        texts.append(QStringLiteral("process"));
    if (parts.testFlag(DefinitionPart::Policy))
        texts.append(QStringLiteral("policy"));
    if (parts.testFlag(DefinitionPart::Health))
        texts.append(QStringLiteral("health"));
    if (parts.testFlag(DefinitionPart::Options))
        texts.append(QStringLiteral("options"));
    return texts;
}

/// An agent whose definition has changed.
struct ChangedAgent
{
    QString agent;
    DefinitionParts parts{};
    QStringList keys{}; ///< the keys of the configuration that have changed, if they are known
    /// Whether it is restarted because of that. An agent that does not run gets the new definition
    /// at its next start.
    bool isRestarted = false;

    bool operator==(const ChangedAgent &) const = default;
};

/// What a new configuration changes. Each agent of the old and the new one is in one list.
struct ConfigurationChanges
{
    QStringList added;
    QStringList removed;
    QList<ChangedAgent> changed;
    QStringList unchanged;
    /// The keys of the whole configuration that have changed: "governor", "groups" and
    /// "sharedBreakers".
    QStringList sections{};

    bool operator==(const ConfigurationChanges &) const = default;
};

} // namespace Rekindle
