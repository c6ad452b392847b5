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
        pending.opinion.reason = replacedDuringRequest();
        if (pending.budget)
            m_engine.outbox().post(
                pending.id, [done = pending.done, opinion = pending.opinion](auto &, auto &) {
                    done({}, opinion);
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
    if (m_custom)
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
        if (each.second.id != id)
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

quint64 EvaluationRequests::send(EvaluatorRequest request, Answered done, bool hasBudget)
{
    const quint64 token = ++m_lastToken;
    const QUuid id = request.context.instanceId;
    request.token = token;
    Pending pending{
        id, {request.context.policy.evaluator->id, {}, {}, request.builtIn.delay}, std::move(done)};
    if (hasBudget) {
        pending.budget = std::make_unique<Deadline>(m_engine.scheduler(), [this, token] {
            auto late = m_pending.extract(token);
            if (m_custom)
                m_custom->withdraw(token, Withdrawal::TimedOut);
            late.mapped().end({}, noAnswerInTime());
        });
        pending.budget->armIn(InstanceTable::evaluatorBudget);
    }
    m_pending.emplace(token, std::move(pending));
    m_engine.outbox().post(id, [this, request = std::move(request)](auto &, auto &) {
        // A slot may have stopped the agent or replaced the custom evaluators.
        if (m_custom && m_pending.contains(request.token))
            m_custom->request(request);
    });
    return token;
}

void EvaluationRequests::ask(EvaluatorRequest request, Answered done)
{
    const QUuid id = request.context.instanceId;
    const EvaluatorReference &evaluator = *request.context.policy.evaluator;
    const auto known = m_units.constFind(id);
    const bool isAttached =
        m_engine.find(id) != nullptr || (known != m_units.cend() && *known == evaluator);
    if (!isAttached) {
        forget(id);
        m_units.insert(id, evaluator);
        m_custom->attach(id, evaluator);
    }
    send(std::move(request), std::move(done), true);
}

void EvaluationRequests::askShadow(EvaluatorRequest request, const Instance &instance)
{
    const auto asIfActive = std::make_shared<Instance>(instance);
    asIfActive->state = InstanceState::Evaluating;
    const auto done = [this, asIfActive, id = request.context.instanceId,
                       builtIn = request.builtIn](const EvaluatorVerdict &verdict,
                                                  const EvaluatorOpinion &opinion) {
        if (!opinion.answer)
            return;
        Instance &asIf = *asIfActive;
        RestartDecision wouldBe =
            InstanceTable::apply(
                asIf,
                {.kind = InputKind::Verdict, .generation = asIf.generation, .verdict = verdict},
                asIf.lastFailureAt, asIf.draw)
                .decision;
        wouldBe.evaluator = opinion;
        if (InstanceRecord *const record = m_engine.find(id)) {
            ++record->shadow.answers;
            if (!wouldBe.agreesWith(builtIn))
                ++record->shadow.disagreements;
        }
        m_engine.outbox().post(id, [=](RestartPolicyEvaluator &q, const QUuid &failed) {
            Q_EMIT q.shadowDecided(failed, builtIn, wouldBe);
        });
        m_engine.outbox().drain();
    };
    ask(std::move(request), done);
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
        askActive(record, requestFor(record, before, outcome.decision));
        return;
    }
    const RestartPolicy &policy = *record.instance.policy;
    // A restart that was only replanned was evaluated already.
    if (outcome.failed && outcome.decision.shouldRestart && isAvailable(policy)
        && policy.evaluator->shadow)
        askShadow(requestFor(record, before, outcome.decision), record.instance);
}

void EvaluationRequests::askActive(InstanceRecord &record, EvaluatorRequest request)
{
    const auto done = [this, id = record.id, generation = request.generation](
                          const EvaluatorVerdict &verdict, const EvaluatorOpinion &opinion) {
        InstanceRecord *const answered = m_engine.find(id);
        if (!answered)
            return;
        answered->evaluationToken = 0;
        m_engine.apply(*answered,
                       {.kind = InputKind::Verdict, .generation = generation, .verdict = verdict},
                       opinion);
    };
    record.evaluationToken = send(std::move(request), done, false);
}

EvaluatorRequest EvaluationRequests::requestFor(const InstanceRecord &record, InstanceState before,
                                                const RestartDecision &builtIn) const
{
    const Instance &instance = record.instance;
    const Clock &clock = m_engine.scheduler().clock();
    return {.agent = record.name,
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
            .builtIn = builtIn,
            .beforeReady = before == InstanceState::Starting,
            .failedAt = instance.lastFailureAt};
}

void EvaluationRequests::withdraw(quint64 token, Withdrawal reason)
{
    if (m_pending.erase(token) > 0 && m_custom)
        m_custom->withdraw(token, reason);
}

void EvaluationRequests::Pending::end(const std::optional<EvaluatorVerdict> &answer,
                                      const QString &reason)
{
    opinion.reason = reason;
    if (answer)
        opinion.answer = answer->kind;
    done(answer.value_or(EvaluatorVerdict{}), opinion);
}

void EvaluationRequests::finish(quint64 token, const std::optional<EvaluatorVerdict> &answer,
                                const QString &reason)
{
    auto node = m_pending.extract(token);
    if (!node.empty())
        node.mapped().end(answer, reason);
}

} // namespace Rekindle
