// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/export.h>
#include <rekindle/fleet/fleetplacement.h>
#include <rekindle/policy/dependencygraph.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/process/processdefinition.h>

#include <QObject>
#include <QString>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// An entry of `agents` or `mcpServers` in a configuration (spec 10), with defaults and policy
/// names resolved.
struct AgentDefinition
{
    Q_GADGET_EXPORT(REKINDLE_CONFIG_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    enum class Kind {
        Process,   ///< for a ProcessAgent
        McpServer, ///< for an McpAgent
    };
    Q_ENUM(Kind)

    /// When the agent is started.
    enum class Start {
        Auto,   ///< with the host, or when a reload adds it
        Manual, ///< when an operator or the host starts it: AgentSupervisor::setManualStart()
    };
    Q_ENUM(Start)

    Kind kind = Kind::Process;
    Start start = Start::Auto;

    QString name; ///< unique in its configuration; 1 to 64 of letters, digits, '.', '_' and '-'

    /// Complete: all paths are absolute, except a bare program name.
    ProcessDefinition process;

    /// Words by which operators select agents: AgentSupervisor::setTags(). At most 32, distinct, of
    /// the same characters as a name.
    QStringList tags;

    /// The agents and MCP servers that it depends on: AgentDependencies. Their names exist, and
    /// there is no cycle. A group is replaced by its agents.
    QList<Dependency> dependsOn;

    /// The shared breakers that it requires (`requires`): SharedBreakers. They exist.
    QStringList requiredBreakers;

    /// Patterns of files whose change restarts the agent (docs/configuration.md), with absolute
    /// paths. `rekindle up` and AgentHost watch them.
    QStringList watch;

    /// With a value, the agent runs on at most one host of a fleet: AgentHost::useFleet().
    std::optional<FleetPlacement> placement{};

    int priority = 0; ///< of its starts in the queue of the governor, 0 to 9; 9 is served first

    bool outputEvents = false; ///< also emit each line as an event: AgentMonitor::setOutputEvents()

    RestartPolicy policy;
    QString policyName; ///< the name or file in the configuration; empty for an object

    QString pointer; ///< JSON pointer to the entry, for faults that are detected later
    int line = 0;    ///< position of the entry, 1-based; 0: not from a text
    int column = 0;
    QString file; ///< the included file with the entry; empty: the configuration itself

    /// Returns whether the agent is ready as soon as it is started: AgentSupervisor::add().
    [[nodiscard]] bool isReadyAtOnce() const
    {
        return kind == Kind::Process && process.readiness.kind == Readiness::Kind::Now;
    }

    /// Returns whether the agent becomes ready at once or by a mere timer, which is no evidence
    /// that the start has succeeded.
    [[nodiscard]] bool isReadyByTimer() const
    {
        return isReadyAtOnce()
            || (kind == Kind::Process && process.readiness.kind == Readiness::Kind::Alive);
    }

    bool operator==(const AgentDefinition &) const = default;
};

} // namespace Rekindle
