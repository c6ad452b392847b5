// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/controlcalls_p.h"

#include "control/internal/messagejson.h"
#include "json/faultsjson.h"
#include "json/nearestname.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>

#include <QHash>

namespace Rekindle {

namespace {

CommandResult carryOut(ControlOperation operation, AgentSupervisor &all, const QUuid &id,
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

CommandResult carryOut(ControlOperation operation, SharedBreakers &breakers, const QString &name)
{
    if (operation == ControlOperation::ResetBreaker)
        return breakers.reset(name);
    return operation == ControlOperation::IsolateBreaker ? breakers.isolate(name)
                                                         : breakers.release(name);
}

OperationResult resultOf(const AgentSupervisor &supervisor, const QUuid &id, const QString &name,
                         bool isAccepted)
{
    OperationResult result{.agent = name, .isAccepted = isAccepted};
    if (const auto state = supervisor.policyEvaluator().state(id))
        result.state = toText(*state);
    const AgentSnapshot after = supervisor.snapshot(id).value_or(AgentSnapshot());
    for (const HoldCause &each : after.holdCauses) {
        if (isAccepted && !each.isTransient) // the operator should know it
            result.holdTexts.append(each.text);
    }
    return result;
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

ControlError hostExits() { return stopping(QStringLiteral("the host exits")); }

QByteArray breakerResult(const CommandResult &result, const CircuitBreakerInfo &info)
{
    return objectJson("accepted", bool(result), "state", toText(info.state), "isolated",
                      info.isolated, "noEffect",
                      FieldWriter::optional(result ? QString() : result.reason));
}

ControlError noConfiguration()
{
    return refused("noConfiguration",
                   QStringLiteral("this host has no configuration that it can reload"));
}

// None if there is a fault.
QList<QUuid> changedAgents(const ControlCalls &host)
{
    const ReloadableConfiguration::Result plan = host.configuration->reload(true);
    if (!plan.refusal.isEmpty() || hasErrors(plan.faults))
        return {};
    QStringList names = plan.changes.removed;
    for (const ChangedAgent &each : plan.changes.changed)
        names.append(each.agent);
    return host.idsOf(names);
}

QList<QByteArray> changesJson(const QList<ChangedAgent> &changed, bool isRestarted)
{
    QList<QByteArray> changes;
    for (const ChangedAgent &each : changed) {
        if (each.isRestarted == isRestarted)
            changes.append(
                objectJson("agent", each.agent, "parts", toTexts(each.parts), "keys", each.keys));
    }
    return changes;
}

// The shared breakers that prevent a restart of the agent.
QStringList breakersAgainstRestart(const ControlCalls &host, const QUuid &id)
{
    const RestartPolicyEvaluator &evaluator = host.supervisor.policyEvaluator();
    const std::optional<InstanceState> state = evaluator.state(id);
    const bool isRunning = state == InstanceState::Running || state == InstanceState::Starting;
    QStringList open =
        host.breakers && isRunning ? host.breakers->required(evaluator.name(id)) : QStringList();
    open.removeIf([&host](const QString &each) {
        const std::optional<CircuitBreakerInfo> info = host.breakers->info(each);
        return !info || info->state == CircuitBreakerState::Closed;
    });
    return open;
}

ControlReply operateShared(const ControlRequest &request, ControlOperation operation,
                           const QString &breaker)
{
    const QPointer<SharedBreakers> breakers = request.host.breakers;
    if (breakers.isNull() || !breakers->info(breaker)) {
        QStringList names;
        const auto all = breakers ? breakers->breakers() : QList<SharedBreakerPolicy>();
        for (const SharedBreakerPolicy &each : all)
            names.append(each.name);
        return ControlError{ControlError::Code::UnknownSharedBreaker,
                            QLatin1String("no shared breaker named ") + breaker
                                + didYouMean(breaker, names),
                            objectJson("candidates", names)};
    }
    OperatorAction action = request.action();
    action.sharedBreaker = breaker;
    const QPointer<AgentSupervisor> supervisor(&request.host.supervisor);
    announce(request, breakers->agents(breaker), action);
    const CommandResult result =
        breakers ? carryOut(operation, *breakers, breaker) : CommandResult();
    if (!breakers || !supervisor)
        return hostExits();
    return breakerResult(result, breakers->info(breaker).value_or(CircuitBreakerInfo()));
}

} // namespace

bool announce(const ControlRequest &request, const QList<QUuid> &agents,
              const OperatorAction &action)
{
    const QPointer<RestartPolicyEvaluator> evaluator(&request.host.supervisor.policyEvaluator());
    for (const QUuid &id : agents) {
        if (evaluator)
            evaluator->announce(id, action);
    }
    return request.isServerAlive();
}

ControlReply operateAgents(ControlRequest &request)
{
    const QPointer<AgentSupervisor> supervisor(&request.host.supervisor);
    const ControlOperation operation =
        valueOf(controlOperations, request.method).value_or(ControlOperation::Start);
    const bool isStart = operation != ControlOperation::Stop;
    const QStringList names = request.agents(QStringLiteral("agents"), true);
    request.readReason();
    // A host exits when all agents have stopped. One that is started would prevent that.
    if (isStart && supervisor->isStopping())
        return stopping(QStringLiteral("the host is stopping its agents"));
    if (const auto fault = request.fault())
        return *fault;
    // Before the first command, whose slots may destroy the host.
    QList<QUuid> ids;
    QHash<QUuid, QStringList> openBreakers;
    for (const QString &name : names) {
        ids.append(supervisor->idOf(name));
        if (operation == ControlOperation::Restart)
            openBreakers.insert(ids.back(), breakersAgainstRestart(request.host, ids.back()));
    }
    const OperatorAction action = request.action();
    QList<OperationResult> results;
    for (qsizetype i = 0; i < ids.size(); ++i) {
        const QUuid &id = ids[i];
        // A running agent is not stopped if it would not start again.
        if (const QStringList open = openBreakers.value(id); !open.isEmpty()) {
            results.append(resultOf(*supervisor, id, names[i], false));
            results.back().openSharedBreakers = open;
            continue;
        }
        supervisor->policyEvaluator().announce(id, action);
        const CommandResult done =
            supervisor ? carryOut(operation, *supervisor, id, request.reason) : CommandResult();
        const QStringList alsoStarted = supervisor
            ? announceStarts(supervisor->policyEvaluator(), done.alsoStarted, names[i], action)
            : QStringList();
        if (!supervisor)
            return hostExits();
        OperationResult &result =
            results.emplace_back(resultOf(*supervisor, id, names[i], bool(done)));
        result.alsoStarted = alsoStarted;
        if (!done) {
            const bool isUnknown = done.effect == CommandResult::Effect::Unknown;
            result.noEffect = isUnknown ? QStringLiteral("it was removed") : done.reason;
            // The agent that a reload has removed. It can still be stopped.
            result.isRemoved = isStart && supervisor->isRetired(id);
        }
    }
    return messageJson(results);
}

ControlReply operateBreaker(ControlRequest &request)
{
    const ControlOperation operation =
        valueOf(controlOperations, request.method).value_or(ControlOperation::ResetBreaker);
    const auto shared = request.params.member(QStringLiteral("shared"));
    const auto both = shared ? request.params.member(QStringLiteral("agent")) : std::nullopt;
    if (both)
        both->faultAtName(QStringLiteral("expected \"agent\" or \"shared\", found both"));
    const QString name = shared ? shared->textNotEmpty().value_or(QString()) : request.agent();
    request.readReason();
    if (const auto fault = request.fault())
        return *fault;
    if (shared)
        return operateShared(request, operation, name);
    const QPointer<AgentSupervisor> supervisor(&request.host.supervisor);
    const QUuid id = supervisor->idOf(name);
    if (!supervisor->policyEvaluator().policy(id).circuitBreaker)
        return refused("noCircuitBreaker", QStringLiteral("%1 has no circuit breaker").arg(name));
    supervisor->policyEvaluator().announce(id, request.action());
    const CommandResult result =
        supervisor ? carryOut(operation, *supervisor, id, {}) : CommandResult();
    if (!supervisor)
        return hostExits();
    return breakerResult(result, supervisor->policyEvaluator().circuitBreakerState(id));
}

QByteArray faultsOf(const ControlRequest &request, const ReloadableConfiguration::Result &result)
{
    QByteArray text;
    JsonWriter json(text);
    writeFaults(json, result.faults, request.host.configurationFile);
    return text;
}

ControlReply checkConfiguration(ControlRequest &request)
{
    if (const auto fault = request.fault())
        return *fault;
    if (!request.host.configuration)
        return noConfiguration();
    const ReloadableConfiguration::Result result = request.host.configuration->reload(true);
    if (!result.refusal.isEmpty())
        return stopping(result.refusal);
    return objectJson("faults", faultsOf(request, result));
}

ControlReply reloadConfiguration(ControlRequest &request)
{
    bool dryRun = false;
    request.params.read(QStringLiteral("dryRun"), dryRun);
    if (const auto fault = request.fault())
        return *fault;
    if (!request.host.configuration)
        return noConfiguration();
    if (!dryRun && !announce(request, changedAgents(request.host), request.action()))
        return hostExits();
    const ReloadableConfiguration::Result result = request.host.configuration->reload(dryRun);
    if (!request.isServerAlive())
        return hostExits();
    if (!result.refusal.isEmpty())
        return stopping(result.refusal);
    const QByteArray faults = faultsOf(request, result);
    if (hasErrors(result.faults))
        return ControlError{ControlError::Code::ConfigInvalid,
                            QStringLiteral("the configuration has faults; nothing was changed"),
                            objectJson("faults", faults)};
    const ConfigurationChanges &changes = result.changes;
    if (!dryRun && !announce(request, request.host.idsOf(changes.added), request.action()))
        return hostExits();
    return objectJson("added", changes.added, "removed", changes.removed, "restarted",
                      changesJson(changes.changed, true), "updated",
                      changesJson(changes.changed, false), "unchanged", changes.unchanged,
                      "sections", changes.sections, "faults", faults);
}

} // namespace Rekindle
