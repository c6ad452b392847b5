// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "instancerecord_p.h"

#include <rekindle/lifecycle/customevaluators.h>

#include <QHash>
#include <QPointer>

#include <functional>
#include <memory>
#include <unordered_map>

namespace Rekindle {

class InstanceEngine;

/// The pending requests to custom evaluators, about instances and about units that are no
/// instances. The answer of an active evaluator becomes the input Verdict of the state table. The
/// answer of an evaluator in shadow mode is applied to a copy of the instance, to find out what the
/// table would have decided.
class EvaluationRequests
{
public:
    EvaluationRequests(RestartPolicyEvaluator &evaluator, InstanceEngine &engine);
    ~EvaluationRequests();
    Q_DISABLE_COPY_MOVE(EvaluationRequests)

    /// Sets the custom evaluators; null for none.
    void use(CustomEvaluators *evaluators);

    /// Faults of the policy's evaluator; none without an evaluator or custom evaluators.
    [[nodiscard]] QList<Fault> check(const RestartPolicy &policy) const;

    /// Attaches the instance to the evaluator of its current policy.
    void attach(InstanceRecord &record);
    void detach(InstanceRecord &record);

    /// Receives the answer of ask(). Without an answer, the opinion contains the reason, and the
    /// verdict is that the built-in decision applies.
    using Answered =
        std::function<void(const EvaluatorVerdict &verdict, const EvaluatorOpinion &opinion)>;

    /// Requests an evaluation within the time budget, and attaches a unit to the evaluator of its
    /// policy, which isAvailable(). `done` is called at most once: not after withdrawAll() or
    /// forget().
    void ask(EvaluatorRequest request, Answered done);
    /// Requests the answer of an evaluator in shadow mode about `instance`, which has failed.
    void askShadow(EvaluatorRequest request, const Instance &instance);
    /// Withdraws the pending requests of an instance or a unit.
    void withdrawAll(const QUuid &id);
    /// Detaches a unit.
    void forget(const QUuid &id);

    [[nodiscard]] static bool isCustom(const RestartPolicy &policy)
    {
        return policy.type == RestartPolicyType::Custom && policy.evaluator;
    }
    [[nodiscard]] bool isAvailable(const RestartPolicy &policy) const;

    /// Call before an input: sets whether the table may request an evaluation.
    void prepare(InstanceRecord &record) const;

    /// What is recorded about the custom evaluator in a decision that contains no verdict of it.
    [[nodiscard]] std::optional<EvaluatorOpinion> opinionOn(const InstanceRecord &record,
                                                            const InstanceInput &input,
                                                            InstanceState before,
                                                            const Outcome &outcome) const;

    /// Call after an input: queues a request, or withdraws one that is no longer needed.
    void follow(InstanceRecord &record, const InstanceInput &input, InstanceState before,
                const Outcome &outcome);

private:
    struct Pending
    {
        QUuid id{};
        EvaluatorOpinion opinion{}; ///< without the answer
        Answered done{};
        std::unique_ptr<Deadline> budget{}; ///< null: the deadline of the instance ends the request

        void end(const std::optional<EvaluatorVerdict> &answer, const QString &reason);
    };

    void connectEvaluators();
    void detachAll();
    /// Sends it from the outbox, because a slot may withdraw it before. Returns its token.
    quint64 send(EvaluatorRequest request, Answered done, bool hasBudget);
    [[nodiscard]] EvaluatorRequest requestFor(const InstanceRecord &record, InstanceState before,
                                              const RestartDecision &builtIn) const;
    void askActive(InstanceRecord &record, EvaluatorRequest request);
    void withdraw(quint64 token, CustomEvaluators::Withdrawal reason);
    /// The end of a request; without `answer`, the built-in decision applies.
    void finish(quint64 token, const std::optional<EvaluatorVerdict> &answer,
                const QString &reason);

    RestartPolicyEvaluator &m_evaluator;
    InstanceEngine &m_engine;
    QPointer<CustomEvaluators> m_custom;
    std::unordered_map<quint64, Pending> m_pending;
    QHash<QUuid, EvaluatorReference> m_units; ///< attached by ask()
    quint64 m_lastToken = 0;
};

} // namespace Rekindle
