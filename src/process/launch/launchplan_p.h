// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "childenvironment_p.h"
#include "launcher_p.h"
#include "launchfault_p.h"

#include <rekindle/process/processdefinition.h>

#include <optional>
#include <variant>

namespace Rekindle {

/// All of a definition that does not change between starts, worked out once, so that a restart
/// does next to nothing between the end of a process and the execution of the next.
class LaunchPlan
{
public:
    explicit LaunchPlan(const ProcessDefinition &definition);

    /// What is wrong with it, or with the program, before anything is opened. The program is
    /// looked up until it is found, and then anew only when it cannot be executed any more.
    [[nodiscard]] std::optional<LaunchFault> prepare();

    /// Launches it. `request` has what belongs to this start alone, `extraEnvironment` too; empty
    /// entries of that are left out.
    [[nodiscard]] std::variant<LaunchResult, LaunchFault>
    launch(LaunchRequest request, std::initializer_list<QByteArray> extraEnvironment);

private:
    [[nodiscard]] std::optional<LaunchFault> definitionFault() const;
    [[nodiscard]] std::optional<LaunchFault> findProgram();
    [[nodiscard]] LaunchFault faultOf(const LaunchResult &result) const;

    const ProcessDefinition &m_definition;
    ChildEnvironment m_environment;
    QByteArray m_program; // absolute; empty: to be looked up
    QByteArray m_workingDirectory;
    std::vector<QByteArray> m_argumentTexts;
    std::vector<char *> m_arguments;
};

} // namespace Rekindle
