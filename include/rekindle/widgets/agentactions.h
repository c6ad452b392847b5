// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentaction.h>
#include <rekindle/models/agentsource.h>
#include <rekindle/widgets/export.h>

#include <QObject>
#include <QPointer>
#include <QUuid>

#include <array>
#include <optional>

class QAction;
class QMessageBox;
class QWidget;

namespace Rekindle {

/// Provides the operations on the current agent as actions for a menu or a tool bar. An action is
/// enabled if the operation would change something. Its tool tip shows the effect, or why it is
/// disabled. The actions have no shortcuts; a host can set some. Use the object from the thread of
/// the widgets, which must be the thread of the source.
class REKINDLE_WIDGETS_EXPORT AgentActions : public QObject
{
    Q_OBJECT
    Q_PROPERTY(Rekindle::AgentSource *source READ source WRITE setSource)
    Q_PROPERTY(QUuid current READ current WRITE setCurrent)
    Q_PROPERTY(bool confirmStops READ confirmsStops WRITE setConfirmStops)

public:
    /// The parent owns the object and is the parent of its message boxes.
    explicit AgentActions(QWidget *parent);

    /// Default: null. All actions are disabled without a source, also after it was destroyed.
    void setSource(AgentSource *source);
    [[nodiscard]] AgentSource *source() const { return m_source; }

    /// Sets the agent on which the actions operate; null: none.
    void setCurrent(const QUuid &id);
    [[nodiscard]] QUuid current() const { return m_current; }

    /// Sets whether the user must confirm a stop or a restart in a message box, which shows the
    /// effect. Default: true. The box is closed if the operation becomes impossible.
    void setConfirmStops(bool confirm) { m_confirmsStops = confirm; }
    [[nodiscard]] bool confirmsStops() const { return m_confirmsStops; }
    /// Returns the open confirmation; null if there is none.
    [[nodiscard]] QMessageBox *confirmation() const;

    [[nodiscard]] QAction *action(ControlOperation operation) const
    {
        return m_actions[static_cast<std::size_t>(operation)];
    }
    /// Emits whyRequested().
    [[nodiscard]] QAction *whyAction() const { return m_why; }
    /// Adds all actions to a menu or a tool bar, in groups. In any other widget, the actions only
    /// make the shortcuts available that the host sets.
    void addTo(QWidget &widget) const;

Q_SIGNALS:
    /// The user requests why the agent is in its state, for example to show it in a DecisionView.
    /// If nothing is connected, a message box shows the explanation.
    void whyRequested(const QUuid &id);
    /// An operation had no effect; the text contains the reason. If nothing is connected, a message
    /// box shows the text.
    void failed(const QString &text);

private:
    void queueUpdate();
    void update();
    void updateConfirmation(const QList<AgentAction> &possible) const;
    [[nodiscard]] std::optional<AgentStatus> status() const;
    void trigger(ControlOperation operation);
    void confirm(const AgentStatus &agent, const AgentAction &action);
    void operate(ControlOperation operation, const AgentStatus &agent);
    void explain();
    void fail(const QString &text);
    void showMessage(const QString &text) const;

    QWidget *const m_widget;
    QPointer<AgentSource> m_source;
    QUuid m_current;
    std::array<QAction *, controlOperations.size()> m_actions{};
    QAction *m_why = nullptr;
    std::array<QAction *, 2> m_separators{};
    QPointer<QMessageBox> m_box;
    ControlOperation m_boxOperation = ControlOperation::Stop;
    bool m_confirmsStops = true;
    bool m_isUpdateQueued = false;
};

} // namespace Rekindle
