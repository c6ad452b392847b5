// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agent.h>

#include "agentwatch_p.h"

#include <QThread>

#include <array>
#include <memory>
#include <utility>

namespace Rekindle {

/// In the order of declaration, which moc uses for its indexes.
enum class Agent::Signal {
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

/// Notices that a slot destroyed the agent. A QPointer would allocate memory in each agent.
struct Agent::Emission
{
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

template<typename... Args>
void Agent::emitMonitored(Signal signal, void (AgentWatch::*report)(Args...), const Args &...args)
{
    if (QThread::currentThread() != thread()) {
        // Queued, as with a connection across threads.
        QMetaObject::invokeMethod(
            this,
            [this, report, args...] {
                if (m_watch)
                    (m_watch->*report)(args...);
            },
            Qt::QueuedConnection);
    } else if (m_watch && !signalsBlocked()) {
        bool isDestroyed = false;
        const Emission emission(*this, isDestroyed);
        (m_watch->*report)(args...);
        if (isDestroyed)
            return;
    }
    // activate() takes non-const pointers, but the arguments are not changed.
    std::array<void *, 1 + sizeof...(Args)> arguments{
        nullptr, const_cast<void *>(static_cast<const void *>(std::addressof(args)))...};
    QMetaObject::activate(this, &staticMetaObject, static_cast<int>(signal), arguments.data());
}

void Agent::started() { emitMonitored(Signal::Started, &AgentWatch::started); }

void Agent::ready() { emitMonitored(Signal::Ready, &AgentWatch::ready); }

void Agent::failed(FailureReason reason, const FailureDetail &detail)
{
    emitMonitored<FailureReason, const FailureDetail &>(Signal::Failed, &AgentWatch::failed, reason,
                                                        detail);
}

void Agent::stopped() { emitMonitored(Signal::Stopped, &AgentWatch::stopped); }

void Agent::restartRequested(const QString &reason)
{
    emitMonitored<const QString &>(Signal::RestartRequested, &AgentWatch::restartRequested, reason);
}

void Agent::stuck() { emitMonitored(Signal::Stuck, &AgentWatch::stuck); }

void Agent::stopping() { emitMonitored(Signal::Stopping, &AgentWatch::stopping); }

void Agent::startExtended(Duration time)
{
    emitMonitored<Duration>(Signal::StartExtended, &AgentWatch::startExtended, time);
}

void Agent::limitExceeded(const QString &text)
{
    emitMonitored<const QString &>(Signal::LimitExceeded, &AgentWatch::limitExceeded, text);
}

} // namespace Rekindle
