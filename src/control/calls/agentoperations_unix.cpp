// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/internal/agentoperations.h"

#include "control/session/controlerror_p.h"

#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/lifecycle/agentsupervisor.h>

#include <QCoreApplication>
#include <QPointer>

#include <unistd.h>

namespace Rekindle {

namespace {

CommandResult commandAgent(ControlOperation operation, AgentSupervisor &all, const QUuid &id,
                           const QString &reason)
{
    switch (operation) {
    case ControlOperation::Start:
        return all.start(id);
    case ControlOperation::Stop:
        return all.stop(id);
    case ControlOperation::Restart:
        return all.restart(id, reason.isEmpty() ? QStringLiteral("operator") : reason);
    case ControlOperation::Retry:
        return all.retryNow(id);
    case ControlOperation::ResetBreaker:
        return all.policyEvaluator().resetCircuitBreaker(id);
    case ControlOperation::IsolateBreaker:
        return all.policyEvaluator().isolateCircuitBreaker(id);
    case ControlOperation::ReleaseBreaker:
        return all.policyEvaluator().releaseCircuitBreaker(id);
    }
    return {};
}

// The shared breakers that prevent a restart of the agent.
QStringList breakersAgainstRestart(const AgentSupervisor &supervisor,
                                   const SharedBreakers *breakers, const QUuid &id)
{
    const RestartPolicyEvaluator &evaluator = supervisor.policyEvaluator();
    const std::optional<InstanceState> state = evaluator.state(id);
    const bool isRunning = state == InstanceState::Running || state == InstanceState::Starting;
    QStringList open =
        breakers != nullptr && isRunning ? breakers->required(evaluator.name(id)) : QStringList();
    open.removeIf([breakers](const QString &each) {
        const std::optional<CircuitBreakerInfo> info = breakers->info(each);
        return !info || info->state == CircuitBreakerState::Closed;
    });
    return open;
}

// Reports why the dependencies of an agent were started. Returns their names.
QStringList announceStarts(RestartPolicyEvaluator &evaluator, const QList<QUuid> &dependencies,
                           const QString &agent, OperatorAction action)
{
    const QPointer<RestartPolicyEvaluator> alive(&evaluator);
    action.request = nameOf(controlOperations, ControlOperation::Start);
    action.reason = QStringLiteral("%1 depends on it").arg(agent);
    QStringList names;
    for (const QUuid &id : dependencies) {
        if (!alive)
            break;
        names.append(evaluator.name(id));
        evaluator.announce(id, action);
    }
    return names;
}

QStringList holdTexts(const AgentSnapshot &agent)
{
    QStringList texts;
    for (const HoldCause &each : agent.holdCauses) {
        if (!each.isTransient) // the operator should know it
            texts.append(each.text);
    }
    return texts;
}

// What a command did that its name does not say.
QStringList effectsOf(ControlOperation operation, const AgentSnapshot &before,
                      const AgentSnapshot &after)
{
    QStringList effects;
    const bool isStart =
        operation == ControlOperation::Start || operation == ControlOperation::Retry;
    if (isStart
        && (before.state == InstanceState::Running || before.state == InstanceState::Starting))
        effects.append(QStringLiteral("already running, restarts counted from zero"));
    if (before.circuitBreaker.isolated && !after.circuitBreaker.isolated)
        effects.append(QStringLiteral("isolation ended"));
    return effects;
}

} // namespace

ControlResult<OperationResult> operateAgent(AgentSupervisor &supervisor, SharedBreakers *breakers,
                                            ControlOperation operation, const QUuid &id,
                                            const OperatorAction &action)
{
    using Effect = CommandResult::Effect;
    const QPointer<AgentSupervisor> alive(&supervisor);
    RestartPolicyEvaluator &evaluator = supervisor.policyEvaluator();
    const bool isOfBreaker = operation >= ControlOperation::ResetBreaker;
    const bool isStart = !isOfBreaker && operation != ControlOperation::Stop;
    const QString name = evaluator.name(id);
    // A host exits when all agents have stopped. One that is started would prevent that.
    if (isStart && supervisor.isStopping())
        return {.error = stopping(QStringLiteral("the host is stopping its agents"))};
    if (isOfBreaker && !evaluator.policy(id).circuitBreaker)
        return {.error = refused("noCircuitBreaker",
                                 QStringLiteral("%1 has no circuit breaker").arg(name))};
    OperationResult result;
    const AgentSnapshot before = supervisor.snapshot(id).value_or(AgentSnapshot());
    // A running agent is not stopped if it would not start again.
    if (operation == ControlOperation::Restart)
        result.openSharedBreakers = breakersAgainstRestart(supervisor, breakers, id);
    if (result.openSharedBreakers.isEmpty()) {
        evaluator.announce(id, action);
        const CommandResult done =
            alive ? commandAgent(operation, supervisor, id, action.reason) : CommandResult();
        if (alive)
            result.alsoStarted = announceStarts(evaluator, done.alsoStarted, name, action);
        if (!alive)
            return {.error = hostExits()};
        result.isAccepted = bool(done);
        if (!done)
            result.noEffect =
                done.effect == Effect::Unknown ? QStringLiteral("it was removed") : done.reason;
        // The agent that a reload has removed. It can still be stopped.
        result.isRemoved = !done && isStart && supervisor.isRetired(id);
    }
    if (isOfBreaker) {
        result.state = toText(evaluator.circuitBreakerState(id).state);
        return {.value = result};
    }
    result.agent = name;
    if (const auto state = evaluator.state(id))
        result.state = toText(*state);
    if (result.isAccepted) {
        const AgentSnapshot after = supervisor.snapshot(id).value_or(AgentSnapshot());
        result.holdTexts = holdTexts(after);
        result.effects = effectsOf(operation, before, after);
    }
    return {.value = result};
}

OperatorAction ownAction(ControlOperation operation, const QString &reason)
{
    OperatorAction action;
    action.request = nameOf(controlOperations, operation);
    action.reason = reason;
    action.userId = static_cast<qint64>(::getuid());
    action.clientProcessId = QCoreApplication::applicationPid();
    action.program = QCoreApplication::applicationFilePath();
    return action;
}

} // namespace Rekindle
