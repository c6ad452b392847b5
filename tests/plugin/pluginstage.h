// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "stage.h"

#include <rekindle/plugin/evaluatorhost.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QtTest>

namespace Rekindle {

/// A stage with custom evaluators from plug-ins. The agents' time is virtual, the time of the
/// plug-ins is real: think() waits for their answers.
class PluginStage : public Stage
{
public:
    explicit PluginStage(const QStringList &folders)
    {
        host.setFolders(folders);
        supervisor.policyEvaluator().setCustomEvaluators(&host);
        QObject::connect(&host, &CustomEvaluators::faulted, &host,
                         [this](const EvaluatorFault &fault) { faults.append(fault); });
        QObject::connect(
            &supervisor.policyEvaluator(), &RestartPolicyEvaluator::decided, &host,
            [this](const QUuid &, const RestartDecision &decision) { hear(decision); });
        QObject::connect(&supervisor.policyEvaluator(), &RestartPolicyEvaluator::shadowDecided,
                         &host,
                         [this](const QUuid &, const RestartDecision &,
                                const RestartDecision &wouldBe) { hear(wouldBe); });
    }

    /// Waits until no instance is Evaluating; false after 30 s.
    bool think()
    {
        return QTest::qWaitFor(
            [this] {
                for (const QUuid &id : supervisor.ids()) {
                    if (supervisor.policyEvaluator().state(id) == InstanceState::Evaluating)
                        return false;
                }
                return true;
            },
            limit);
    }

    bool waitForFaults(qsizetype count)
    {
        return QTest::qWaitFor([this, count] { return faults.size() >= count; }, limit);
    }

    /// Returns the time until the planned start of an agent.
    [[nodiscard]] Duration delay(const QString &agent = QStringLiteral("a")) const
    {
        const auto snapshot = supervisor.snapshot(supervisor.idOf(agent));
        return snapshot->nextStartAt.value_or(Instant{}) - clock.now();
    }

    static constexpr int limit = 30000;

    EvaluatorHost host;
    QList<EvaluatorFault> faults;
    QStringList said; ///< reasons of the answers

private:
    void hear(const RestartDecision &decision)
    {
        const auto &opinion = decision.evaluator;
        if (opinion && opinion->answer && !opinion->reason.isEmpty())
            said.append(opinion->reason);
    }
};

/// "{'type': 'custom', ...}" of an evaluator with these parameters, without the braces.
inline QString customPolicy(const QString &id, const QString &parameters,
                            const QString &mode = QStringLiteral("active"))
{
    return QStringLiteral("'type':'custom','evaluator':{'id':'%1','base':'exponential','mode':'%3',"
                          "'parameters':{%2}}")
        .arg(id, parameters, mode);
}

} // namespace Rekindle
