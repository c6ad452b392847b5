// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/control/export.h>
#include <rekindle/policy/agentexplanation.h>
#include <rekindle/policy/decisionrecord.h>

#include <QList>
#include <QObject>
#include <QString>
#include <QUuid>

#include <memory>

namespace Rekindle {

class AgentSupervisor;

/// Records the newest decisions about each agent in memory, and explains them:
///
/// ```
/// Rekindle::DecisionLog log(supervisor);
/// ...
/// label->setText(log.explain(id).toText(supervisor.scheduler().clock().utcNow()));
/// ```
///
/// It records what happens after its construction. The decisions about an agent are removed with
/// the agent. Use it from the thread of the supervisor. If the supervisor is destroyed first, the
/// log remains, but explains nothing.
class REKINDLE_CONTROL_EXPORT DecisionLog : public QObject
{
    Q_OBJECT

public:
    static constexpr int defaultPerAgent = 5;

    /// A decision and what followed.
    struct Entry
    {
        DecisionRecord made{};
        /// What an evaluator in shadow mode would have decided; null without one.
        std::shared_ptr<const DecisionRecord> shadow{};
        bool isCanceled = false; ///< its restart was canceled, for example by an operator
    };

    /// Records at most `perAgent` decisions about each agent, 1 to 1000. The nearest of these
    /// values replaces another one.
    explicit DecisionLog(AgentSupervisor &supervisor, int perAgent = defaultPerAgent,
                         QObject *parent = nullptr);
    ~DecisionLog() override;

    /// Returns the newest decisions, oldest first.
    [[nodiscard]] QList<Entry> decisions(const QUuid &instanceId) const;

    /// Returns the last operations of an operator on the agent and on its circuit breaker, the last
    /// requested restart, and what its group did last, oldest first.
    [[nodiscard]] QList<RecordedAction> actions(const QUuid &instanceId) const;

    /// Describes what happens next with the agent: "restart 3 of 10 in 4.2s". Empty if the id is
    /// unknown.
    [[nodiscard]] QString next(const QUuid &instanceId) const;

    /// Explains the decisions, with the actions and what happens next. Explains nothing if the id
    /// is unknown.
    [[nodiscard]] AgentExplanation explain(const QUuid &instanceId) const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
