// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/waitcalls_p.h"

#include "lifecycle/internal/agentnow.h"
#include "policy/internal/texthelpers.h"
#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"
#include "json/jsonwriter.h"

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

// About 23 days, in milliseconds.
constexpr int longestTimeout = 2'000'000'000;

ControlError unreachable(const QString &message) { return refused("unreachable", message); }

} // namespace

struct WaitCalls::Params
{
    QStringList agents;
    Goal goal = Goal::Ready;
    std::optional<int> timeout; ///< milliseconds
};

WaitCalls::Params WaitCalls::read(const JsonPlace &object)
{
    static constexpr std::array goals{EnumName<Goal>{Goal::Ready, QLatin1String("ready")},
                                      EnumName<Goal>{Goal::Stable, QLatin1String("stable")},
                                      EnumName<Goal>{Goal::Stopped, QLatin1String("stopped")},
                                      EnumName<Goal>{Goal::Idle, QLatin1String("idle")}};
    Params params;
    JsonObjectReader reader(object);
    if (const auto agents = reader.required(QStringLiteral("agents"))) {
        for (const JsonPlace &each : agents->items().value_or(std::vector<JsonPlace>()))
            params.agents.append(each.textNotEmpty().value_or(QString()));
        if (params.agents.isEmpty())
            agents->fault(QStringLiteral("expected at least one agent"));
    }
    if (const auto goal = reader.required(QStringLiteral("for")))
        params.goal = goal->choice(goals).value_or(Goal::Ready);
    if (const auto timeout = reader.member(QStringLiteral("timeout")))
        params.timeout = timeout->integer(0, longestTimeout);
    reader.finish();
    return params;
}

WaitCalls::WaitCalls(AgentSupervisor &supervisor, const AgentCalls &agents)
    : m_supervisor(supervisor)
    , m_agents(agents)
{
    connect(&supervisor, &AgentSupervisor::agentRemoved, this, &WaitCalls::refuseRemoved);
}

std::optional<AgentCalls::Response>
WaitCalls::wait(const std::shared_ptr<ControlConnection> &client, const MessageId &id,
                const QByteArray &params)
{
    const Parsed<Params> parsed =
        readParsed(parseJson(params), [](const JsonPlace &object) { return read(object); });
    if (!parsed)
        return invalidParams(parsed.faults);
    auto ids = m_agents.idsOf(parsed.value->agents);
    if (auto *error = std::get_if<ControlError>(&ids))
        return std::move(*error);
    Wait wait{client, id, parsed.value->agents, std::get<QList<QUuid>>(ids), parsed.value->goal,
              {}};
    if (isReached(wait))
        return resultOf(wait);
    if (const QString obstacle = obstacleTo(wait.agents, wait.goal); !obstacle.isEmpty())
        return unreachable(obstacle);
    // Some changes of the state have no event, for example that of a gated agent.
    if (m_waits.empty())
        m_watch = connect(&m_supervisor.policyEvaluator(), &RestartPolicyEvaluator::stateChanged,
                          this, [this](const QUuid &changed) { check(changed); });
    const auto added = m_waits.insert(m_waits.end(), std::move(wait));
    if (parsed.value->timeout) {
        added->timeout =
            std::make_unique<Deadline>(m_supervisor.scheduler(), [this, added, parsed] {
                const QString after = readable(std::chrono::milliseconds(*parsed.value->timeout));
                finish(added,
                       ControlError{ErrorCode::timedOut,
                                    QStringLiteral("not reached within %1: %2")
                                        .arg(after, unreached(*added).join(QLatin1String(", "))),
                                    {}});
            });
        added->timeout->armIn(std::chrono::milliseconds(*parsed.value->timeout));
    }
    return std::nullopt;
}

void WaitCalls::cancel(const ControlConnection &client, const MessageId &id)
{
    removeIf(
        [&](const Wait &wait) { return wait.id == id && wait.client.lock().get() == &client; });
}

void WaitCalls::cancelAll(const ControlConnection &client)
{
    removeIf([&](const Wait &wait) { return wait.client.lock().get() == &client; });
}

void WaitCalls::removeIf(auto condition)
{
    m_waits.remove_if(condition);
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
        return !m_supervisor.policyEvaluator().isActive(agent);
    case Goal::Idle:
        return snapshot->state == InstanceState::Running
            || !m_supervisor.policyEvaluator().isActive(agent);
    }
    return false;
}

QString WaitCalls::obstacleTo(const QList<QUuid> &agents, Goal goal) const
{
    if (goal != Goal::Ready && goal != Goal::Stable)
        return {};
    for (const QUuid &agent : agents) {
        const AgentNow now = AgentNow::of(m_supervisor, agent);
        if (now.staysDown() && now.whyDown() == finishedText) // another start would end as well
            return QStringLiteral("%1: %2").arg(now.name, now.downText());
        if (now.staysDown())
            return QStringLiteral("%1: %2; %3").arg(now.name, now.downText(), now.startHint());
    }
    return {};
}

QStringList WaitCalls::unreached(const Wait &wait) const
{
    QStringList names;
    names.reserve(wait.agents.size());
    for (qsizetype i = 0; i < wait.agents.size(); ++i) {
        if (isReached(wait.agents[i], wait.goal))
            continue;
        const AgentNow now = AgentNow::of(m_supervisor, wait.agents[i]);
        QString text = toText(now.state);
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

AgentCalls::Response WaitCalls::resultOf(const Wait &wait) const
{
    QByteArray result;
    JsonWriter json(result);
    json.beginObject();
    json.key(QLatin1String("agents"));
    m_agents.writeSnapshots(json, wait.agents);
    json.endObject();
    return result;
}

std::list<WaitCalls::Wait>::iterator WaitCalls::finish(std::list<Wait>::iterator wait,
                                                       const AgentCalls::Response &response)
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
