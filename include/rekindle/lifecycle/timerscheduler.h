// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>

#include <QObject>

class QTimer;

namespace Rekindle {

/// The scheduler for real time: one queue with one precise QTimer. Use the object from its own
/// thread, which needs a Qt event loop. Without armed deadlines it causes no wake-ups.
class REKINDLE_LIFECYCLE_EXPORT TimerScheduler final : public QObject, public Scheduler
{
    Q_OBJECT

public:
    /// `clock` must outlive the scheduler; without one, the clock of the system is used.
    explicit TimerScheduler(QObject *parent = nullptr);
    explicit TimerScheduler(const Clock &clock, QObject *parent = nullptr);

private:
    void nextDueChanged() override;
    void onTimeout();

    QTimer *const m_timer; ///< a child of this object
    bool m_isFiring = false;
};

} // namespace Rekindle
