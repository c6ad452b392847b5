// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

namespace Rekindle {

struct CommandRow;

// The rows of all commands, in the order of the help. A group comes before its commands.
// clang-format off
#define REKINDLE_COMMANDS(row) \
    row(runCommand) row(mcpCommand) row(toolsGroup) row(toolsListCommand) row(toolsCallCommand) \
    row(upCommand) row(checkCommand) row(initCommand) row(importCommand) row(planCommand) \
    row(simulateCommand) row(replayCommand) row(licenseGroup) row(licenseKeygenCommand) \
    row(licenseIssueCommand) row(licenseVerifyCommand) row(historyCommand) row(explainCommand) \
    row(pluginsCommand) row(hostsCommand) row(statusCommand) row(topCommand) row(eventsCommand) \
    row(logsCommand) row(waitCommand) row(startCommand) row(stopCommand) row(restartCommand) \
    row(retryCommand) row(resetCommand) row(isolateCommand) row(releaseCommand) \
    row(reloadCommand) row(downCommand) row(fleetGroup) row(fleetStatusCommand) \
    row(fleetDrainCommand) row(fleetMoveCommand) row(fleetEventsCommand) row(controlStdioCommand) row(controlMcpCommand) \
    row(completionCommand)
// clang-format on

#define REKINDLE_DECLARE_COMMAND(name) extern const CommandRow name;
REKINDLE_COMMANDS(REKINDLE_DECLARE_COMMAND)

} // namespace Rekindle
