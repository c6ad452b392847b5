// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/customevaluators.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/validation.h>

#include <QList>
#include <QString>
#include <QStringList>

#include <memory>
#include <string>

namespace CLI {
class App;
}

namespace Rekindle {

struct Configuration;
class EvaluatorHost;
class FeatureGate;

/// Adds --plugins DIR, which may be repeated. What it names is searched before the folder that
/// belongs to the command.
void addEvaluatorOption(CLI::App &parser, QStringList &folders,
                        const std::string &name = "--plugins");

/// With these folders, and the command's own: where it was installed, or in a build tree.
[[nodiscard]] std::unique_ptr<EvaluatorHost> makeEvaluatorHost(const QStringList &folders);

/// Such a host, whose plug-ins must be within the tier that the gate has whenever one is wanted. It
/// keeps the reference.
[[nodiscard]] std::unique_ptr<EvaluatorHost> makeEvaluatorHost(const QStringList &folders,
                                                               const FeatureGate &gate);

/// Faults of the evaluators that a policy or a configuration names, with their places in the file.
/// Nothing is searched where there is none.
[[nodiscard]] QList<Fault> evaluatorFaults(const RestartPolicy &policy, const QStringList &folders);
[[nodiscard]] QList<Fault> evaluatorFaults(const Configuration &configuration, const QString &file,
                                           const QStringList &folders);

/// One sentence for people.
[[nodiscard]] QString evaluatorFaultText(const EvaluatorFault &fault, const QString &agent);

} // namespace Rekindle
