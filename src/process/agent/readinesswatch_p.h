// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "process/launch/launchfault_p.h"

#include <rekindle/lifecycle/healthprobe.h>
#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/process/processdefinition.h>

#include <QRegularExpression>

#include <functional>
#include <memory>
#include <optional>

namespace Rekindle {

/// Waits for one start to become ready, in the way that its definition says (spec 6).
class ReadinessWatch
{
public:
    /// `onReady` is called once; it may destroy the watch. `pattern` is the compiled one, of Line.
    ReadinessWatch(const ProcessDefinition &definition, const QRegularExpression *pattern,
                   Scheduler &scheduler, std::function<void()> onReady);

    /// Before the launch.
    [[nodiscard]] std::optional<LaunchFault> prepare();

    void begin();
    void lineRead(const QByteArray &line);
    void notified();

    /// It will not become ready any more.
    void cancel();

private:
    void sawSignal();
    void reached();
    void onDeadline();
    void probe();
    void probed(bool ok);

    const ProcessDefinition &m_definition;
    const Readiness &m_readiness;
    const QRegularExpression *m_pattern;
    std::function<void()> m_onReady;
    Scheduler &m_scheduler;
    Deadline m_deadline; // of Alive; of Probe for its timeout and its interval
    std::unique_ptr<HealthProbe> m_probe;
    bool m_sawSignal = false; // what Line or Notify waits for has come
    bool m_probing = false;
    bool m_waiting = false;
};

} // namespace Rekindle
