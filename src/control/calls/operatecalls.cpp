// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/controlcalls_p.h"

#include "control/internal/agentoperations.h"
#include "control/internal/messagejson.h"
#include "json/faultsjson.h"
#include "json/nearestname.h"

#include <rekindle/lifecycle/restartpolicyevaluator.h>

namespace Rekindle {

namespace {

CommandResult carryOut(ControlOperation operation, SharedBreakers &breakers, const QString &name)
{
    if (operation == ControlOperation::ResetBreaker)
        return breakers.reset(name);
    return operation == ControlOperation::IsolateBreaker ? breakers.isolate(name)
                                                         : breakers.release(name);
}

QByteArray breakerResult(bool isAccepted, const QString &noEffect, const CircuitBreakerInfo &info)
{
    return objectJson("accepted", isAccepted, "state", toText(info.state), "isolated",
                      info.isolated, "noEffect",
                      FieldWriter::optional(isAccepted ? QString() : noEffect));
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
    return breakerResult(bool(result), result.reason,
                         breakers->info(breaker).value_or(CircuitBreakerInfo()));
}

QByteArray faultsOf(const ControlRequest &request, const ReloadableConfiguration::Result &result)
{
    QByteArray text;
    JsonWriter json(text);
    writeFaults(json, result.faults, request.host.configurationFile);
    return text;
}

// A stop on one node does not stop the process on another one.
void addOwner(OperationResult &stopped, const FleetControl &fleet)
{
    const auto placement = fleet.placement(stopped.agent);
    if (placement && !placement->node.isEmpty() && placement->node != fleet.status().node)
        stopped.effects.append(QStringLiteral("node %1 still owns it").arg(placement->node));
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
    const QPointer<SharedBreakers> breakers(request.host.breakers);
    const ControlOperation operation =
        valueOf(controlOperations, request.method).value_or(ControlOperation::Start);
    const QStringList names = request.agents(QStringLiteral("agents"), true);
    request.readReason();
    if (const auto fault = request.fault())
        return *fault;
    // Before the first command, whose slots may destroy the host.
    const QList<QUuid> ids = request.host.idsOf(names);
    const OperatorAction action = request.action();
    QList<OperationResult> results;
    for (qsizetype i = 0; i < ids.size(); ++i) {
        const ControlResult<OperationResult> done =
            operateAgent(*supervisor, breakers, operation, ids[i], action);
        if (done.error)
            return *done.error;
        results.append(done.value);
        results.back().agent = names[i]; // also if a slot has removed it
        if (operation == ControlOperation::Stop && results.back().isAccepted
            && request.isServerAlive() && request.host.fleet)
            addOwner(results.back(), *request.host.fleet);
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
    AgentSupervisor *const supervisor = &request.host.supervisor;
    const QUuid id = supervisor->idOf(name);
    const auto [result, error] =
        operateAgent(*supervisor, nullptr, operation, id, request.action());
    if (error)
        return *error;
    return breakerResult(result.isAccepted, result.noEffect,
                         supervisor->policyEvaluator().circuitBreakerState(id));
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
