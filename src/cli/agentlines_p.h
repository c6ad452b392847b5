// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

#include <functional>

namespace Rekindle {

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

private:
    Show m_show;
    bool m_forTerminal;
};

} // namespace Rekindle
