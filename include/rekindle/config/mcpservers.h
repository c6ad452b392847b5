// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/export.h>
#include <rekindle/json/parsed.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/policy/toolselection.h>
#include <rekindle/process/processdefinition.h>

#include <QByteArray>
#include <QList>
#include <QString>

#include <functional>
#include <optional>

namespace Rekindle {

/// An entry of an MCP server file.
struct McpServerDefinition
{
    QString name; ///< its key; not empty

    /// ProcessDefinition::stdioServer() with the environment and the folder of the entry.
    ProcessDefinition process;

    std::optional<RestartPolicy> policy{}; ///< nullopt: the default of the host
    std::optional<CallRetry> retry{};
    std::optional<Duration> callTimeout{}; ///< more than 0
    /// Replaces RestartPolicy::startTimeout; nullopt: as in the policy or the host
    std::optional<Duration> startTimeout{};
    ToolSelection tools{}; ///< `enabledTools` and `disabledTools`

    /// The server starts on demand and is not restarted in the background (S0). `policy` then
    /// applies to its starts; the default is `spawn`.
    bool restartOnExit = false;

    QString pointer; ///< JSON pointer to the entry, for faults that are detected later
    int line = 0;    ///< position of the entry, 1-based
    int column = 0;

    bool operator==(const McpServerDefinition &) const = default;
};

/// An MCP server file in the format of editors (spec 9, 10).
struct McpServers
{
    QList<McpServerDefinition> servers; ///< at least one, in the order of the file

    bool operator==(const McpServers &) const = default;
};

/// Returns the faults in the policy of an entry. Their paths are relative to the policy.
using PolicyCheck = std::function<QList<Fault>(const RestartPolicy &)>;

/// Returns whether a file belongs to MCP clients: it has `servers`, or `mcpServers` without any key
/// that only a configuration of a host has. Blocks while it reads. Never throws.
[[nodiscard]] REKINDLE_CONFIG_EXPORT bool isMcpServerFile(const QString &path);

/// Reads an MCP server file of at most 8 MiB: `mcpServers` of Claude and Cursor, or `servers` of VS
/// Code. Comments and trailing commas are permitted. `${env:NAME}`, `${NAME}`, `${NAME:-DEFAULT}`,
/// `${workspaceFolder}` and `${userHome}` are replaced. Entries with other transports are skipped
/// and unknown keys are ignored, both with a warning. Disabled entries are skipped.
///
/// If isMcpServerFile() returns true for the file, a fault in an entry becomes a warning, and the
/// entry is skipped. A file without a server that can be started is a fault.
///
/// Editors start a server in their workspace. Therefore, relative paths of commands, arguments and
/// `cwd` are relative to the host's working directory, which is also the workspace folder. Policy
/// files are relative to the folder of the file.
///
/// An entry that serves this file again, or a file that an ancestor of this process serves, is
/// skipped with a warning: `rekindle mcp --config FILE`. If an ancestor serves this file, that is a
/// fault. The servers get the chain of files in the environment variable REKINDLE_MCP_FILES.
///
/// `startTimeout` is that of policies that contain none, and of presets.
///
/// Returns all faults together. Blocks while it reads. Never throws.
[[nodiscard]] REKINDLE_CONFIG_EXPORT Parsed<McpServers>
loadMcpServers(const QString &path, const PolicyCheck &policyCheck = {},
               Duration startTimeout = RestartPolicy().startTimeout);

/// Parses the text of an MCP server file. Policy files are relative to `baseDirectory`. `file` is
/// the name in faults.
[[nodiscard]] REKINDLE_CONFIG_EXPORT Parsed<McpServers>
parseMcpServers(const QByteArray &text, const QString &baseDirectory, const QString &file = {});

} // namespace Rekindle
