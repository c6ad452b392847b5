// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

#include <functional>

namespace Rekindle {

class McpAgent;
class ProcessAgent;

/// Output lines of agents with the agent's name in front: "web| Serving HTTP".
class AgentLines : public QObject
{
    Q_OBJECT

public:
    using Show = std::function<void(const QByteArray &line)>;

    /// `show` gets lines without their ends. Control sequences are removed for a terminal.
    AgentLines(Show show, bool forTerminal);

    /// Adds a process, if any of its streams is read line by line.
    void add(const QString &name, ProcessAgent &agent);
    /// Adds the stderr of an MCP server.
    void add(const QString &name, McpAgent &agent);

private:
    void show(const QString &name, const QByteArray &line);

    Show m_show;
    bool m_forTerminal;
};

} // namespace Rekindle
