// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentaction.h>
#include <rekindle/models/agentsource.h>
#include <rekindle/widgets/export.h>

#include <QObject>
#include <QUuid>

#include <memory>

class QAction;
class QMessageBox;
class QWidget;

namespace Rekindle {

/// The operations on one agent, the current one, as actions of a menu or a tool bar. An action is
/// enabled if the operation would change something; its tool tip says what, or why it is disabled.
/// The actions have no shortcuts; a host can set some. Use the object from the thread of the
/// widgets, which is that of the source.
class REKINDLE_WIDGETS_EXPORT AgentActions : public QObject
{
    Q_OBJECT
    Q_PROPERTY(Rekindle::AgentSource *source READ source WRITE setSource)
    Q_PROPERTY(QUuid current READ current WRITE setCurrent)
    Q_PROPERTY(bool confirmStops READ confirmsStops WRITE setConfirmStops)

public:
    /// Message boxes are windows of this widget, which owns the object.
    explicit AgentActions(QWidget *parent);
    ~AgentActions() override;

    /// Default: null. All actions are disabled without a source, also after it was destroyed.
    void setSource(AgentSource *source);
    [[nodiscard]] AgentSource *source() const;

    /// Sets the agent on which the actions operate; null: none.
    void setCurrent(const QUuid &id);
    [[nodiscard]] QUuid current() const;

    /// Whether a message box with the effect must be confirmed before a stop or a restart. Default:
    /// true. It is closed if the operation becomes impossible.
    void setConfirmStops(bool confirm);
    [[nodiscard]] bool confirmsStops() const;
    /// Returns the open confirmation; null if there is none.
    [[nodiscard]] QMessageBox *confirmation() const;

    [[nodiscard]] QAction *action(ControlOperation operation) const;
    /// Emits whyRequested().
    [[nodiscard]] QAction *whyAction() const;
    /// Adds all actions to a menu or a tool bar, in groups. To another widget, it adds the
    /// shortcuts that the host sets.
    void addTo(QWidget &widget) const;

Q_SIGNALS:
    /// The user wants to know why the agent is in its state. A DecisionView shows it, for example.
    void whyRequested(const QUuid &id);
    /// An operation had no effect; the text says why. If nothing is connected, a message box shows
    /// the text.
    void failed(const QString &text);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
