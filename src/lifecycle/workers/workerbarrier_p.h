// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

#include <functional>

class QThread;

namespace Rekindle {

/// Catches exceptions of event handlers in the thread that created it, before Qt's event dispatcher
/// sees them (docs/workers.md). To catch them around exec() is too late: after an exception in the
/// slot of a timer, Qt writes through a dangling pointer when the timer is destroyed.
///
/// After an exception, only deferred deletions are delivered until the event loop ends.
/// `onException` must end it. Events that a handler sends itself are delivered as usual, and that
/// handler gets their exceptions.
class WorkerBarrier
{
public:
    /// `onException` is called in the catch block, see exceptionText().
    WorkerBarrier(QThread &thread, std::function<void()> onException);
    ~WorkerBarrier();
    Q_DISABLE_COPY_MOVE(WorkerBarrier)

    /// Called by Qt for every event of every thread. Returns true if the event was delivered.
    static bool deliver(void **parameters);

private:
    bool deliver(QObject *receiver, QEvent *event, bool *result);

    QThread &m_thread;
    std::function<void()> m_onException;
    int m_guardedLevel = 0;
    bool m_thrown = false;
};

/// Returns what() of a std::exception, else the name of the thrown type. Call it in a catch block.
[[nodiscard]] QString exceptionText();

} // namespace Rekindle
