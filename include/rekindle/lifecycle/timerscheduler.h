// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>

#include <QObject>

#include <memory>

namespace Rekindle {

/// The scheduler of real hosts: one queue behind one precise QTimer. It lives in the thread that
/// made it, which needs a Qt event loop. With nothing armed it causes no wake-ups.
class REKINDLE_LIFECYCLE_EXPORT TimerScheduler final : public QObject, public Scheduler
{
    Q_OBJECT

public:
    /// `clock` must outlive the scheduler; without one the system's clock is used.
    explicit TimerScheduler(QObject *parent = nullptr);
    explicit TimerScheduler(const Clock &clock, QObject *parent = nullptr);
    ~TimerScheduler() override;

private:
    void nextDueChanged() override;
    void onTimeout();

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle
