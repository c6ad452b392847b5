// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluationrequests_p.h"

#include "instanceengine_p.h"

#include <rekindle/policy/instancememory.h>

#include <utility>

namespace Rekindle {

using Withdrawal = CustomEvaluators::Withdrawal;

namespace {

QString noAnswerInTime()
{
    return QStringLiteral("no answer within %1")
        .arg(durationToString(InstanceTable::evaluatorBudget));
}

QString replacedDuringRequest()
{
    return QStringLiteral("the evaluator was replaced during the request");
}

} // namespace

EvaluationRequests::EvaluationRequests(RestartPolicyEvaluator &evaluator, InstanceEngine &engine)
    : m_evaluator(evaluator)
    , m_engine(engine)
{
}

EvaluationRequests::~EvaluationRequests() { detachAll(); }

void EvaluationRequests::use(CustomEvaluators *evaluators)
{
    for (auto &[token, pending] : m_pending) {
        if (pending.done)
            m_engine.outbox().post(pending.instanceId,
                                   [done = std::move(pending.done)](auto &, auto &) {
                                       done({}, replacedDuringRequest());
                                   });
    }
    detachAll();
    m_custom = evaluators;
    if (evaluators)
        connectEvaluators();
    m_engine.outbox().drain();
}

void EvaluationRequests::detachAll()
{
    const QList<QUuid> units = m_units.keys();
    for (const QUuid &id : units)
        forget(id);
    if (!m_custom)
        return;
    m_custom->disconnect(&m_evaluator);
    for (InstanceRecord &record : m_engine.records())
        detach(record);
}

void EvaluationRequests::connectEvaluators()
{
    CustomEvaluators *const evaluators = m_custom;
    QObject::connect(evaluators, &CustomEvaluators::answered, &m_evaluator,
                     [this](quint64 token, const EvaluatorVerdict &verdict, const QString &reason) {
                         finish(token, verdict, reason);
                     });
    QObject::connect(evaluators, &CustomEvaluators::unanswered, &m_evaluator,
                     [this](quint64 token, const QString &reason) { finish(token, {}, reason); });
    for (InstanceRecord &record : m_engine.records())
        attach(record);
}

QList<Fault> EvaluationRequests::check(const RestartPolicy &policy) const
{
    if (!isCustom(policy))
        return {};
    if (!m_custom)
        return {{QStringLiteral("/evaluator"),
                 QStringLiteral("no custom evaluators are set; the base type is used"),
                 Fault::Severity::Warning}};
    return m_custom->check(*policy.evaluator);
}

void EvaluationRequests::attach(InstanceRecord &record)
{
    if (record.attached || !m_custom || !isCustom(*record.instance.policy))
        return;
    record.attached = true;
    m_custom->attach(record.id, *record.instance.policy->evaluator);
}

void EvaluationRequests::withdrawAll(const QUuid &id)
{
    std::erase_if(m_pending, [&](const auto &each) {
        if (each.second.instanceId != id)
            return false;
        if (m_custom)
            m_custom->withdraw(each.first, Withdrawal::Superseded);
        return true;
    });
}

void EvaluationRequests::forget(const QUuid &id)
{
    withdrawAll(id);
    if (m_units.remove(id) && m_custom)
        m_custom->detach(id);
}

void EvaluationRequests::ask(EvaluatorRequest request, Answered done)
{
    const QUuid id = request.context.instanceId;
    const EvaluatorReference &evaluator = *request.context.policy.evaluator;
    if (const auto known = m_units.constFind(id); known == m_units.cend() || *known != evaluator) {
        forget(id);
        m_units.insert(id, evaluator);
        m_custom->attach(id, evaluator);
    }
    request.token = ++m_lastToken;
    Pending pending;
    pending.instanceId = id;
    pending.done = std::move(done);
    pending.budget =
        std::make_unique<Deadline>(m_engine.scheduler(), [this, token = request.token] {
            const Answered late = std::move(m_pending[token].done);
            withdraw(token, Withdrawal::TimedOut);
            late({}, noAnswerInTime());
        });
    pending.budget->armIn(InstanceTable::evaluatorBudget);
    m_pending.emplace(request.token, std::move(pending));
    post(std::move(request));
}

void EvaluationRequests::detach(InstanceRecord &record)
{
    record.evaluationToken = 0;
    withdrawAll(record.id);
    if (std::exchange(record.attached, false) && m_custom != nullptr)
        m_custom->detach(record.id);
}

bool EvaluationRequests::isAvailable(const RestartPolicy &policy) const
{
    return isCustom(policy) && m_custom != nullptr && m_custom->isAvailable(policy.evaluator->id);
}

void EvaluationRequests::prepare(InstanceRecord &record) const
{
    const RestartPolicy &policy = *record.instance.policy;
    record.instance.evaluatorAvailable = isAvailable(policy) && !policy.evaluator->shadow;
}

std::optional<EvaluatorOpinion> EvaluationRequests::opinionOn(const InstanceRecord &record,
                                                              const InstanceInput &input,
                                                              InstanceState before,
                                                              const Outcome &outcome) const
{
    const RestartPolicy &policy = *record.instance.policy;
    if (!isCustom(policy) || policy.evaluator->shadow)
        return {};
    QString reason;
    if (before == InstanceState::Evaluating && input.kind == InputKind::Deadline) {
        reason =
            record.evaluationToken != 0 && m_custom ? noAnswerInTime() : replacedDuringRequest();
    } else if (input.kind == InputKind::Resume && input.memory
               && input.memory->state == InstanceState::Evaluating) {
        reason = QStringLiteral("the host exited during the request");
    } else if (outcome.failed && outcome.decision.shouldRestart) {
        reason = QStringLiteral("not available");
    } else {
        return {};
    }
    return EvaluatorOpinion{policy.evaluator->id, {}, reason, outcome.decision.delay};
}

void EvaluationRequests::follow(InstanceRecord &record, const InstanceInput &input,
                                InstanceState before, const Outcome &outcome)
{
    if (input.kind == InputKind::ChangePolicy)
        attach(record);
    const bool evaluating = record.instance.state == InstanceState::Evaluating;
    if (record.evaluationToken != 0 && !evaluating) {
        withdraw(std::exchange(record.evaluationToken, 0),
                 input.kind == InputKind::Deadline ? Withdrawal::TimedOut : Withdrawal::Superseded);
    }
    if (outcome.evaluate) {
        queue(record, before, outcome, false);
        return;
    }
    const RestartPolicy &policy = *record.instance.policy;
    // A restart that was only replanned was evaluated already.
    if (outcome.failed && outcome.decision.shouldRestart && isAvailable(policy)
        && policy.evaluator->shadow)
        queue(record, before, outcome, true);
}

void EvaluationRequests::queue(InstanceRecord &record, InstanceState before, const Outcome &outcome,
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
        pending.budget = std::make_unique<Deadline>(
            m_engine.scheduler(), [this, token] { withdraw(token, Withdrawal::TimedOut); });
        pending.budget->armIn(InstanceTable::evaluatorBudget);
    } else {
        record.evaluationToken = token;
    }
    m_pending.emplace(token, std::move(pending));

    const Clock &clock = m_engine.scheduler().clock();
    EvaluatorRequest request{
        .token = token,
        .agent = record.name,
        .generation = instance.generation,
        .context = {.instanceId = record.id,
                    .policy = *instance.policy,
                    .currentAttempt = instance.attempt,
                    .firstFailureAt = clock.toUtc(instance.firstFailureAt),
                    .lastFailureAt = clock.toUtc(instance.lastFailureAt),
                    .reason = instance.lastReason,
                    .detail = record.lastFailure ? record.lastFailure->detail : FailureDetail{},
                    .healthStatus = m_engine.health(record.id),
                    .onceReady = instance.onceReady},
        .builtIn = outcome.decision,
        .beforeReady = before == InstanceState::Starting,
        .failedAt = instance.lastFailureAt};
    post(std::move(request));
}

void EvaluationRequests::post(EvaluatorRequest request)
{
    const QUuid id = request.context.instanceId;
    m_engine.outbox().post(id, [this, request = std::move(request)](auto &, auto &) {
        // A slot may have stopped the agent or replaced the custom evaluators.
        if (m_custom && m_pending.contains(request.token))
            m_custom->request(request);
    });
}

void EvaluationRequests::withdraw(quint64 token, Withdrawal reason)
{
    if (m_pending.erase(token) > 0 && m_custom)
        m_custom->withdraw(token, reason);
}

void EvaluationRequests::finish(quint64 token, const std::optional<EvaluatorVerdict> &answer,
                                const QString &reason)
{
    const auto node = m_pending.extract(token);
    if (node.empty())
        return;
    const Pending &pending = node.mapped();
    if (pending.done) {
        pending.done(answer, reason);
        return;
    }
    InstanceRecord *record = m_engine.find(pending.instanceId);
    if (!record)
        return;
    EvaluatorOpinion opinion{pending.evaluator, {}, reason, pending.builtIn.delay};
    if (answer)
        opinion.answer = answer->kind;
    const InstanceInput verdict{.kind = InputKind::Verdict,
                                .generation = pending.generation,
                                .verdict = answer.value_or(EvaluatorVerdict{})};
    if (!pending.asIfActive) {
        record->evaluationToken = 0;
        m_engine.apply(*record, verdict, opinion);
    } else if (answer) {
        recordShadow(pending, *record, verdict, opinion);
    }
}

void EvaluationRequests::recordShadow(const Pending &pending, InstanceRecord &record,
                                      const InstanceInput &verdict, const EvaluatorOpinion &opinion)
{
    Instance asIf = *pending.asIfActive;
    RestartDecision wouldBe =
        InstanceTable::apply(asIf, verdict, asIf.lastFailureAt, asIf.draw).decision;
    wouldBe.evaluator = opinion;
    ++record.shadow.answers;
    if (!wouldBe.agreesWith(pending.builtIn))
        ++record.shadow.disagreements;
    m_engine.outbox().post(
        record.id,
        [builtIn = pending.builtIn, wouldBe](RestartPolicyEvaluator &q, const QUuid &id) {
            Q_EMIT q.shadowDecided(id, builtIn, wouldBe);
        });
    m_engine.outbox().drain();
}

} // namespace Rekindle
