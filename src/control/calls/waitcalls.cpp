// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/waitcalls_p.h"

#include "control/calls/controlcalls_p.h"
#include "control/internal/agentwords.h"
#include "control/internal/messagejson.h"
#include "policy/internal/texthelpers.h"
#include "policy/internal/words.h"

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

constexpr int longestTimeout = 2'000'000'000; // milliseconds, about 23 days

ControlError unreachable(const QString &message) { return refused("unreachable", message); }

} // namespace

WaitCalls::WaitCalls(ControlCalls &host)
    : m_host(host)
    , m_supervisor(host.supervisor)
{
    connect(&m_supervisor, &AgentSupervisor::agentRemoved, this, &WaitCalls::refuseRemoved);
    // The isolation of a breaker that is open already changes no state.
    connect(&m_supervisor.policyEvaluator(), &RestartPolicyEvaluator::operatorCommanded, this,
            [this](const QUuid &changed) { check(changed); });
}

ControlReply WaitCalls::wait(ControlRequest &request)
{
    static constexpr std::array goals{EnumName<Goal>{Goal::Ready, QLatin1String("ready")},
                                      EnumName<Goal>{Goal::Stable, QLatin1String("stable")},
                                      EnumName<Goal>{Goal::Stopped, QLatin1String("stopped")},
                                      EnumName<Goal>{Goal::Idle, QLatin1String("idle")}};
    const auto names = request.params.required(QStringLiteral("agents"));
    Wait wait{.client = request.client,
              .id = request.id,
              .names = request.agents(QStringLiteral("agents"))};
    if (names && wait.names.isEmpty())
        names->fault(QStringLiteral("expected at least one agent"));
    if (const auto goal = request.params.required(QStringLiteral("for")))
        wait.goal = goal->choice(goals).value_or(Goal::Ready);
    int timeout = -1; // none
    request.params.read(QStringLiteral("timeout"), timeout, 0, longestTimeout);
    if (const auto fault = request.fault())
        return *fault;
    wait.agents = m_host.idsOf(wait.names);
    if (isReached(wait))
        return resultOf(wait);
    if (const QString obstacle = obstacleTo(wait.agents, wait.goal); !obstacle.isEmpty())
        return unreachable(obstacle);
    // Some changes of the state have no event, for example that of a gated agent.
    if (m_waits.empty())
        m_watch = connect(&m_supervisor.policyEvaluator(), &RestartPolicyEvaluator::stateChanged,
                          this, [this](const QUuid &changed) { check(changed); });
    const auto added = m_waits.insert(m_waits.end(), std::move(wait));
    if (timeout >= 0) {
        const std::chrono::milliseconds limit(timeout);
        added->timeout = std::make_unique<Deadline>(m_supervisor.scheduler(), [this, added, limit] {
            const QString agents = unreached(*added).join(QLatin1String(", "));
            finish(added,
                   ControlError{
                       ControlError::Code::TimedOut,
                       QStringLiteral("not reached within %1: %2").arg(readable(limit), agents)});
        });
        added->timeout->armIn(limit);
    }
    return std::nullopt;
}

void WaitCalls::cancel(const ControlConnection &client, const MessageId *id)
{
    m_waits.remove_if([&](const Wait &wait) {
        return (!id || wait.id == *id) && wait.client.lock().get() == &client;
    });
    if (m_waits.empty())
        disconnect(m_watch);
}

void WaitCalls::check(const QUuid &changed)
{
    for (auto wait = m_waits.begin(); wait != m_waits.end();) {
        const bool isConcerned = wait->agents.contains(changed);
        const QString obstacle = isConcerned ? obstacleTo({changed}, wait->goal) : QString();
        if (isConcerned && isReached(*wait))
            wait = finish(wait, resultOf(*wait));
        else if (!obstacle.isEmpty())
            wait = finish(wait, unreachable(obstacle));
        else
            ++wait;
    }
}

void WaitCalls::refuseRemoved(const QUuid &removed)
{
    m_stable.remove(removed);
    for (auto wait = m_waits.begin(); wait != m_waits.end();) {
        const qsizetype index = wait->agents.indexOf(removed);
        wait = index < 0
            ? std::next(wait)
            : finish(wait, unreachable(QStringLiteral("%1 was removed").arg(wait->names[index])));
    }
}

// An isolated breaker keeps the start that follows the release, but nothing is planned until then.
bool WaitCalls::hasStopped(const AgentSnapshot &agent) const
{
    return !m_supervisor.policyEvaluator().isActive(agent.instanceId)
        || (agent.state == InstanceState::CircuitOpen && agent.circuitBreaker.isolated);
}

bool WaitCalls::isReached(const QUuid &agent, Goal goal) const
{
    const std::optional<AgentSnapshot> snapshot = m_supervisor.snapshot(agent);
    if (!snapshot)
        return false;
    switch (goal) {
    case Goal::Ready:
        return snapshot->state == InstanceState::Running;
    case Goal::Stable:
        return snapshot->state == InstanceState::Running
            && m_stable.value(agent) == snapshot->generation;
    case Goal::Stopped:
        return hasStopped(*snapshot);
    case Goal::Idle:
        return snapshot->state == InstanceState::Running || hasStopped(*snapshot);
    }
    return false;
}

QString WaitCalls::obstacleTo(const QList<QUuid> &agents, Goal goal) const
{
    if (goal != Goal::Ready && goal != Goal::Stable)
        return {};
    const Words::English english;
    for (const QUuid &agent : agents) {
        const auto state = m_supervisor.policyEvaluator().state(agent);
        if (!state || (!isTerminal(*state) && state != InstanceState::CircuitOpen))
            continue; // most agents
        if (const AgentStatus now = statusOf(m_supervisor, agent); staysDown(now))
            return QStringLiteral("%1: %2").arg(now.agent, downText(now, Hints::Commands));
    }
    return {};
}

QStringList WaitCalls::unreached(const Wait &wait) const
{
    const Words::English english;
    QStringList names;
    names.reserve(wait.agents.size());
    for (qsizetype i = 0; i < wait.agents.size(); ++i) {
        if (isReached(wait.agents[i], wait.goal))
            continue;
        const AgentStatus now = statusOf(m_supervisor, wait.agents[i]);
        QString text = now.state;
        if (!now.holdTexts.isEmpty())
            text += QLatin1String(", ") + waitText(now.holdTexts);
        names.append(QStringLiteral("%1 (%2)").arg(wait.names[i], text));
    }
    return names;
}

bool WaitCalls::isReached(const Wait &wait) const
{
    return std::all_of(wait.agents.begin(), wait.agents.end(),
                       [&](const QUuid &each) { return isReached(each, wait.goal); });
}

ControlResponse WaitCalls::resultOf(const Wait &wait) const
{
    return objectJson("agents", m_host.statusOf(wait.agents));
}

std::list<WaitCalls::Wait>::iterator WaitCalls::finish(std::list<Wait>::iterator wait,
                                                       const ControlResponse &response)
{
    const std::shared_ptr<ControlConnection> client = wait->client.lock();
    const MessageId id = wait->id;
    const auto next = m_waits.erase(wait);
    if (m_waits.empty())
        disconnect(m_watch);
    if (client) {
        client->session().answer(id, response);
        Q_EMIT responded();
    }
    return next;
}

} // namespace Rekindle
