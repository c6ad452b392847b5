// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "optiontypes_p.h"

#include <rekindle/config/configuration.h>
#include <rekindle/config/mcpservers.h>
#include <rekindle/lifecycle/customevaluators.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/validation.h>

#include <QList>
#include <QStringList>

#include <memory>

namespace Rekindle {

class EvaluatorHost;
class FeatureGate;
class Messages;

/// Adds --plugins DIR, which can be repeated. These folders are searched before the command's own.
void addEvaluatorOption(CLI::App &parser, QStringList &folders);

/// Creates a host with these folders and the command's own one. Its plug-ins must be permitted by
/// the current tier of the gate, which must outlive the host.
[[nodiscard]] std::unique_ptr<EvaluatorHost> makeEvaluatorHost(const QStringList &folders,
                                                               const FeatureGate &gate);

[[nodiscard]] inline bool isCustom(const RestartPolicy &policy)
{
    return policy.type == RestartPolicyType::Custom && policy.evaluator;
}

/// Checks the evaluator of a policy.
[[nodiscard]] QList<Fault> evaluatorFaults(const RestartPolicy &policy, const QStringList &folders);

/// Loads a configuration with all kinds of probes. Checks its evaluators, and whether the limit of
/// descriptors permits its agents with this number of connections to the host. Their faults, which
/// may be warnings, are added to those of the configuration, which still has a value. Agents
/// without a working directory get `workingDirectory`; if it is empty, they get that of the host.
[[nodiscard]] Parsed<Configuration> loadForHost(const QString &path, const QStringList &folders,
                                                int connections = 0,
                                                const QString &workingDirectory = {});

/// Loads an MCP server file and checks its evaluators. `startTimeout`: see loadMcpServers().
[[nodiscard]] Parsed<McpServers>
loadForGateway(const QString &path, const QStringList &folders,
               Duration startTimeout = RestartPolicy().startTimeout);

/// Reports the faults of a policy's evaluator. An error ends the command.
void checkEvaluator(const RestartPolicy &policy, const QStringList &folders, Messages &messages);

/// The message about a fault.
[[nodiscard]] QString evaluatorFaultText(const EvaluatorFault &fault, const QString &agent);

} // namespace Rekindle
