// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/decisionrecorder.h"

#include <rekindle/lifecycle/agentsnapshot.h>

#include <QHash>

#include <memory>
#include <utility>

namespace Rekindle {

namespace {

using Kind = DecisionRecord::Kind;
// The latest of each instance.
using Downgrades = QHash<QUuid, std::shared_ptr<const PolicyDowngraded>>;

DecisionRecord recordOf(const RestartPolicyEvaluator &evaluator, const Downgrades &downgrades,
                        const QUuid &id, const RestartDecision &decision, Kind kind)
{
    const Scheduler &scheduler = evaluator.scheduler();
    DecisionRecord record{
        {.instanceId = id, .monotonicTime = scheduler.now(), .time = scheduler.clock().utcNow()},
        kind,
        decision};
    auto snapshot = evaluator.snapshot(id);
    if (!snapshot)
        return record;
    record.agent = std::move(snapshot->name);
    // No event reports the end of a downgrade; the decision was then made by another policy type.
    const auto known = downgrades.constFind(id);
    if (known != downgrades.cend() && (*known)->effectiveType == decision.inputs.policyType)
        record.downgraded = *known;
    if (kind == Kind::Shadow)
        return record;
    record.health = std::move(snapshot->health);
    // evaluate() also decides about failures that the instance did not have.
    const auto &failure = snapshot->lastFailure;
    if (failure && failure->reason == decision.inputs.reason
        && failure->detail.exitCode == decision.inputs.exitCode)
        record.detail = failure->detail;
    return record;
}

} // namespace

void recordDecisions(RestartPolicyEvaluator &evaluator, QObject *receiver,
                     std::function<void(DecisionRecord)> record)
{
    const auto downgrades = std::make_shared<Downgrades>();
    const auto add = [&evaluator, downgrades, record = std::move(record)](
                         const QUuid &id, const RestartDecision &decision, Kind kind) {
        record(recordOf(evaluator, *downgrades, id, decision, kind));
    };
    QObject::connect(&evaluator, &RestartPolicyEvaluator::policyDowngraded, receiver,
                     [downgrades](const PolicyDowngraded &event) {
                         downgrades->insert(event.instanceId,
                                            std::make_shared<const PolicyDowngraded>(event));
                     });
    QObject::connect(
        &evaluator, &RestartPolicyEvaluator::decided, receiver,
        [add](const QUuid &id, const RestartDecision &decision) { add(id, decision, Kind::Made); });
    QObject::connect(&evaluator, &RestartPolicyEvaluator::shadowDecided, receiver,
                     [add](const QUuid &id, const RestartDecision &,
                           const RestartDecision &wouldBe) { add(id, wouldBe, Kind::Shadow); });
}

} // namespace Rekindle
