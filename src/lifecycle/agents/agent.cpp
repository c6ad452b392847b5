// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agent.h>

#include "agentwatch_p.h"

#include <QThread>

#include <array>
#include <memory>
#include <utility>

namespace Rekindle {

/// Emits a signal that the monitor receives, and notices that a slot destroyed the agent. A
/// QPointer would allocate memory in each agent.
struct Agent::Emission
{
    /// In the order of declaration, which moc uses for its indexes.
    enum Signal {
        Started,
        Ready,
        Failed,
        Stopped,
        RestartRequested,
        Stuck,
        Stopping,
        StartExtended,
        LimitExceeded
    };

    template<typename... Args>
    static void emitMonitored(Agent &agent, Signal signal, void (AgentWatch::*report)(Args...),
                              const Args &...args);

    Emission(Agent &theAgent, bool &isAgentDestroyed)
        : agent(theAgent)
        , isDestroyed(isAgentDestroyed)
        , outer(std::exchange(theAgent.m_emissions, this))
    {
    }
    Q_DISABLE_COPY_MOVE(Emission)
    ~Emission()
    {
        if (!isDestroyed)
            agent.m_emissions = outer;
    }

    Agent &agent;
    bool &isDestroyed;
    Emission *const outer;
};

Agent::~Agent()
{
    for (const Emission *each = m_emissions; each; each = each->outer)
        each->isDestroyed = true;
    if (m_watch)
        m_watch->destroyed();
}

bool Agent::setKillDeadlineBound(bool /*bound*/) { return false; }

template<typename... Args>
void Agent::Emission::emitMonitored(Agent &agent, Signal signal,
                                    void (AgentWatch::*report)(Args...), const Args &...args)
{
    if (QThread::currentThread() != agent.thread()) {
        // Queued, as with a connection across threads.
        QMetaObject::invokeMethod(
            &agent,
            [&agent, report, args...] {
                if (agent.m_watch)
                    (agent.m_watch->*report)(args...);
            },
            Qt::QueuedConnection);
    } else if (agent.m_watch && !agent.signalsBlocked()) {
        bool isDestroyed = false;
        const Emission emission(agent, isDestroyed);
        (agent.m_watch->*report)(args...);
        if (isDestroyed)
            return;
    }
    // activate() takes non-const pointers, but the arguments are not changed.
    std::array<void *, 1 + sizeof...(Args)> arguments{
        nullptr, const_cast<void *>(static_cast<const void *>(std::addressof(args)))...};
    QMetaObject::activate(&agent, &Agent::staticMetaObject, signal, arguments.data());
}

void Agent::started() { Emission::emitMonitored(*this, Emission::Started, &AgentWatch::started); }

void Agent::ready() { Emission::emitMonitored(*this, Emission::Ready, &AgentWatch::ready); }

void Agent::failed(FailureReason reason, const FailureDetail &detail)
{
    Emission::emitMonitored<FailureReason, const FailureDetail &>(
        *this, Emission::Failed, &AgentWatch::failed, reason, detail);
}

void Agent::stopped() { Emission::emitMonitored(*this, Emission::Stopped, &AgentWatch::stopped); }

void Agent::restartRequested(const QString &reason)
{
    Emission::emitMonitored<const QString &>(*this, Emission::RestartRequested,
                                             &AgentWatch::restartRequested, reason);
}

void Agent::stuck() { Emission::emitMonitored(*this, Emission::Stuck, &AgentWatch::stuck); }

void Agent::stopping()
{
    Emission::emitMonitored(*this, Emission::Stopping, &AgentWatch::stopping);
}

void Agent::startExtended(Duration time)
{
    Emission::emitMonitored<Duration>(*this, Emission::StartExtended, &AgentWatch::startExtended,
                                      time);
}

void Agent::limitExceeded(const QString &text)
{
    Emission::emitMonitored<const QString &>(*this, Emission::LimitExceeded,
                                             &AgentWatch::limitExceeded, text);
}

} // namespace Rekindle
