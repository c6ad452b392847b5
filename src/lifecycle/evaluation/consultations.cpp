// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "consultations_p.h"

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

Consultations::Consultations(Owner &owner)
    : m_owner(owner)
{
}

Consultations::~Consultations() { use(nullptr); }

void Consultations::use(CustomEvaluators *evaluators)
{
    if (m_evaluators) {
        m_evaluators->disconnect(m_owner.q);
        for (const std::shared_ptr<InstanceRecord> &record : std::as_const(m_owner.records))
            detach(*record);
    }
    m_evaluators = evaluators;
    if (!evaluators)
        return;
    QObject::connect(evaluators, &CustomEvaluators::answered, m_owner.q,
                     [this](quint64 token, const EvaluatorVerdict &verdict, const QString &reason) {
                         answered(token, verdict, reason);
                     });
    QObject::connect(evaluators, &CustomEvaluators::unanswered, m_owner.q,
                     [this](quint64 token, const QString &why) { unanswered(token, why); });
    for (const std::shared_ptr<InstanceRecord> &record : std::as_const(m_owner.records))
        attach(*record);
}

QList<Fault> Consultations::check(const RestartPolicy &policy) const
{
    if (!m_evaluators || !isCustom(policy))
        return {};
    return m_evaluators->check(*policy.evaluator);
}

void Consultations::attach(InstanceRecord &record)
{
    if (record.attached || !m_evaluators || !isCustom(*record.instance.policy))
        return;
    record.attached = true;
    m_evaluators->attach(record.id, *record.instance.policy->evaluator);
}

void Consultations::detach(InstanceRecord &record)
{
    withdraw(record, Withdrawal::Superseded);
    std::erase_if(m_questions, [&](const auto &each) {
        if (each.second.instanceId != record.id)
            return false;
        if (m_evaluators)
            m_evaluators->withdraw(each.first, Withdrawal::Superseded);
        return true;
    });
    if (std::exchange(record.attached, false) && m_evaluators != nullptr)
        m_evaluators->detach(record.id);
}

void Consultations::prepare(InstanceRecord &record) const
{
    const RestartPolicy &policy = *record.instance.policy;
    record.instance.evaluatorAvailable = isCustom(policy) && !policy.evaluator->shadow
        && m_evaluators != nullptr && m_evaluators->isAvailable(policy.evaluator->id);
}

std::optional<EvaluatorOpinion> Consultations::opinionOn(const InstanceRecord &record,
                                                         const InstanceInput &input,
                                                         InstanceState before,
                                                         const Outcome &outcome) const
{
    const RestartPolicy &policy = *record.instance.policy;
    if (!isCustom(policy) || policy.evaluator->shadow)
        return {};
    QString why;
    if (before == InstanceState::Evaluating && input.kind == InputKind::Deadline) {
        why = record.question != 0 && m_evaluators
            ? QStringLiteral("it gave no answer within %1")
                  .arg(durationToString(InstanceTable::evaluatorBudget))
            : QStringLiteral("it was changed while it was asked");
    } else if (input.kind == InputKind::Resume && input.memory
               && input.memory->state == InstanceState::Evaluating) {
        why = QStringLiteral("the host ended while it was asked");
    } else if (isFailure(outcome) && outcome.decision.shouldRestart) {
        why = QStringLiteral("it cannot be asked");
    } else {
        return {};
    }
    return EvaluatorOpinion{policy.evaluator->id, {}, why, outcome.decision.delay};
}

void Consultations::follow(InstanceRecord &record, const InstanceInput &input, InstanceState before,
                           const Outcome &outcome)
{
    if (input.kind == InputKind::ChangePolicy)
        attach(record);
    const bool thinks = record.instance.state == InstanceState::Evaluating;
    if (record.question != 0 && !thinks) {
        withdraw(record,
                 input.kind == InputKind::Deadline ? Withdrawal::TimedOut : Withdrawal::Superseded);
    }
    if (outcome.askEvaluator) {
        ask(record, before, outcome, false);
        return;
    }
    const RestartPolicy &policy = *record.instance.policy;
    // What was replanned has been asked about already.
    if (isFailure(outcome) && isCustom(policy) && policy.evaluator->shadow
        && outcome.decision.shouldRestart && m_evaluators
        && m_evaluators->isAvailable(policy.evaluator->id))
        ask(record, before, outcome, true);
}

void Consultations::ask(InstanceRecord &record, InstanceState before, const Outcome &outcome,
                        bool shadow)
{
    const quint64 token = ++m_lastToken;
    const Instance &instance = record.instance;
    Question question{
        record.id, instance.policy->evaluator->id, instance.generation, outcome.decision, nullptr,
        nullptr};
    if (shadow) {
        question.asIfActive = std::make_unique<Instance>(instance);
        question.asIfActive->state = InstanceState::Evaluating;
        question.budget =
            std::make_unique<Deadline>(m_owner.scheduler, [this, token] { shadowTimedOut(token); });
        question.budget->armIn(InstanceTable::evaluatorBudget);
    } else {
        record.question = token;
    }
    m_questions.emplace(token, std::move(question));

    const Clock &clock = m_owner.scheduler.clock();
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
    request.context.healthStatus = m_owner.healthOf(record.id);
    request.context.onceReady = instance.onceReady;
    request.builtIn = outcome.decision;
    request.beforeReady = before == InstanceState::Starting;
    request.failedAt = instance.lastFailureAt;
    m_owner.outbox.emplace_back(AskDue{record.id, std::move(request)});
}

void Consultations::send(const EvaluatorRequest &request)
{
    // A slot may have stopped it, or taken the evaluators away.
    if (m_evaluators && m_questions.contains(request.token))
        m_evaluators->ask(request);
}

void Consultations::withdraw(InstanceRecord &record, Withdrawal why)
{
    const quint64 token = std::exchange(record.question, 0);
    if (m_questions.erase(token) > 0 && m_evaluators)
        m_evaluators->withdraw(token, why);
}

void Consultations::shadowTimedOut(quint64 token)
{
    const std::optional<Question> question = take(token);
    if (question && m_evaluators)
        m_evaluators->withdraw(token, Withdrawal::TimedOut);
}

std::optional<Consultations::Question> Consultations::take(quint64 token)
{
    const auto found = m_questions.find(token);
    if (found == m_questions.end())
        return {};
    Question question = std::move(found->second);
    m_questions.erase(found);
    return question;
}

void Consultations::answered(quint64 token, const EvaluatorVerdict &verdict, const QString &reason)
{
    const std::optional<Question> question = take(token);
    if (question)
        conclude(*question, verdict,
                 {question->evaluator, verdict.kind, reason, question->builtIn.delay});
}

void Consultations::unanswered(quint64 token, const QString &why)
{
    const std::optional<Question> question = take(token);
    if (question && !question->asIfActive) // a shadow that gives no answer casts none
        conclude(*question, {}, {question->evaluator, {}, why, question->builtIn.delay});
}

void Consultations::conclude(const Question &question, const EvaluatorVerdict &verdict,
                             const EvaluatorOpinion &opinion)
{
    InstanceRecord *record = m_owner.find(question.instanceId);
    if (!record)
        return;
    if (question.asIfActive) {
        recordShadow(question, *record, verdict, opinion);
        m_owner.drain();
        return;
    }
    record->question = 0;
    m_owner.apply(
        *record,
        {.kind = InputKind::Verdict, .generation = question.generation, .verdict = verdict},
        nullptr, opinion);
}

void Consultations::recordShadow(const Question &question, InstanceRecord &record,
                                 const EvaluatorVerdict &verdict, const EvaluatorOpinion &opinion)
{
    Instance asIf = *question.asIfActive;
    RestartDecision wouldBe =
        InstanceTable::apply(
            asIf,
            {.kind = InputKind::Verdict, .generation = question.generation, .verdict = verdict},
            asIf.lastFailureAt, asIf.draw)
            .decision;
    wouldBe.evaluator = opinion;
    const RestartDecision &builtIn = question.builtIn;
    ++record.shadow.answers;
    if (!wouldBe.agreesWith(builtIn))
        ++record.shadow.disagreements;
    m_owner.outbox.emplace_back(ShadowDecided{record.id, builtIn, std::move(wouldBe)});
}

} // namespace Rekindle
