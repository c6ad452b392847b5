// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "stage.h"

#include <rekindle/lifecycle/customevaluators.h>

namespace Rekindle {

/// Evaluators that record their requests. The test determines the answers.
class ScriptedEvaluators final : public CustomEvaluators
{
public:
    QList<Fault> check(const EvaluatorReference &evaluator) const override
    {
        if (evaluator.id == QLatin1String("test"))
            return {};
        return {{QStringLiteral("/evaluator/id"), QStringLiteral("unknown")}};
    }
    bool isAvailable(const QString &) const override { return available; }
    void attach(const QUuid &id, const EvaluatorReference &) override { attached.append(id); }
    void detach(const QUuid &id) override { attached.removeOne(id); }
    void request(const EvaluatorRequest &request) override { requests.append(request); }
    void withdraw(quint64 token, Withdrawal why) override
    {
        withdrawn.append(QStringLiteral("%1:%2").arg(token).arg(
            why == Withdrawal::TimedOut ? QStringLiteral("late") : QStringLiteral("superseded")));
    }
    void answer(EvaluatorVerdict::Kind kind, Duration delay = Duration{0},
                const QString &reason = {})
    {
        Q_EMIT answered(requests.last().token, {kind, delay}, reason);
    }

    bool available = true;
    QList<QUuid> attached;
    QList<EvaluatorRequest> requests;
    QStringList withdrawn;
};

inline QString activePolicy()
{
    return QStringLiteral("'type':'custom','evaluator':{'id':'test','base':'exponential'}");
}

inline QString shadowPolicy()
{
    return QStringLiteral(
        "'type':'custom','evaluator':{'id':'test','base':'exponential','mode':'shadow'}");
}

/// A stage on which these evaluators decide.
class EvaluatorStage : public Stage
{
public:
    EvaluatorStage() { supervisor.policyEvaluator().setCustomEvaluators(&evaluators); }

    ScriptedEvaluators evaluators;
};

} // namespace Rekindle
