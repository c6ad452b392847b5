// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "stage.h"

#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/groups/startgate.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace Rekindle {

/// An endpoint that can be down.
struct Endpoint
{
    QString name{}; // that its clients report
    bool isUp = true;
    int starts = 0; // of agents, while it was down
};

/// Needs the endpoint: a second after its start it is ready or fails, and it fails a second after
/// the endpoint has gone down.
class Client final : public Agent
{
public:
    Client(Scheduler &scheduler, Endpoint &endpoint)
        : m_endpoint(endpoint)
        , m_pulse(scheduler, [this] { pulse(); })
    {
    }

    void start() override
    {
        m_alive = true;
        m_ready = false;
        m_endpoint.starts += m_endpoint.isUp ? 0 : 1;
        Q_EMIT started();
        m_pulse.armIn(std::chrono::seconds(1));
    }
    void stop() override
    {
        m_pulse.disarm();
        m_alive = false;
        Q_EMIT stopped();
    }
    void kill() override { stop(); }
    [[nodiscard]] bool isAlive() const override { return m_alive; }

private:
    void pulse()
    {
        if (!m_endpoint.isUp) {
            m_alive = false;
            Q_EMIT failed(FailureReason::DependencyFailure, {.dependency = m_endpoint.name});
            return;
        }
        m_pulse.armIn(std::chrono::seconds(1));
        if (!std::exchange(m_ready, true))
            Q_EMIT ready();
    }

    Endpoint &m_endpoint;
    Deadline m_pulse;
    bool m_alive = false;
    bool m_ready = false;
};

/// Agents c0, c1, ... of one endpoint, with the shared breaker "api" and the settings of the
/// default policy.
class ApiScene
{
public:
    explicit ApiScene(int count, const SharedBreakerPolicy &policy = {})
        : gate(stage.supervisor)
        , breakers(stage.supervisor, &gate)
    {
        SharedBreakerPolicy named = policy;
        named.name = QStringLiteral("api");
        if (!breakers.setBreakers({named}).isEmpty())
            qFatal("invalid policy");
        QObject::connect(
            &breakers, &SharedBreakers::stateChanged, &breakers,
            [this](const QString &, CircuitBreakerState, CircuitBreakerState state,
                   const QString &agent) {
                const auto seconds =
                    std::chrono::round<std::chrono::seconds>(stage.scheduler.now() - m_begin);
                log += QStringLiteral("%1s:%2:%3").arg(seconds.count()).arg(toText(state), agent);
            });
        for (int i = 0; i < count; ++i)
            add(QStringLiteral("c%1").arg(i));
    }

    void add(const QString &name)
    {
        const auto added =
            stage.supervisor.add(name, std::make_unique<Client>(stage.scheduler, endpoint),
                                 policyOf(QStringLiteral("'maxRetries':3")));
        if (!added)
            qFatal("not added");
        ids.append(added.id);
        breakers.setRequired(name, {QStringLiteral("api")});
    }

    /// Adds the breaker "db", which all agents require, too. Returns the names of both.
    std::pair<QString, QString> requireTwo()
    {
        const SharedBreakerPolicy api = breakers.breakers().front();
        SharedBreakerPolicy db = api;
        db.name = QStringLiteral("db");
        if (!breakers.setBreakers({api, db}).isEmpty())
            qFatal("invalid policy");
        for (const QUuid &id : std::as_const(ids))
            breakers.setRequired(stage.supervisor.policyEvaluator().name(id), {api.name, db.name});
        return {api.name, db.name};
    }

    [[nodiscard]] AgentSnapshot snapshot(int i) const
    {
        return stage.supervisor.snapshot(ids.at(i)).value();
    }
    [[nodiscard]] int count(InstanceState state) const
    {
        return static_cast<int>(std::count_if(ids.begin(), ids.end(), [&](const QUuid &id) {
            return stage.supervisor.policyEvaluator().state(id) == state;
        }));
    }

    Stage stage;
    Endpoint endpoint;
    StartGate gate;
    SharedBreakers breakers;
    QList<QUuid> ids;
    QStringList log; ///< changes of the breaker: "3s:Open:c2"

private:
    Instant m_begin = stage.scheduler.now();
};

} // namespace Rekindle
