// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "restartpolicyevaluator_p.h"

#include <rekindle/lifecycle/customevaluators.h>

#include <QPointer>

#include <memory>
#include <unordered_map>

namespace Rekindle {

/// The questions that a RestartPolicyEvaluator has asked custom evaluators, and what becomes of
/// the answers. An active evaluator's answer is a Verdict for the table. Of one in shadow mode it
/// is only found out, with a copy of the instance, what the table would have made of it.
class Consultations
{
public:
    using Owner = RestartPolicyEvaluator::Private;

    explicit Consultations(Owner &owner);
    ~Consultations();
    Q_DISABLE_COPY_MOVE(Consultations)

    void use(CustomEvaluators *evaluators);

    /// Faults of the policy's evaluator, if it has one and somebody knows evaluators.
    [[nodiscard]] QList<Fault> check(const RestartPolicy &policy) const;

    /// The instance is decided by this policy from now on.
    void attach(InstanceRecord &record);
    void detach(InstanceRecord &record);

    /// Before an input: whether the table may count on an answer.
    void prepare(InstanceRecord &record) const;

    /// What the custom evaluator had to do with a decision that it has given no verdict for.
    [[nodiscard]] std::optional<EvaluatorOpinion> opinionOn(const InstanceRecord &record,
                                                            const InstanceInput &input,
                                                            InstanceState before,
                                                            const Outcome &outcome) const;

    /// After an input: a question to ask, or one that nobody waits for any more.
    void follow(InstanceRecord &record, const InstanceInput &input, InstanceState before,
                const Outcome &outcome);

    /// From the outbox: now others may be called.
    void send(const EvaluatorRequest &request);

private:
    struct Question
    {
        QUuid instanceId;
        QString evaluator;
        quint64 generation = 0;
        RestartDecision builtIn;
        // Of shadow mode:
        std::unique_ptr<Instance> asIfActive;
        std::unique_ptr<Deadline> budget;
    };

    [[nodiscard]] static bool isCustom(const RestartPolicy &policy)
    {
        return policy.type == RestartPolicyType::Custom && policy.evaluator;
    }
    void ask(InstanceRecord &record, InstanceState before, const Outcome &outcome, bool shadow);
    void withdraw(InstanceRecord &record, CustomEvaluators::Withdrawal why);
    void shadowTimedOut(quint64 token);
    void answered(quint64 token, const EvaluatorVerdict &verdict, const QString &reason);
    void unanswered(quint64 token, const QString &why);
    [[nodiscard]] std::optional<Question> take(quint64 token);
    void conclude(const Question &question, const EvaluatorVerdict &verdict,
                  const EvaluatorOpinion &opinion);
    void recordShadow(const Question &question, InstanceRecord &record,
                      const EvaluatorVerdict &verdict, const EvaluatorOpinion &opinion);

    Owner &m_owner;
    QPointer<CustomEvaluators> m_evaluators;
    std::unordered_map<quint64, Question> m_questions;
    quint64 m_lastToken = 0;
};

} // namespace Rekindle
