// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentsource.h>
#include <rekindle/widgets/export.h>

#include <QDateTime>
#include <QUuid>
#include <QWidget>

#include <memory>

namespace Rekindle {

/// Explains the newest decisions about an agent: failure, policy, rule and delay as sentences, the
/// restarts left as a bar, and what happens next. It is updated while it is visible.
class REKINDLE_WIDGETS_EXPORT DecisionView : public QWidget
{
    Q_OBJECT
    Q_PROPERTY(Rekindle::AgentSource *source READ source WRITE setSource NOTIFY agentChanged)
    Q_PROPERTY(QUuid agent READ agent WRITE setAgent NOTIFY agentChanged)
    Q_PROPERTY(QDateTime decision READ decision WRITE setDecision NOTIFY decisionChanged)

public:
    explicit DecisionView(QWidget *parent = nullptr);
    ~DecisionView() override;

    /// The source may be destroyed before the view.
    void setSource(AgentSource *source);
    [[nodiscard]] AgentSource *source() const;

    /// Selects an agent and its newest decision. A null id shows nothing.
    void setAgent(const QUuid &instanceId);
    [[nodiscard]] QUuid agent() const;

    /// Selects the decision that is nearest to a time, for example of a mark in a TimelineView. An
    /// invalid time, the default, selects the newest decision.
    void setDecision(const QDateTime &time);
    [[nodiscard]] QDateTime decision() const;

    /// Calls setAgent() and setDecision(). Connect TimelineView::markActivated() to it.
    void showDecision(const QUuid &instanceId, UtcTime time);

Q_SIGNALS:
    void agentChanged();
    void decisionChanged();
    /// The link to the policy was activated. There is a link only if this signal is connected.
    void policyRequested(const QUuid &instanceId);

protected:
    void showEvent(QShowEvent *event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
