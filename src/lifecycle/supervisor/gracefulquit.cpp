// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gracefulquit_p.h"

#include "base/restartcategory_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>

#include <QCoreApplication>
#include <QEventLoop>
#include <QPointer>

#include <csignal>

namespace Rekindle {

GracefulQuit::GracefulQuit(AgentSupervisor &supervisor, QCoreApplication &application,
                           Duration limit)
    : m_supervisor(supervisor)
    , m_limit(limit)
    , m_deadline(supervisor.scheduler(), [this] { escalate(); })
    , m_signals({SIGINT, SIGTERM})
{
    connect(&m_signals, &SignalWatch::received, this, &GracefulQuit::onSignal);
    connect(&application, &QCoreApplication::aboutToQuit, this, &GracefulQuit::stopAgents);
}

void GracefulQuit::onSignal()
{
    if (m_loop != nullptr) {
        escalate();
    } else if (!m_isSignaled) {
        m_isSignaled = true;
        QCoreApplication::quit();
    } else {
        // A window has refused to close.
        m_isKilling = true;
        QCoreApplication::exit();
    }
}

// From Qt 6.5 on, QCoreApplication::exit() emits aboutToQuit() itself, so that this event loop can
// be nested in a slot of the host.
void GracefulQuit::stopAgents()
{
    if (m_supervisor.isIdle())
        return;
    QEventLoop loop;
    connect(&m_supervisor, &AgentSupervisor::allStopped, &loop, &QEventLoop::quit);
    connect(this, &QObject::destroyed, &loop, &QEventLoop::quit);
    m_loop = &loop;
    if (m_isKilling)
        m_supervisor.killAll();
    else
        m_supervisor.stopAll();
    m_deadline.armIn(m_limit);
    const QPointer<GracefulQuit> alive(this);
    loop.exec();
    if (alive.isNull())
        return;
    m_deadline.disarm();
    m_loop = nullptr;
}

void GracefulQuit::escalate()
{
    if (m_isKilling) {
        qCWarning(restartCategory, "[RST] Quitting without waiting for all agents");
        m_loop->quit();
        return;
    }
    qCWarning(restartCategory, "[RST] Killing the agents that have not stopped");
    m_isKilling = true;
    m_deadline.armIn(m_limit);
    m_supervisor.killAll();
}

} // namespace Rekindle
