// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QUuid>
#include <Rekindle/AgentSupervisor>

#include <atomic>

/// The agents of the examples with a window: a language server, an HTTP backend and a worker.
class DemoAgents : public QObject
{
    Q_OBJECT

public:
    enum Defect { Crash, Hang, Leak };
    Q_ENUM(Defect)

    explicit DemoAgents(Rekindle::AgentSupervisor &supervisor);

    /// Makes an agent crash, hang or leak memory.
    Q_INVOKABLE void damage(const QUuid &agent, DemoAgents::Defect defect);
    /// Applies policy.json to all agents. Returns the faults of the file.
    Q_INVOKABLE QStringList reloadPolicy();

private:
    Rekindle::AgentSupervisor &m_supervisor;
    std::shared_ptr<std::atomic<int>> m_workerDefect = std::make_shared<std::atomic<int>>(-1);
};
