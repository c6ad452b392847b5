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

// QTimer counts milliseconds in an int and breaks silently beyond (qt.md T7): arm for a day at
// the most, and look at the deadline again.
constexpr std::chrono::milliseconds longestWait = std::chrono::hours(24);

// Between two looks at the rest of the event loop.
constexpr std::size_t firedPerPass = 1024;
} // namespace

class TimerScheduler::Private
{
public:
    QTimer timer;
    bool firing = false;
};

TimerScheduler::TimerScheduler(QObject *parent)
    : TimerScheduler(systemClock(), parent)
{
}

TimerScheduler::TimerScheduler(const Clock &clock, QObject *parent)
    : QObject(parent)
    , Scheduler(clock)
    , d(std::make_unique<Private>())
{
    d->timer.setParent(this);
    d->timer.setSingleShot(true);
    d->timer.setTimerType(Qt::PreciseTimer);
    connect(&d->timer, &QTimer::timeout, this, &TimerScheduler::onTimeout);
}

TimerScheduler::~TimerScheduler()
{
    // It is a member of d, not to be deleted as a child.
    d->timer.setParent(nullptr);
}

void TimerScheduler::nextDueChanged()
{
    if (d->firing)
        return;
    const Instant due = nextDue();
    if (due == Instant::max()) {
        d->timer.stop();
        return;
    }
    const Duration wait = std::max(Duration{0}, due - now());
    d->timer.start(wait >= longestWait ? longestWait
                                       : std::chrono::ceil<std::chrono::milliseconds>(wait));
}

void TimerScheduler::onTimeout()
{
    // A callback may run an event loop of its own; this keeps the queue going in there. The first
    // pass of that loop plans the timer as usual.
    d->timer.start(0);
    d->firing = true;
    fireDue(now(), firedPerPass);
    d->firing = false;
    nextDueChanged();
}

} // namespace Rekindle
