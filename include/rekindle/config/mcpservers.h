// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/export.h>
#include <rekindle/mcp/callretry.h>
#include <rekindle/policy/parsed.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/process/processdefinition.h>

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace Rekindle {

/// One entry of a file of MCP servers that can be started.
struct McpServerDefinition
{
    QString name; ///< its key: any text that is not empty

    /// As WatchdogProxy::serverDefinition() makes it, with the entry's environment and folder.
    ProcessDefinition process;

    std::optional<RestartPolicy> policy{}; ///< nothing: what the host takes for all
    std::optional<CallRetry> retry{};
    std::optional<Duration> callTimeout{}; ///< more than 0

    /// It is started by the first request that needs it, and not restarted in the background (S0);
    /// `policy` is that of its starts, `spawn` where there is none.
    bool restartOnExit = false;

    QString pointer; ///< to the entry, for faults that are found later
    int line = 0;    ///< where the entry begins, 1-based
    int column = 0;

    bool operator==(const McpServerDefinition &) const = default;
};

/// A file of MCP servers as editors have it (spec 9, 10).
struct McpServers
{
    QList<McpServerDefinition> servers; ///< at least one, in the order of the file

    bool operator==(const McpServers &) const = default;
};

/// Reads a file of MCP servers: `mcpServers` of Claude and Cursor or `servers` of VS Code, of at
/// most 8 MiB, with comments and commas before a closing bracket. In what is started `${env:NAME}`,
/// `${NAME}`, `${NAME:-DEFAULT}`, `${workspaceFolder}` and `${userHome}` are replaced. Entries
/// of other transports are left out, and keys of others ignored: a warning says so. Disabled
/// entries are left out.
///
/// Where an editor starts such a server it does so in its workspace, and so does the host: relative
/// paths of commands, arguments and `cwd` count from the host's working directory, which is also
/// the workspace folder. Policy files count from the folder of this file.
///
/// All faults come at once. Blocks for as long as reading the files takes. Never throws.
[[nodiscard]] REKINDLE_CONFIG_EXPORT Parsed<McpServers> loadMcpServers(const QString &path);

/// The same for a text at hand. `baseDirectory` is the folder that policy files count from,
/// `file` the name for its faults.
[[nodiscard]] REKINDLE_CONFIG_EXPORT Parsed<McpServers>
parseMcpServers(const QByteArray &text, const QString &baseDirectory, const QString &file = {});

} // namespace Rekindle
