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

/// Reports in one line what happened and what happens next: "worker: failed (ProcessCrash: exit
/// code 1); restart 2 of 5 in 1.9s".
class Narrator : public QObject
{
    Q_OBJECT

public:
    using Say = std::function<void(const QString &)>;

    /// Agents in `onDemand` that are not restarted are started by the next call.
    Narrator(AgentSupervisor &supervisor, Say say, QSet<QUuid> onDemand = {});

    /// Also reports each start of a process, and each exit without a failure: S4 4.5.
    void reportProcesses();

    /// From now on, reports at most starts and exits, because a stop was requested.
    void mute() { m_isMuted = true; }

private:
    void report(const QString &agent, const QString &what) const;
    void noteDecision(const QUuid &id, const RestartDecision &decision);
    void reportState(const QUuid &id, InstanceState state);
    // The texts are empty if the event needs no message.
    [[nodiscard]] QString failureText(const AgentFailed &event);
    [[nodiscard]] QString scheduledText(const RestartScheduled &event);
    [[nodiscard]] QString cancelledText(const RestartCancelled &event);
    [[nodiscard]] QString requestText(const RestartRequested &event);
    /// What the latest decision leads to; `delay` is counted from now. Marks it as reported.
    [[nodiscard]] QString consequence(Duration delay);
    [[nodiscard]] QString decisionText(const QUuid &id, Duration delay) const;
    [[nodiscard]] Duration untilNextStart(const AgentSnapshot &snapshot) const;
    [[nodiscard]] QString whyNotRestarted(const QUuid &id) const;

    AgentSupervisor &m_supervisor;
    Say m_say;
    QUuid m_decidedFor; ///< the decision precedes the events that it leads to; null if reported
    RestartDecision m_decision;
    const QSet<QUuid> m_onDemand;
    QUuid m_restarted;             ///< by an operator; the request follows; null if reported
    QSet<QUuid> m_evaluating;      ///< instances whose evaluators have not answered yet
    QHash<QUuid, int> m_announced; ///< numbers of the scheduled restarts
    bool m_isMuted = false;
};

} // namespace Rekindle
