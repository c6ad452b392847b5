// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/timerscheduler.h>

#include <QTimer>

#include <algorithm>

namespace Rekindle {

namespace {
const SystemClock &systemClock()
{
    static const SystemClock clock;
    return clock;
}

// QTimer stores milliseconds in an int and fails silently if they overflow. The timer therefore
// runs for a day at most, and the deadline is then checked again.
constexpr std::chrono::milliseconds maxWait = std::chrono::hours(24);

// Other events are handled after this many callbacks.
constexpr std::size_t firedPerPass = 1024;
} // namespace

TimerScheduler::TimerScheduler(QObject *parent)
    : TimerScheduler(systemClock(), parent)
{
}

TimerScheduler::TimerScheduler(const Clock &clock, QObject *parent)
    : QObject(parent)
    , Scheduler(clock)
    , m_timer(new QTimer(this))
{
    m_timer->setSingleShot(true);
    m_timer->setTimerType(Qt::PreciseTimer);
    connect(m_timer, &QTimer::timeout, this, &TimerScheduler::onTimeout);
}

void TimerScheduler::nextDueChanged()
{
    if (m_isFiring)
        return;
    const Instant due = nextDue();
    if (due == Instant::max()) {
        m_timer->stop();
        return;
    }
    const Duration wait = std::max(Duration{0}, due - now());
    m_timer->start(wait >= maxWait ? maxWait : std::chrono::ceil<std::chrono::milliseconds>(wait));
}

void TimerScheduler::onTimeout()
{
    // Keeps the queue running if a callback runs a nested event loop, whose first pass then arms
    // the timer as usual.
    m_timer->start(0);
    m_isFiring = true;
    fireDue(now(), firedPerPass);
    m_isFiring = false;
    nextDueChanged();
}

} // namespace Rekindle
