// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

#include <functional>

class QThread;

namespace Rekindle {

/// Keeps exceptions of event handlers out of Qt, in the thread that made it, for as long as it
/// lives. To catch them around exec() is too late: a timer whose slot has thrown leaves a pointer
/// into the dead stack behind, through which Qt writes when the timer is destroyed. So they are
/// caught where an event is delivered, before Qt's dispatcher sees them (docs/workers.md).
///
/// After an exception no event is delivered any more, but deferred deletions, until the event loop
/// has ended; `onException` has to see to that. An event that a handler itself sends is delivered
/// as ever: its exceptions belong to that handler.
class WorkerBarrier
{
public:
    /// `onException` is called inside the catch, see exceptionText().
    WorkerBarrier(QThread &thread, std::function<void()> onException);
    ~WorkerBarrier();
    Q_DISABLE_COPY_MOVE(WorkerBarrier)

    /// Called by Qt for every event of every thread; true if the event was taken care of.
    static bool deliver(void **parameters);

private:
    bool deliver(QObject *receiver, QEvent *event, bool *result);

    QThread &m_thread;
    std::function<void()> m_onException;
    int m_guardedLevel = 0;
    bool m_thrown = false;
};

/// Inside a catch: what() of a std::exception, else the name of the thrown type.
[[nodiscard]] QString exceptionText();

} // namespace Rekindle
