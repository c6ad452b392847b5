// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/signalwatch_p.h"
#include "cli/output/terminal_p.h"
#include "topview_p.h"

#include <rekindle/control/controlclient.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <QObject>
#include <QPointer>
#include <QSocketNotifier>

namespace Rekindle {

class Messages;

/// Shows a running host in full screen and passes keys to it as requests, until a key, a
/// signal or the end of the connection ends it.
class TopSession : public QObject
{
    Q_OBJECT

public:
    /// stdin and stdout must be the terminal. `client` is connected, and `interval` is the time
    /// between two updates.
    TopSession(ControlClient &client, Messages &messages, Duration interval);
    ~TopSession() override;

    /// Returns the exit code: that of a signal, or 0.
    int run();

private:
    /// Calls the function when the request is finished, if this object still exists.
    template<typename T>
    void handle(QFuture<ControlResult<T>> request, const auto &function)
    {
        request.then([alive = QPointer(this), function](const ControlResult<T> &reply) {
            if (alive)
                function(reply);
        });
    }
    void enterScreen();
    void leaveScreen();
    void requestAgents();
    void openPane(TopView::Request pane);
    void requestPane();
    [[nodiscard]] QString paneTitle() const;
    void readKeys();
    void press(const QList<Key> &keys);
    void apply(TopView::Request request);
    void followSelection();
    void operate(ControlOperation operation, const char *begun, const char *done);
    void onSignal(int number);
    void draw();

    ControlClient &m_client;
    Messages &m_messages;
    const Duration m_interval;
    TimerScheduler m_scheduler;
    Terminal m_terminal;
    SignalWatch m_signals;
    QSocketNotifier m_input;
    KeyDecoder m_keys;
    TopView m_view;
    TopView::Request m_pane = TopView::Request::None; ///< ShowLogs, ShowExplanation or None
    QString m_paneAgent;
    Deadline m_update;
    Deadline m_redraw;    ///< when a slow terminal has not read the last frame
    Deadline m_escape;    ///< then, pending bytes are the Escape key
    QByteArray m_reports; ///< messages for stderr, written after the screen is left
    int m_exitCode = 0;
    bool m_isShown = false; ///< the screen is entered
    bool m_isRequesting = false;
    const bool m_hasColors = Terminal::hasColors();
};

} // namespace Rekindle
