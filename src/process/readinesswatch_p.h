// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "launchfault_p.h"
#include "notifysocket_p.h"

#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/process/processdefinition.h>

#include <QRegularExpression>

namespace Rekindle {

/// Waits for one start to become ready, in the way that its definition says (spec 6).
class ReadinessWatch
{
public:
    /// `onReady` is called once; it may destroy the watch. `pattern` is the compiled one, of Line.
    ReadinessWatch(const Readiness &readiness, const QRegularExpression *pattern,
                   Scheduler &scheduler, std::function<void()> onReady);

    /// Before the launch.
    [[nodiscard]] std::optional<LaunchFault> prepare();

    /// What the child must have in its environment; empty if nothing.
    [[nodiscard]] QByteArray environmentEntry() const;

    void begin(pid_t group);
    void lineRead(const QByteArray &line);

    /// It will not become ready any more.
    void cancel();

private:
    void reached();

    const Readiness &m_readiness;
    const QRegularExpression *m_pattern;
    std::function<void()> m_onReady;
    Deadline m_alive;
    std::unique_ptr<NotifySocket> m_notify;
    bool m_waiting = false;
};

} // namespace Rekindle
