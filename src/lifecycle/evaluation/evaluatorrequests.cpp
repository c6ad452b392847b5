// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluatorrequests_p.h"

#include "instanceengine_p.h"

#include <rekindle/policy/instancememory.h>

#include <utility>

namespace Rekindle {

using Withdrawal = CustomEvaluators::Withdrawal;

namespace {
bool isFailure(const Outcome &outcome)
{
    return outcome.eventCount > 0 && outcome.events[0].kind == InstanceEvent::Kind::AgentFailed;
}
} // namespace

EvaluatorRequests::EvaluatorRequests(RestartPolicyEvaluator &evaluator, InstanceEngine &engine)
    : m_evaluator(evaluator)
    , m_engine(engine)
{
}

EvaluatorRequests::~EvaluatorRequests() { use(nullptr); }

void EvaluatorRequests::use(CustomEvaluators *evaluators)
{
    if (m_custom) {
        m_custom->disconnect(&m_evaluator);
        for (const std::shared_ptr<InstanceRecord> &record : m_engine.records())
            detach(*record);
    }
    m_custom = evaluators;
    if (!evaluators)
        return;
    QObject::connect(evaluators, &CustomEvaluators::answered, &m_evaluator,
                     [this](quint64 token, const EvaluatorVerdict &verdict, const QString &reason) {
                         onAnswered(token, verdict, reason);
                     });
    QObject::connect(evaluators, &CustomEvaluators::unanswered, &m_evaluator,
                     [this](quint64 token, const QString &reason) { onUnanswered(token, reason); });
    for (const std::shared_ptr<InstanceRecord> &record : m_engine.records())
        attach(*record);
}

QList<Fault> EvaluatorRequests::check(const RestartPolicy &policy) const
{
    if (!m_custom || !isCustom(policy))
        return {};
    return m_custom->check(*policy.evaluator);
}

void EvaluatorRequests::attach(InstanceRecord &record)
{
    if (record.attached || !m_custom || !isCustom(*record.instance.policy))
        return;
    record.attached = true;
    m_custom->attach(record.id, *record.instance.policy->evaluator);
}

void EvaluatorRequests::detach(InstanceRecord &record)
{
    withdraw(record, Withdrawal::Superseded);
    std::erase_if(m_pending, [&](const auto &each) {
        if (each.second.instanceId != record.id)
            return false;
        if (m_custom)
            m_custom->withdraw(each.first, Withdrawal::Superseded);
        return true;
    });
    if (std::exchange(record.attached, false) && m_custom != nullptr)
        m_custom->detach(record.id);
}

void EvaluatorRequests::prepare(InstanceRecord &record) const
{
    const RestartPolicy &policy = *record.instance.policy;
    record.instance.evaluatorAvailable = isCustom(policy) && !policy.evaluator->shadow
        && m_custom != nullptr && m_custom->isAvailable(policy.evaluator->id);
}

std::optional<EvaluatorOpinion> EvaluatorRequests::opinionOn(const InstanceRecord &record,
                                                             const InstanceInput &input,
                                                             InstanceState before,
                                                             const Outcome &outcome) const
{
    const RestartPolicy &policy = *record.instance.policy;
    if (!isCustom(policy) || policy.evaluator->shadow)
        return {};
    QString reason;
    if (before == InstanceState::Evaluating && input.kind == InputKind::Deadline) {
        reason = record.requestToken != 0 && m_custom
            ? QStringLiteral("no answer within %1")
                  .arg(durationToString(InstanceTable::evaluatorBudget))
            : QStringLiteral("the evaluator was replaced during the request");
    } else if (input.kind == InputKind::Resume && input.memory
               && input.memory->state == InstanceState::Evaluating) {
        reason = QStringLiteral("the host exited during the request");
    } else if (isFailure(outcome) && outcome.decision.shouldRestart) {
        reason = QStringLiteral("not available");
    } else {
        return {};
    }
    return EvaluatorOpinion{policy.evaluator->id, {}, reason, outcome.decision.delay};
}

void EvaluatorRequests::follow(InstanceRecord &record, const InstanceInput &input,
                               InstanceState before, const Outcome &outcome)
{
    if (input.kind == InputKind::ChangePolicy)
        attach(record);
    const bool evaluating = record.instance.state == InstanceState::Evaluating;
    if (record.requestToken != 0 && !evaluating) {
        withdraw(record,
                 input.kind == InputKind::Deadline ? Withdrawal::TimedOut : Withdrawal::Superseded);
    }
    if (outcome.askEvaluator) {
        queue(record, before, outcome, false);
        return;
    }
    const RestartPolicy &policy = *record.instance.policy;
    // A restart that was only replanned was evaluated already.
    if (isFailure(outcome) && isCustom(policy) && policy.evaluator->shadow
        && outcome.decision.shouldRestart && m_custom
        && m_custom->isAvailable(policy.evaluator->id))
        queue(record, before, outcome, true);
}

void EvaluatorRequests::queue(InstanceRecord &record, InstanceState before, const Outcome &outcome,
                              bool shadow)
{
    const quint64 token = ++m_lastToken;
    const Instance &instance = record.instance;
    Pending pending{
        record.id, instance.policy->evaluator->id, instance.generation, outcome.decision, nullptr,
        nullptr};
    if (shadow) {
        pending.asIfActive = std::make_unique<Instance>(instance);
        pending.asIfActive->state = InstanceState::Evaluating;
        pending.budget = std::make_unique<Deadline>(m_engine.scheduler(),
                                                    [this, token] { onShadowTimeout(token); });
        pending.budget->armIn(InstanceTable::evaluatorBudget);
    } else {
        record.requestToken = token;
    }
    m_pending.emplace(token, std::move(pending));

    const Clock &clock = m_engine.scheduler().clock();
    EvaluatorRequest request;
    request.token = token;
    request.agent = record.name;
    request.generation = instance.generation;
    request.context.instanceId = record.id;
    request.context.policy = *instance.policy;
    request.context.currentAttempt = instance.attempt;
    request.context.firstFailureAt = clock.toUtc(instance.firstFailureAt);
    request.context.lastFailureAt = clock.toUtc(instance.lastFailureAt);
    request.context.reason = instance.lastReason;
    if (record.lastFailure)
        request.context.detail = record.lastFailure->detail;
    request.context.healthStatus = m_engine.health(record.id);
    request.context.onceReady = instance.onceReady;
    request.builtIn = outcome.decision;
    request.beforeReady = before == InstanceState::Starting;
    request.failedAt = instance.lastFailureAt;
    m_engine.outbox().post(record.id, [this, request = std::move(request)](const auto &) {
        // A slot may have stopped the agent or replaced the custom evaluators.
        if (m_custom && m_pending.contains(request.token))
            m_custom->request(request);
    });
}

void EvaluatorRequests::withdraw(InstanceRecord &record, Withdrawal reason)
{
    const quint64 token = std::exchange(record.requestToken, 0);
    if (m_pending.erase(token) > 0 && m_custom)
        m_custom->withdraw(token, reason);
}

void EvaluatorRequests::onShadowTimeout(quint64 token)
{
    const std::optional<Pending> pending = take(token);
    if (pending && m_custom)
        m_custom->withdraw(token, Withdrawal::TimedOut);
}

std::optional<EvaluatorRequests::Pending> EvaluatorRequests::take(quint64 token)
{
    auto node = m_pending.extract(token);
    if (node.empty())
        return {};
    return std::move(node.mapped());
}

void EvaluatorRequests::onAnswered(quint64 token, const EvaluatorVerdict &verdict,
                                   const QString &reason)
{
    const std::optional<Pending> pending = take(token);
    if (pending)
        conclude(*pending, verdict,
                 {pending->evaluator, verdict.kind, reason, pending->builtIn.delay});
}

void EvaluatorRequests::onUnanswered(quint64 token, const QString &reason)
{
    const std::optional<Pending> pending = take(token);
    if (pending && !pending->asIfActive)
        conclude(*pending, {}, {pending->evaluator, {}, reason, pending->builtIn.delay});
}

void EvaluatorRequests::conclude(const Pending &pending, const EvaluatorVerdict &verdict,
                                 const EvaluatorOpinion &opinion)
{
    InstanceRecord *record = m_engine.find(pending.instanceId);
    if (!record)
        return;
    if (pending.asIfActive) {
        recordShadow(pending, *record, verdict, opinion);
        m_engine.outbox().drain();
        return;
    }
    record->requestToken = 0;
    m_engine.apply(
        *record, {.kind = InputKind::Verdict, .generation = pending.generation, .verdict = verdict},
        nullptr, opinion);
}

void EvaluatorRequests::recordShadow(const Pending &pending, InstanceRecord &record,
                                     const EvaluatorVerdict &verdict,
                                     const EvaluatorOpinion &opinion)
{
    Instance asIf = *pending.asIfActive;
    RestartDecision wouldBe =
        InstanceTable::apply(
            asIf,
            {.kind = InputKind::Verdict, .generation = pending.generation, .verdict = verdict},
            asIf.lastFailureAt, asIf.draw)
            .decision;
    wouldBe.evaluator = opinion;
    ++record.shadow.answers;
    if (!wouldBe.agreesWith(pending.builtIn))
        ++record.shadow.disagreements;
    m_engine.outbox().post(
        record.id, [id = record.id, builtIn = pending.builtIn, wouldBe](RestartPolicyEvaluator &q) {
            Q_EMIT q.shadowDecided(id, builtIn, wouldBe);
        });
}

} // namespace Rekindle
