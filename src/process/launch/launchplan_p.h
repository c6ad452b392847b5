// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "childenvironment_p.h"
#include "launcher_p.h"
#include "launchfault_p.h"
#include "process/definition/credentials_p.h"

#include <rekindle/process/processdefinition.h>

#include <optional>
#include <variant>

namespace Rekindle {

/// The parts of a launch that do not change between starts. They are computed once, so that a
/// restart is fast.
class LaunchPlan
{
public:
    explicit LaunchPlan(const ProcessDefinition &definition);

    /// Checks the definition and looks up the user, the group and the program. A program that was
    /// found is looked up again only if it can no longer be executed.
    [[nodiscard]] std::optional<LaunchFault> prepare();

    /// Launches the program. `request` and `extraEnvironment` are for this start only. Empty
    /// entries of the environment are skipped.
    [[nodiscard]] std::variant<LaunchResult, LaunchFault>
    launch(LaunchRequest request, std::initializer_list<QByteArray> extraEnvironment);

private:
    [[nodiscard]] std::optional<LaunchFault> findIdentity();
    [[nodiscard]] std::optional<LaunchFault> findProgram();
    [[nodiscard]] LaunchFault faultOf(const LaunchResult &result) const;

    const ProcessDefinition &m_definition;
    ChildEnvironment m_environment;
    std::optional<Credentials> m_credentials;
    std::vector<ChildLimit> m_limits; // in the order of the definition
    QByteArray m_program;             // absolute; empty: to be looked up
    QByteArray m_workingDirectory;
    std::vector<QByteArray> m_argumentTexts;
    std::vector<char *> m_arguments;
};

} // namespace Rekindle
