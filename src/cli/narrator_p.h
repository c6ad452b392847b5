// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/restartdecision.h>

#include <QObject>
#include <QSet>
#include <QString>
#include <QUuid>

#include <functional>

namespace Rekindle {

class RestartPolicyEvaluator;

/// Tells people in one line what happened and what comes of it: "worker failed (ProcessCrash: exit
/// code 1), restart 2 of 5 in 1.9s".
class Narrator : public QObject
{
    Q_OBJECT

public:
    using Say = std::function<void(const QString &)>;

    Narrator(RestartPolicyEvaluator &evaluator, Say say);

    /// Nothing more from here on: what follows was asked for.
    void mute();

private:
    void hearDecision(const QUuid &id, const RestartDecision &decision);
    void tellFailure(const AgentFailed &event);
    void tellBreaker(const CircuitBreakerStateChanged &event);
    void tellRearming(const RestartExhausted &event);
    void tellHealth(const HealthChanged &event);
    [[nodiscard]] QString consequence() const;

    RestartPolicyEvaluator &m_evaluator;
    Say m_say;
    QUuid m_decidedFor; ///< the decision comes just before the failure's event
    RestartDecision m_decision;
    QSet<QUuid> m_asked; ///< whose evaluators have yet to say what comes of a failure
};

} // namespace Rekindle
