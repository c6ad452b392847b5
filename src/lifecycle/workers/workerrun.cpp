// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "workerrun_p.h"

#include <QCoreApplication>
#include <QEvent>
#include <QThread>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {
// The event contains no data: all data is protected by the mutex.
void wake(QObject *object) { QCoreApplication::postEvent(object, new QEvent(QEvent::User)); }
} // namespace

WorkerRun::WorkerRun(QObject *receiver, LateCount late)
    : m_late(std::move(late))
    , m_receiver(receiver)
{
}

void WorkerRun::setThread(QThread *thread)
{
    const std::scoped_lock lock(m_mutex);
    m_thread = thread;
}

std::vector<WorkerReport> WorkerRun::takeReports()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_reports, {});
}

void WorkerRun::requestStop()
{
    m_stopRequested = true;
    const std::scoped_lock lock(m_mutex);
    if (m_thread)
        m_thread->quit();
}

void WorkerRun::requestHeartbeat()
{
    if (m_heartbeatPending.exchange(true))
        return;
    // Without a pulse, the event loop has ended: a thread that does not end then counts as hung.
    const std::scoped_lock lock(m_mutex);
    if (m_pulse)
        wake(m_pulse);
}

void WorkerRun::answerHeartbeat()
{
    m_heartbeatPending = false;
    report({.kind = WorkerReport::Kind::Heartbeat});
}

bool WorkerRun::abandon()
{
    const std::scoped_lock lock(m_mutex);
    m_receiver = nullptr;
    return !m_ended;
}

bool WorkerRun::hasEnded() const
{
    const std::scoped_lock lock(m_mutex);
    return m_ended;
}

bool WorkerRun::waitUntilEnded(std::chrono::steady_clock::time_point end)
{
    std::unique_lock lock(m_mutex);
    return m_endedCondition.wait_until(lock, end, [this] { return m_ended; });
}

void WorkerRun::report(WorkerReport report)
{
    const std::scoped_lock lock(m_mutex);
    post(std::move(report));
}

void WorkerRun::fail(FailureReason reason, const QString &text)
{
    m_stopRequested = true;
    const std::scoped_lock lock(m_mutex);
    if (std::exchange(m_failed, true))
        return;
    post({WorkerReport::Kind::Failed, text, reason});
    if (m_thread)
        m_thread->quit();
}

void WorkerRun::setPulse(QObject *pulse)
{
    const std::scoped_lock lock(m_mutex);
    m_pulse = pulse;
}

void WorkerRun::threadEnds()
{
    const std::scoped_lock lock(m_mutex);
    m_thread = nullptr;
    m_ended = true;
    if (m_receiver)
        post({.kind = WorkerReport::Kind::Ended});
    m_endedCondition.notify_all();
}

void WorkerRun::post(WorkerReport report)
{
    const bool isEnd = report.kind == WorkerReport::Kind::Ended;
    if (!m_receiver || (m_ended && !isEnd)) {
        ++*m_late;
        return;
    }
    // A worker that reports in a loop must not fill the memory while the agent is busy.
    const auto isSame = [&](const WorkerReport &each) { return each.kind == report.kind; };
    if (std::ranges::any_of(m_reports, isSame))
        return;
    m_reports.push_back(std::move(report));
    if (m_reports.size() == 1)
        wake(m_receiver);
}

} // namespace Rekindle
