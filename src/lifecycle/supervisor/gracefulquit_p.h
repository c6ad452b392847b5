// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/signalwatch_p.h"

#include <rekindle/lifecycle/scheduler.h>

#include <QObject>

class QCoreApplication;
class QEventLoop;

namespace Rekindle {

class AgentSupervisor;

/// Stops the agents before the application ends: AgentSupervisor::quitGracefully().
class GracefulQuit : public QObject
{
    Q_OBJECT

public:
    GracefulQuit(AgentSupervisor &supervisor, QCoreApplication &application, Duration limit);

    [[nodiscard]] bool isStopping() const { return m_loop != nullptr; }

private:
    void onSignal();
    void stopAgents();
    void escalate(); ///< kills the agents; the second time, quits without them

    AgentSupervisor &m_supervisor;
    const Duration m_limit;
    Deadline m_deadline;
    SignalWatch m_signals;
    QEventLoop *m_loop = nullptr; ///< while the agents stop
    bool m_isSignaled = false;
    bool m_isKilling = false;
};

} // namespace Rekindle
