// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentsource.h>
#include <rekindle/widgets/export.h>

#include <QPointer>
#include <QStringList>
#include <QSystemTrayIcon>
#include <QTimer>

#include <optional>

namespace Rekindle {

/// Shows one icon in the system tray for all agents of a source: the shape and the color of the
/// worst state, and a tool tip with the number of agents in each state. Set a context menu and
/// connect activated() as with any QSystemTrayIcon. Without a system tray, nothing is shown.
class REKINDLE_WIDGETS_EXPORT SupervisorTray : public QSystemTrayIcon
{
    Q_OBJECT
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")
    Q_PROPERTY(Rekindle::AgentSource *source READ source WRITE setSource)
    Q_PROPERTY(Notifications notifyOn READ notifyOn WRITE setNotifyOn)

public:
    enum class Notification {
        Exhausted = 1,     ///< an agent, or a group, was given up
        CircuitOpened = 2, ///< a circuit breaker opened
    };
    Q_DECLARE_FLAGS(Notifications, Notification)
    Q_FLAG(Notifications)

    explicit SupervisorTray(QObject *parent = nullptr);
    /// Calls setSource().
    explicit SupervisorTray(AgentSource &source, QObject *parent = nullptr);

    /// Sets the source. Without a source, or after it was destroyed, no icon is shown.
    void setSource(AgentSource *source);
    [[nodiscard]] AgentSource *source() const { return m_source; }

    /// Sets which events show a message. Events within half a second are combined into one message.
    /// Default: all.
    void setNotifyOn(Notifications notifyOn) { m_notifyOn = notifyOn; }
    [[nodiscard]] Notifications notifyOn() const { return m_notifyOn; }

    /// Returns the worst state of all agents. Empty if the source is unavailable or has no agents,
    /// or if a state is unknown because the host is newer.
    [[nodiscard]] std::optional<InstanceState> worstState() const { return m_worst; }

Q_SIGNALS:
    /// A message is shown, or would be shown if there were a system tray.
    void notified(const QString &title, const QString &text);

private:
    void update();
    void receive(const AgentEvent &event);
    void showMessages();

    QPointer<AgentSource> m_source;
    Notifications m_notifyOn{Notifications(Notification::Exhausted) | Notification::CircuitOpened};
    std::optional<InstanceState> m_worst;
    QStringList m_messages; ///< not shown yet
    QTimer m_updates;
    QTimer m_notices;
};

} // namespace Rekindle

Q_DECLARE_OPERATORS_FOR_FLAGS(Rekindle::SupervisorTray::Notifications)
