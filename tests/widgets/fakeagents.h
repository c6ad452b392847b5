// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentsource.h>

#include <QPromise>

namespace Rekindle {

/// The agents of another host, as the test sets them.
class FakeAgents : public AgentSource
{
public:
    FakeAgents()
        : AgentSource(nullptr)
    {
    }

    /// Adds an agent and returns its id.
    QUuid add(AgentStatus status)
    {
        status.instanceId = QUuid::createUuid();
        const QUuid id = status.instanceId;
        agents.append(std::move(status));
        Q_EMIT agentAdded(id);
        return id;
    }
    QUuid add(const QString &name, InstanceState state = InstanceState::Running)
    {
        return add({.agent = name, .state = toText(state)});
    }
    void setState(const QUuid &id, InstanceState state)
    {
        for (AgentStatus &each : agents) {
            if (each.instanceId == id)
                each.state = toText(state);
        }
        Q_EMIT agentChanged(id);
    }
    void remove(const QUuid &id)
    {
        agents.removeIf([&](const AgentStatus &each) { return each.instanceId == id; });
        Q_EMIT agentRemoved(id);
    }
    /// Loses or finds the host.
    void setFault(const QString &text)
    {
        problem = text;
        Q_EMIT reset();
        Q_EMIT availabilityChanged();
    }

    [[nodiscard]] QString name() const override { return QStringLiteral("east"); }
    [[nodiscard]] QString fault() const override { return problem; }
    [[nodiscard]] QList<QUuid> ids() const override
    {
        QList<QUuid> all;
        for (const AgentStatus &each : agents) {
            if (problem.isEmpty())
                all.append(each.instanceId);
        }
        return all;
    }
    [[nodiscard]] std::optional<AgentStatus> agent(const QUuid &id) const override
    {
        ++reads;
        for (const AgentStatus &each : agents) {
            if (problem.isEmpty() && each.instanceId == id)
                return each;
        }
        return std::nullopt;
    }
    [[nodiscard]] Instant now() const override { return Instant(); }
    [[nodiscard]] UtcTime utcNow() const override { return UtcTime(); }

    QFuture<ControlResult<OperationResult>> operate(ControlOperation operation, const QUuid &id,
                                                    const QString & /*reason*/) override
    {
        operations.append({operation, id});
        response = QPromise<ControlResult<OperationResult>>();
        response.start();
        return response.future();
    }
    QFuture<ControlResult<AgentExplanation>> explain(const QUuid & /*id*/) override { return {}; }
    void respond(const ControlResult<OperationResult> &result)
    {
        response.addResult(result);
        response.finish();
    }

    QList<AgentStatus> agents;
    QString problem;
    QList<std::pair<ControlOperation, QUuid>> operations;
    QPromise<ControlResult<OperationResult>> response;
    mutable int reads = 0; ///< calls of agent()
};

} // namespace Rekindle
