// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "lifecycle/workerstage.h"

#include <QtTest>

#define TRY_TEXT(stage, expected)                                                                  \
    QTRY_COMPARE_WITH_TIMEOUT((stage).text(), QStringLiteral(expected), longWait)

namespace Rekindle {

/// Base of the tests of workers: checks that no test leaves a thread behind.
class WorkerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QTRY_COMPARE_WITH_TIMEOUT(WorkerAgent::abandonedThreads(), 0, longWait); }
};

/// Starts the agent and waits until it is ready.
inline void start(const WorkerStage &stage)
{
    stage.agent->start();
    TRY_TEXT(stage, "started ready");
}

/// Waits until the worker has handled all events, and delivers its reports.
inline void finishEvents(WorkerChannel &channel)
{
    const auto done = std::make_shared<std::atomic<bool>>(false);
    channel.send([done](QObject &) { *done = true; });
    QTRY_VERIFY_WITH_TIMEOUT(*done, longWait);
    QCoreApplication::sendPostedEvents();
}

/// Blocks the event loop of a worker until open() or the destructor.
class Hang
{
public:
    /// Returns when the event loop is blocked.
    explicit Hang(WorkerChannel &channel)
    {
        channel.send([gate = m_gate](QObject &) { gate.pass(); });
        QTRY_VERIFY_WITH_TIMEOUT(m_gate.isReached(), longWait);
    }
    ~Hang() { m_gate.open(); }
    Q_DISABLE_COPY_MOVE(Hang)

    void open() const { m_gate.open(); }

private:
    Gate m_gate;
};

} // namespace Rekindle
