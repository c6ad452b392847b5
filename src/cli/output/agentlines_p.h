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

/// What agents write, line by line, with the agent's name in front: "web| Serving HTTP".
class AgentLines : public QObject
{
    Q_OBJECT

public:
    using Show = std::function<void(const QByteArray &line)>;

    /// `show` gets lines without their ends. For a terminal, what would disturb it is taken out.
    AgentLines(Show show, bool forTerminal);

    /// Listens to an agent, if any of its streams is delivered line by line.
    void add(const QString &name, ProcessAgent &agent);
    /// What a server says besides the protocol, which is all on stderr.
    void add(const QString &name, McpAgent &agent);

private:
    void show(const QString &name, const QByteArray &line);

    Show m_show;
    bool m_forTerminal;
};

} // namespace Rekindle
