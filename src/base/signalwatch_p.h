// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

#include <initializer_list>

class QSocketNotifier;

namespace Rekindle {

struct SignalPipe;

/// Delivers signals of the operating system to the event loop of the thread that creates it. It
/// replaces the handlers of the process until it is destroyed. Signals that are ignored at that
/// time (nohup, background jobs of a script) stay ignored, except SIGTERM. At most eight objects
/// can exist at the same time; each of them receives the signal.
class SignalWatch : public QObject
{
    Q_OBJECT

public:
    /// The numbers must be below 32.
    explicit SignalWatch(std::initializer_list<int> numbers, QObject *parent = nullptr);
    ~SignalWatch() override;

    /// Reports the signals that have arrived, without waiting for the event loop.
    void read();

Q_SIGNALS:
    void received(int number);

    /// SIGINT or SIGQUIT, forwarded from the terminal of an agent that shares it.
    void keyPressed(int number);

private:
    SignalPipe *m_pipe = nullptr;
    QSocketNotifier *m_notifier = nullptr;
};

} // namespace Rekindle
