// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/export.h>
#include <rekindle/policy/instancetable.h>
#include <rekindle/policy/restartcontext.h>
#include <rekindle/policy/restartdecision.h>
#include <rekindle/policy/validation.h>

#include <QObject>
#include <QUuid>

namespace Rekindle {

/// One question to a custom evaluator: a failure, and the restart that the built-in rules allow.
struct EvaluatorRequest
{
    quint64 token = 0; ///< what the answer is told by; never used twice
    QString agent{};   ///< the instance's name
    quint64 generation = 0;
    RestartContext context{}; ///< its policy names the evaluator
    RestartDecision builtIn{};
    bool beforeReady = false; ///< the start that failed was not ready yet
    Instant failedAt{};
};

/// What was not as it should be with an evaluator. The built-in verdict stands then.
struct EvaluatorFault
{
    QString evaluator{};      ///< its id
    QUuid instanceId{};       ///< null where it concerns all of its instances
    QString what{};           ///< a sentence without its end
    bool quarantined = false; ///< it was one too many: it is not asked any more
    bool unmade = false; ///< none could be made for this instance: all this concerns no other one

    bool operator==(const EvaluatorFault &) const = default;
};

/// Who answers for policies of type custom: what RestartPolicyEvaluator asks. EvaluatorHost, which
/// loads plug-ins, is one; a host may bring its own, without plug-ins.
///
/// It lives in the evaluator's thread. None of its functions may block, run an event loop, or emit
/// one of its signals before it has returned.
class REKINDLE_LIFECYCLE_EXPORT CustomEvaluators : public QObject
{
    Q_OBJECT

public:
    explicit CustomEvaluators(QObject *parent = nullptr);
    ~CustomEvaluators() override;

    /// What is wrong with it: an unknown id, wrong parameters. Paths begin with "/evaluator".
    /// What only means that the base type decides, for example a licence, is a warning.
    [[nodiscard]] virtual QList<Fault> check(const EvaluatorReference &evaluator) const = 0;

    /// Whether it is worth asking now.
    [[nodiscard]] virtual bool isAvailable(const QString &evaluatorId) const = 0;

    /// An instance is decided by it from now on, with nothing remembered from before.
    virtual void attach(const QUuid &instanceId, const EvaluatorReference &evaluator) = 0;
    /// The instance is gone, or has another policy. Ids that are not attached are ignored.
    virtual void detach(const QUuid &instanceId) = 0;

    /// answered() or unanswered() follows, unless the question is withdrawn.
    virtual void ask(const EvaluatorRequest &request) = 0;

    enum class Withdrawal {
        TimedOut,   ///< the time budget is used up, which is a fault
        Superseded, ///< stopped, removed or decided otherwise meanwhile
    };
    /// Nobody waits for the answer any more. Tokens that were answered are ignored.
    virtual void withdraw(quint64 token, Withdrawal why) = 0;

Q_SIGNALS:
    /// The answer, and its author's reason, which may be empty.
    void answered(quint64 token, const Rekindle::EvaluatorVerdict &verdict, const QString &reason);
    /// There will be none, and why: a sentence without its end.
    void unanswered(quint64 token, const QString &why);

    void faulted(const Rekindle::EvaluatorFault &fault);
};

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::EvaluatorFault)
