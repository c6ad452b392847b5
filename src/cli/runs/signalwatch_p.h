// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

#include <initializer_list>

class QSocketNotifier;

namespace Rekindle {

/// Brings signals of the operating system into the event loop. They are blocked from then on, for
/// the whole process: make it before there are threads. Those that are ignored when it is made, as
/// nohup and background jobs of a script have it, stay ignored; SIGTERM never.
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
