// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/process/processdefinition.h>

#include <QString>
#include <QStringList>

namespace Rekindle {

/// The MCP server files that this process and its ancestors serve. A server that serves one of them
/// again would start itself without end. The variable REKINDLE_MCP_FILES passes the canonical paths
/// to the servers, as a JSON array.
class McpFileChain
{
public:
    /// The chain of this process's environment, followed by `file`.
    explicit McpFileChain(const QString &file);

    /// Returns whether an ancestor serves the file.
    [[nodiscard]] bool isRepeated() const { return m_ancestors.contains(m_file); }

    /// Returns whether a server is `rekindle mcp --config` with a file of the chain. A relative
    /// path is relative to the server's working directory.
    [[nodiscard]] bool isServedBy(const ProcessDefinition &server) const;

    /// Passes the chain to a server.
    void addTo(ProcessDefinition &server) const;

private:
    QStringList m_ancestors;
    QString m_file; ///< canonical; empty if there is no such file
};

} // namespace Rekindle
