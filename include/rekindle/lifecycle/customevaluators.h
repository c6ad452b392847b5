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

/// A request to a custom evaluator: a failure, and the restart that the built-in rules permit.
struct EvaluatorRequest
{
    quint64 token = 0; ///< identifies the answer; never used twice
    QString agent{};   ///< name of the instance
    quint64 generation = 0;
    RestartContext context{}; ///< its policy contains the evaluator
    RestartDecision builtIn{};
    bool beforeReady = false; ///< the start failed before ready
    Instant failedAt{};
};

/// Why a custom evaluator's answer was not used; the built-in decision applies.
struct EvaluatorFault
{
    QString evaluator{};      ///< id
    QUuid instanceId{};       ///< null if the fault concerns all instances
    QString what{};           ///< text without a final period
    bool quarantined = false; ///< this fault put the evaluator in quarantine: it is no longer used
    bool creationFailed = false; ///< no evaluator could be created; concerns this instance only

    bool operator==(const EvaluatorFault &) const = default;
};

/// Evaluates failures for policies of type custom (spec 7). EvaluatorHost implements it with
/// plug-ins; a host may implement its own.
///
/// It lives in the thread of the RestartPolicyEvaluator. Its functions must not block, run an event
/// loop, or emit signals before they return.
class REKINDLE_LIFECYCLE_EXPORT CustomEvaluators : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    using QObject::QObject;

    /// Returns the faults of a reference, for example an unknown id or invalid parameters. Paths
    /// begin with "/evaluator". A fault is a warning if the base type decides instead, for example
    /// because of the license.
    [[nodiscard]] virtual QList<Fault> check(const EvaluatorReference &evaluator) const = 0;

    /// Returns whether the evaluator can answer requests now.
    [[nodiscard]] virtual bool isAvailable(const QString &evaluatorId) const = 0;

    /// Begins to evaluate the failures of an instance, without state from earlier attachments.
    virtual void attach(const QUuid &instanceId, const EvaluatorReference &evaluator) = 0;
    /// The instance was removed or has another policy. Ids that are not attached are ignored.
    virtual void detach(const QUuid &instanceId) = 0;

    /// Sends a request. answered() or unanswered() follows, unless the request is withdrawn.
    virtual void request(const EvaluatorRequest &request) = 0;

    enum class Withdrawal {
        TimedOut,   ///< the time budget was exceeded, which is a fault
        Superseded, ///< the agent was stopped, removed or decided otherwise
    };
    Q_ENUM(Withdrawal)
    /// Cancels a request. Tokens of answered requests are ignored.
    virtual void withdraw(quint64 token, Withdrawal reason) = 0;

Q_SIGNALS:
    /// The answer of a request. `reason` may be empty.
    void answered(quint64 token, const Rekindle::EvaluatorVerdict &verdict, const QString &reason);
    /// The request has no answer. `reason` is a text without a final period.
    void unanswered(quint64 token, const QString &reason);

    void faulted(const Rekindle::EvaluatorFault &fault);
};

} // namespace Rekindle
