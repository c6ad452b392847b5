// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/instance.h>
#include <rekindle/policy/lifecycleevent.h>
#include <rekindle/policy/restartdecision.h>

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>
#include <QUuid>

#include <functional>

namespace Rekindle {

class AgentSupervisor;
struct AgentSnapshot;

/// Tells people in one line what happened and what comes of it: "worker failed (ProcessCrash: exit
/// code 1), restart 2 of 5 in 1.9s".
class Narrator : public QObject
{
    Q_OBJECT

public:
    using Say = std::function<void(const QString &)>;

    Narrator(AgentSupervisor &supervisor, Say say);

    /// Nothing more from here on: what follows was asked for.
    void mute();

private:
    void hearDecision(const QUuid &id, const RestartDecision &decision);
    void hearState(const QUuid &id, InstanceState state);
    void tellFailure(const AgentFailed &event);
    void tellScheduled(const RestartScheduled &event);
    void tellCancelled(const RestartCancelled &event);
    void tellBreaker(const CircuitBreakerStateChanged &event);
    void tellRearming(const RestartExhausted &event);
    void tellHealth(const HealthChanged &event);
    /// What comes of the latest decision, once; `delay` is how long it takes from now.
    [[nodiscard]] QString consequence(Duration delay);
    [[nodiscard]] QString plainConsequence(const QUuid &id, Duration delay) const;
    [[nodiscard]] Duration untilNextStart(const AgentSnapshot &snapshot) const;
    [[nodiscard]] QString whyNone(const QUuid &id) const;

    AgentSupervisor &m_supervisor;
    Say m_say;
    QUuid m_decidedFor; ///< the decision comes just before the events that it leads to
    RestartDecision m_decision;
    QSet<QUuid> m_asked;           ///< whose evaluators have yet to say what comes of a failure
    QHash<QUuid, int> m_announced; ///< the restarts that are to come
};

} // namespace Rekindle
