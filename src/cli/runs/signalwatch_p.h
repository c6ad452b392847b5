// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

#include <initializer_list>

class QSocketNotifier;

namespace Rekindle {

/// Delivers signals of the operating system to the event loop. It blocks them for the whole
/// process, so create it before any thread. Signals that are ignored at that time (nohup,
/// background jobs of a script) stay ignored, except SIGTERM.
class SignalWatch : public QObject
{
    Q_OBJECT

public:
    explicit SignalWatch(std::initializer_list<int> numbers, QObject *parent = nullptr);
    ~SignalWatch() override;

    /// Reports the signals that have arrived, without waiting for the event loop.
    void read();

Q_SIGNALS:
    void received(int number);

    /// SIGINT or SIGQUIT, forwarded from the terminal of an agent that shares it.
    void keyPressed(int number);

private:
    int m_descriptor = -1;
    QSocketNotifier *m_notifier = nullptr;
};

} // namespace Rekindle
