// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/commands/command_p.h"
#include "hostchoice_p.h"
#include "hostconnection_p.h"

namespace Rekindle {

/// A command that sends requests to a running host, which --host and --config select.
class HostCommand : public Command
{
public:
    void addOptions(CLI::App &command) final;
    int execute(Messages &messages) final;

protected:
    /// Adds its options, except those that select the host.
    virtual void addOwnOptions(CLI::App &command) = 0;

    /// Sends its requests. Returns the exit code. A failed request ends the command.
    virtual int executeOn(HostConnection &host, Messages &messages) = 0;

private:
    HostChoice m_choice;
};

enum class Names { Agents, NoAgents };

/// The exit codes of such a command with its own ones. `names`: whether it accepts names of agents.
[[nodiscard]] ExitCodes hostCodes(ExitCodes own, Names names = Names::Agents);

} // namespace Rekindle
