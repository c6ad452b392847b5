// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>
#include <rekindle/widgets/export.h>

#include <QDialog>

#include <chrono>
#include <memory>

namespace Rekindle {

class AgentSupervisor;

/// Stops all agents before a window closes. Shows the agents that still run, the time until they
/// are killed, and *Kill now*:
///
/// ```
/// MainWindow window;
/// Rekindle::StopDialog::install(&window, supervisor);
/// ```
///
/// If the user hides the dialog, for example with Escape, the agents are still stopped. If an agent
/// is started in the meantime, the window stays open.
class REKINDLE_WIDGETS_EXPORT StopDialog : public QDialog
{
    Q_OBJECT
    Q_PROPERTY(Rekindle::Duration limit READ limit WRITE setLimit)

public:
    static constexpr Duration defaultLimit = std::chrono::seconds(30);

    /// Handles the close event of a window. If agents run or have a planned start, the event is
    /// ignored, all agents are stopped, and the window is closed when the last one has stopped. Its
    /// closeEvent() is called only then. `window` owns the dialog. Both may be destroyed before or
    /// after the supervisor.
    static StopDialog *install(QWidget *window, AgentSupervisor &supervisor,
                               Duration limit = defaultLimit);

    /// Nothing is stopped before begin(). `parent` is the window that is closed at the end; null:
    /// none.
    explicit StopDialog(AgentSupervisor &supervisor, QWidget *parent = nullptr);
    ~StopDialog() override;

    /// Returns the supervisor; null after it was destroyed.
    [[nodiscard]] AgentSupervisor *supervisor() const;

    /// Sets the time from begin() until the agents are killed, more than 0. A change applies to the
    /// next call of begin().
    void setLimit(Duration limit);
    [[nodiscard]] Duration limit() const;

    /// Stops all agents and shows the dialog until they have stopped. A call while the dialog waits
    /// only shows it again. If no agent runs, agentsStopped() is emitted at once.
    void begin();
    [[nodiscard]] bool isWaiting() const;

    /// Kills the agents that still run. Has no effect if the dialog does not wait.
    void killNow();

    /// Has no effect while it waits, so that the Esc key does not hide it.
    void reject() override;

Q_SIGNALS:
    /// All agents have stopped, except for stuck agents. The window is closed next.
    void agentsStopped();

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
